// The selected items of the library, and what is done with them.
import { post } from './api.js'
import { byId, make, setText } from './dom.js'
import { download } from './download.js'
import { count, hasClip, title, where } from './items.js'
import { attempt, refuse, sure, tell } from './notices.js'
import { Trash } from './trash.js'

/** The path of an item's file, if it has only one to download. */
function onlyFile(item, withMasters) {
  if (item.photo) return item.photo.pictures === 1 && !item.photo.has_video ? `${where(item.id)}/photo` : null
  const clips = item.clips.filter((clip) => clip.is_there)
  return clips.length === 1 && !withMasters ? `${where(item.id)}/clips/${clips[0].index}.mp4` : null
}

export class Selection {
  constructor(onRemoved) {
    this.ids = new Set()
    this.shown = []
    this.items = []
    this.onRemoved = onRemoved
    byId('select-shown').addEventListener('click', () => this.set(this.shown.map((item) => item.id)))
    byId('select-none').addEventListener('click', () => {
      this.set([])
      byId('select-shown').focus()
    })
    byId('selected-download').addEventListener('click', () => this.download())
    byId('selected-remove').addEventListener('click', () => this.remove())
  }

  get chosen() { return this.items.filter((item) => this.ids.has(item.id)) }

  /** The checkbox of an item. With Shift, it selects all items since the last checkbox. */
  box(item) {
    const box = make('input', { type: 'checkbox', className: 'select', checked: this.ids.has(item.id) })
    box.setAttribute('aria-label', `Select ${title(item)} (${item.name})`)
    box.dataset.select = item.id
    box.addEventListener('click', (event) => this.toggle(item.id, box.checked, event.shiftKey))
    return box
  }

  /** The checkbox of a group, which selects its takes; none if none of them is shown. */
  boxOf(takes, words, { id, name }) {
    const own = takes.filter((take) => this.shown.includes(take))
    if (own.length === 0) return []
    const box = make('input', { type: 'checkbox', className: 'select' })
    box.setAttribute('aria-label', `Select the takes of ${words} (${name})`)
    Object.assign(box.dataset, { selectGroup: id, takes: own.map((take) => take.id).join(' ') })
    box.addEventListener('click', () => this.set([...[...this.ids].filter((each) => !own.some((take) => take.id === each)), ...(box.checked ? own.map((take) => take.id) : [])]))
    return [box]
  }

  toggle(id, isOn, isRange) {
    const order = this.shown.map((item) => item.id)
    const [from, to] = [order.indexOf(this.last), order.indexOf(id)]
    const range = isRange && from >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
    for (const each of range) {
      if (isOn) this.ids.add(each)
      else this.ids.delete(each)
    }
    this.last = id
    this.render()
  }

  set(ids) {
    this.ids = new Set(ids)
    this.render()
  }

  /** Takes over the items; an item that is not shown is not selected, so nothing unseen is removed. */
  follow(items, shown) {
    this.items = items
    this.shown = shown
    this.ids = new Set(shown.map((item) => item.id).filter((id) => this.ids.has(id)))
    this.render()
  }

  render() {
    for (const box of byId('takes').querySelectorAll('input.select')) box.checked = this.ids.has(box.dataset.select)
    this.renderGroups()
    byId('selected-actions').hidden = this.shown.length === 0
    for (const id of ['select-none', 'selected-download', 'selected-remove', 'selected-masters-field']) byId(id).hidden = this.ids.size === 0
    setText(byId('selected-told'), this.ids.size === 0 ? 'None selected' : `${count(this.chosen)} selected`)
  }

  /** The box of a group stands for those of its takes. */
  renderGroups() {
    for (const box of byId('groups').querySelectorAll('input.select')) {
      const count = box.dataset.takes.split(' ').filter((id) => this.ids.has(id)).length
      Object.assign(box, { checked: count === box.dataset.takes.split(' ').length, indeterminate: count > 0 && count < box.dataset.takes.split(' ').length })
    }
  }

  /** Downloads the selected items: one file as it is, several as an archive that the studio makes while it sends it. */
  async download() {
    const withMasters = byId('selected-masters').checked
    const items = this.chosen.filter((item) => {
      const has = item.photo || hasClip(item) || (withMasters && item.has_master)
      if (!has) tell(`\u201c${title(item)}\u201d was not downloaded: It has no clip.`, 'error')
      return has
    })
    if (items.length === 0) return
    await attempt(async () => {
      const path = items.length === 1 && onlyFile(items[0], withMasters)
      if (path) return download(path)
      const { id } = await post('/api/zips', { ids: items.map((item) => item.id), with_masters: withMasters })
      return download(`/api/zips/${id}.zip`)
    })
  }

  /** Removes items after a question, and offers to restore them. */
  async remove(items = this.chosen) {
    const last = items.every(Trash.takes) ? `You can restore ${items.length === 1 ? 'it' : 'them'} from the trash.` : 'What is not whole cannot be restored.'
    if (!(await sure(`Remove ${count(items)}? ${last}`))) return
    const removed = []
    await this.each('removed', async (item) => {
      const place = await Trash.remove(item)
      if (place) removed.push({ item, place })
    }, items)
    if (removed.length > 0) {
      const told = `${count(removed.map(({ item }) => item))} ${removed.length === 1 ? 'is' : 'are'} in the trash.`
      const notice = tell(told, 'removed', [{ text: 'Undo', act: () => this.restore(removed) }])
      notice.dataset.removed = removed.map(({ item }) => item.id).join(' ')
    }
    this.onRemoved()
  }

  /** Moves items back from the trash. */
  async restore(removed) {
    await this.each('restored', ({ place }) => Trash.restore(place), removed.map(({ item, place }) => ({ ...item, place })))
    this.onRemoved()
  }

  /** One after the other. A failure is told with the item's name, and the rest is still done. */
  async each(done, work, items = this.chosen) {
    for (const item of items) {
      try {
        await work(item)
      } catch (error) {
        refuse(error, `\u201c${title(item)}\u201d was not ${done}: `)
      }
    }
  }
}
