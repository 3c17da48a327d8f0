// The takes that several cameras recorded together: their cards in the library, and the view of each group.
import { get } from './api.js'
import { byId, make } from './dom.js'
import { GroupView } from './groupview.js'
import { aligned, date, day, whereGroup } from './items.js'
import { attempt, refuse } from './notices.js'

export class Groups {
  constructor(library) {
    this.library = library
    this.all = []
    this.view = new GroupView(this)
  }

  async load() {
    try { this.all = await get('/api/groups') } catch (error) { refuse(error) }
    const { open } = this.view
    if (!open) return
    const now = this.all.find((group) => group.id === open.id)
    if (!now) this.view.close()
    else if (JSON.stringify(now.cameras) === JSON.stringify(open.cameras)) this.view.update(now)
    else this.view.show(now)
  }

  show() {
    const list = byId('groups')
    const { group: focused } = document.activeElement?.dataset ?? {}
    const shown = this.all.filter((group) => this.passes(group))
    list.hidden = shown.length === 0
    list.replaceChildren(...shown.map((group) => make('li', {}, this.card(group))))
    if (focused) list.querySelector(`[data-group="${CSS.escape(focused)}"]`)?.focus()
  }

  /** The filter's cameras and losses are those of takes. */
  passes(group) {
    const { kind, camera, day: wanted, text } = this.library.filter.chosen
    return (kind === '' || (kind === 'clips' && group.clips.length > 0)) && !camera && (!wanted || day(group.date) === wanted)
      && group.name.toLowerCase().includes(text.trim().toLowerCase())
  }

  card(group) {
    const picture = make('img', { alt: '' })
    const shown = group.cameras.find((camera) => camera.take)
    if (shown) this.library.thumbnail({ id: shown.take }, picture)
    const names = group.cameras.map((camera) => camera.name).join(', ')
    const told = [`${group.cameras.length} cameras: ${names}`, group.date && date(group.date), aligned(group)].filter(Boolean).join(', ')
    const card = make(
      'button', { type: 'button', className: 'card', onclick: () => this.view.show(group) },
      picture, make('span', { className: 'name', textContent: group.name }), make('span', { className: 'told', textContent: told }))
    if (group.problems.length > 0) card.append(make('span', { className: 'loss', textContent: `\u26a0 ${group.problems[0]}` }))
    card.dataset.group = group.id
    return card
  }

  /** Such as "camera A of jump"; `null` if no group names the take. */
  of(take) {
    for (const { name, cameras } of this.all) {
      const camera = cameras.find((each) => each.take === take)
      if (camera) return `camera ${camera.name} of ${name}`
    }
    return null
  }

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
