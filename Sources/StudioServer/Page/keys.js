// All keys in one list, with their actions, and the sheet that explains them.
import { byId, make } from './dom.js'

const store = 'overcrank-keys'

export class Keys {
  /** `table` is `[{keys: [KeyboardEvent.key in lower case], told, means, act(event)}]`. */
  constructor(table) {
    this.table = table
    byId('keys-list').replaceChildren(...table.flatMap(({ told, means }) => [make('dt', { textContent: told }), make('dd', { textContent: means })]))
    byId('open-keys').addEventListener('click', () => this.open())
    const single = byId('keys-on')
    single.checked = localStorage.getItem(store) !== 'off'
    single.addEventListener('change', () => localStorage.setItem(store, single.checked ? 'on' : 'off'))
    addEventListener('pointerdown', () => { this.isByPointer = true }, true)
    addEventListener('keydown', (event) => { if (event.key === 'Tab') this.isByPointer = false }, true)
    addEventListener('keydown', (event) => this.pressed(event))
  }

  open() { if (!byId('keys').open) byId('keys').showModal() }

  pressed(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (document.querySelector('dialog[open]') || !byId('keys-on').checked) return
    const { target } = event
    if (target.matches('input[type=text], input[type=number], textarea, select, video')) return
    const key = event.key.toLowerCase()
    const moves = key.startsWith('arrow') || key === 'home' || key === 'end'
    if (moves && target.matches('input, [role=slider], #loupe-picture')) return
    if (key === ' ') {
      // A clicked element keeps the focus. Space activates it only if the keyboard focused it.
      if (target.matches('input[type=checkbox], input[type=radio], summary, a, button')) {
        if (!this.isByPointer) return
        target.blur()
      }
    }
    const entry = this.table.find(({ keys }) => keys.includes(key))
    if (!entry || (event.repeat && !entry.repeats)) {
      if (entry) event.preventDefault()
      return
    }
    if (entry.act(event) !== false) event.preventDefault()
  }
}
