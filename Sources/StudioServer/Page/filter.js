// The library's filter: which items it shows. The tab keeps it when the page is reloaded.
import { byId, make } from './dom.js'
import { day, dayTold, hasClip } from './items.js'

const store = 'overcrank-library-filter'
const fields = { kind: 'filter-kind', camera: 'filter-camera', day: 'filter-day', text: 'filter-text' }

const kinds = {
  '': () => true,
  takes: (item) => !item.photo,
  photos: (item) => Boolean(item.photo),
  clips: hasClip,
  lost: (item) => item.lost > 0,
}

function kept() {
  try { return JSON.parse(sessionStorage.getItem(store)) ?? {} } catch { return {} }
}

export class Filter {
  constructor(onChange) {
    this.chosen = { kind: '', camera: '', day: '', text: '', ...kept() }
    if (!kinds[this.chosen.kind]) this.chosen.kind = ''
    this.onChange = onChange
    byId('filter-kind').value = this.chosen.kind
    byId('filter-text').value = this.chosen.text
    for (const [key, id] of Object.entries(fields)) {
      byId(id).addEventListener(key === 'text' ? 'input' : 'change', (event) => this.choose({ [key]: event.target.value }))
    }
    byId('filter-clear').addEventListener('click', () => {
      this.clear()
      byId('filter-text').focus()
    })
  }

  choose(change) {
    Object.assign(this.chosen, change)
    sessionStorage.setItem(store, JSON.stringify(this.chosen))
    this.onChange()
  }

  clear() {
    for (const id of Object.values(fields)) byId(id).value = ''
    this.choose({ kind: '', camera: '', day: '', text: '' })
  }

  /** Offers the cameras and days that the items have. */
  offer(items) {
    const cameras = [...new Set(items.map((item) => item.camera).filter(Boolean))].sort()
    const days = new Map(items.filter((item) => day(item.date)).map((item) => [day(item.date), dayTold(item.date)]))
    this.fill('camera', 'All cameras', cameras.map((name) => [name, name]))
    this.fill('day', 'All days', [...days])
  }

  fill(key, all, choices) {
    // A choice that no item has any more stays visible: it explains the empty list.
    const value = this.chosen[key]
    if (value && !choices.some(([own]) => own === value)) choices.push([value, value])
    const box = byId(fields[key])
    const drawn = JSON.stringify(choices)
    if (box.dataset.drawn !== drawn) {
      box.dataset.drawn = drawn
      box.replaceChildren(...[['', all], ...choices].map(([own, text]) => make('option', { value: own, textContent: text })))
    }
    box.value = value
  }

  passes(item) {
    const { kind, camera, day: wanted, text } = this.chosen
    const words = text.trim().toLowerCase()
    return kinds[kind](item) && (!camera || item.camera === camera) && (!wanted || day(item.date) === wanted)
      && (!words || [item.label, item.name, item.camera].some((own) => own?.toLowerCase().includes(words)))
  }
}
