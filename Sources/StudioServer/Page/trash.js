// The removed takes and photos, which can be restored for 30 days.
import { get, post, remove } from './api.js'
import { byId, make } from './dom.js'
import { bytes } from './format.js'
import { date, title, where as placeOf } from './items.js'
import { attempt, forget, sure } from './notices.js'

const where = (id) => `/api/trash/${encodeURIComponent(id)}`

export class Trash {
  constructor() {
    byId('open-trash').addEventListener('click', () => this.open())
    byId('trash-empty').addEventListener('click', async () => {
      byId('trash').close()
      if (!(await sure('Delete everything in the trash? This cannot be undone.', 'Delete'))) return
      if (await attempt(() => remove('/api/trash').then(() => true))) forget('removed')
    })
  }

  async open() {
    const items = await attempt(() => get('/api/trash'))
    if (!items) return
    this.show(items)
    byId('trash').showModal()
  }

  show(items) {
    byId('trash-told').hidden = items.length > 0
    byId('trash-empty').hidden = items.length === 0
    byId('trash-items').replaceChildren(...Trash.wholes(items).map((whole) => {
      const [{ group, label, date: when }] = whole
      const own = whole.length > 1 ? { name: group.name, label: whole.every((item) => item.label === label) ? label : null, date: when } : whole[0]
      const name = title(own)
      const cameras = group && `camera${whole.length > 1 ? 's' : ''} ${whole.map((item) => item.group.camera).sort().join(', ')}${whole.length > 1 ? '' : ` of ${group.name}`}`
      const size = whole.reduce((sum, item) => sum + item.bytes, 0)
      const restore = make('button', { type: 'button', textContent: 'Restore', 'aria-label': `Restore ${name}${own.label || name === own.name ? '' : ` (${own.name})`}` })
      const told = [name, cameras, date(when) !== name && date(when), bytes(size)].filter(Boolean).join(', ')
      restore.addEventListener('click', async () => {
        if (await attempt(() => Trash.restoreAll(whole))) this.show(items.filter((item) => !whole.includes(item)))
      })
      return make('li', { className: 'row' }, make('span', { className: 'grow', textContent: told }), restore)
    }))
  }

  /** The items, and those of one group together, in the place of the first. */
  static wholes(items) {
    const wholes = new Map()
    for (const item of items) {
      const key = item.group?.id ?? item.id
      wholes.set(key, [...(wholes.get(key) ?? []), item])
    }
    return [...wholes.values()]
  }

  /** Restores items one after the other; takes that were removed together come back with the first. */
  static async restoreAll(items) {
    for (const [place, { id }] of items.entries()) {
      await Trash.restore(id).catch((error) => { if (place === 0 || error.status !== 404) throw error })
    }
    return true
  }

  /** Moves an item of the library to the trash, and returns its id there. */
  static async add(id) { return (await post(`${placeOf(id)}/trash`)).id }

  /** Removes an item: to the trash, from which it is restored, or for good if it is not whole. Returns its id there. */
  static async remove(item) {
    if (Trash.takes(item)) return Trash.add(item.id)
    await remove(placeOf(item.id))
    return null
  }

  /** Whether an item can be restored after its removal. */
  static takes({ kind }) { return kind === 'take' || kind === 'photo' }

  static restore(id) { return post(`${where(id)}/restore`) }
}
