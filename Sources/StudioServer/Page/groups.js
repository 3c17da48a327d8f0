// The takes that several cameras recorded together: their cards in the library, and the view of each group.
import { get } from './api.js'
import { byId, make } from './dom.js'
import { GroupView } from './groupview.js'
import { aligned, date, day, title, whereGroup } from './items.js'
import { attempt, refuse } from './notices.js'

export class Groups {
  constructor(library) {
    this.library = library
    this.all = []
    this.view = new GroupView(this)
  }

  /** Fetches the groups; one of which nothing is left in the folder is none. */
  async fetch() {
    this.all = (await get('/api/groups')).filter(({ cameras, clips }) => clips.length > 0 || cameras.some(({ take, file }) => take || file.includes('/')))
  }

  async load() {
    try { await this.fetch() } catch (error) { refuse(error) }
    const { open } = this.view
    if (!open) return
    const now = this.all.find((group) => group.id === open.id)
    if (!now) this.view.close()
    else if (JSON.stringify(now.cameras) === JSON.stringify(open.cameras)) this.view.update(now)
    else this.view.show(now)
  }

  show() {
    const list = byId('groups')
    const { group: focused, selectGroup: focusedBox } = document.activeElement?.dataset ?? {}
    const shown = this.all.filter((group) => this.passes(group))
    list.hidden = shown.length === 0
    list.replaceChildren(...shown.map((group) => make('li', {}, this.card(group), ...this.library.selection.boxOf(this.takes(group), this.title(group), group))))
    if (focused) list.querySelector(`[data-group="${CSS.escape(focused)}"]`)?.focus()
    if (focusedBox) list.querySelector(`[data-select-group="${CSS.escape(focusedBox)}"]`)?.focus()
  }

  /** The filter's cameras and losses are those of takes. */
  passes(group) {
    const { kind, camera, day: wanted, text } = this.library.filter.chosen
    return (kind === '' || (kind === 'clips' && group.clips.length > 0)) && !camera && (!wanted || day(group.date) === wanted)
      && [this.label(group), group.name].some((own) => own?.toLowerCase().includes(text.trim().toLowerCase()))
  }

  card(group) {
    const picture = make('img', { alt: '' })
    const shown = group.cameras.find((camera) => camera.take)
    if (shown) this.library.thumbnail({ id: shown.take }, picture)
    const names = group.cameras.map((camera) => camera.name).join(', ')
    const when = group.date && date(group.date)
    const told = [when !== this.title(group) && when, `${group.cameras.length} cameras: ${names}`, aligned(group)].filter(Boolean).join(', ')
    const card = make(
      'button', { type: 'button', className: 'card', onclick: () => this.view.show(group) },
      picture, make('span', { className: 'name', textContent: this.title(group) }), make('span', { className: 'told', textContent: told }))
    if (group.problems.length > 0) card.append(make('span', { className: 'loss', textContent: `\u26a0 ${group.problems[0]}` }))
    card.dataset.group = group.id
    return card
  }

  /** The group of a take, and its camera; `null` if no group names the take. */
  of(take) {
    for (const group of this.all) {
      const camera = group.cameras.find((each) => each.take === take)
      if (camera) return { group, camera }
    }
    return null
  }

  /** The group of a take as it is on the disk now; `null` if there is none. */
  async whose(take) {
    try { await this.fetch() } catch { /* those that are known have to do */ }
    return this.of(take)?.group ?? null
  }

  /** The button on a take's card that says which camera of a group it is, and leads to the group; empty without a group. */
  link(take) {
    const whole = this.of(take.id)
    if (!whole) return []
    const words = `Camera ${whole.camera.name} of ${whole.group.cameras.length}`
    const link = make('button', { type: 'button', className: 'whole', textContent: words, onclick: () => this.view.show(whole.group) })
    link.setAttribute('aria-label', `${words}: show all cameras of ${this.title(whole.group)}`)
    link.dataset.whole = take.id
    return [link]
  }

  /** The takes of a group that are items of the library. */
  takes({ cameras }) { return this.library.takes.filter(({ id }) => cameras.some(({ take }) => take === id)) }

  /** The label of a group: the one that all its takes have; `null` if they differ, or have none. */
  label(group) {
    const labels = new Set(this.takes(group).map((take) => take.label))
    return labels.size === 1 ? [...labels][0] : null
  }

  title(group) { return title({ ...group, label: this.label(group) }) }

  render(state) { this.view.render(state) }

  /** Shows a group in the library; with `file`, it plays that clip. */
  async openGroup(id, file = null) {
    const group = await attempt(() => get(whereGroup(id)))
    if (!group) return
    byId('view-library').click()
    this.view.show(group)
    const clip = group.clips.find((each) => each.file === file)
    if (clip) this.view.playClip(clip)
  }

  /** Loads the picture of a group's first camera. */
  async thumbnailOf(id, picture) {
    try {
      const { cameras } = await get(whereGroup(id))
      const shown = cameras.find((camera) => camera.take)
      if (shown) this.library.thumbnailOf(shown.take, picture)
    } catch { /* a group without a picture is shown without one */ }
  }
}
