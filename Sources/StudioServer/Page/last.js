// The newest item of the library, as a button beside the recording buttons.
import { get } from './api.js'
import { byId, make, setAttribute } from './dom.js'
import { kind, title } from './items.js'
import { settlesNotices } from './made.js'

export class Last {
  constructor(library) {
    this.library = library
    this.picture = make('img', { alt: '' })
    this.button = make('button', { type: 'button', id: 'last', hidden: true, onclick: () => library.openWhole(this.item.id) }, this.picture)
    byId('actions').append(this.button)
  }

  render(state) {
    if (this.number !== state.library) {
      this.number = state.library
      this.load()
    }
    // The bar hides the buttons that it does not know.
    this.button.hidden = !this.item
  }

  async load() {
    const { number } = this
    const settle = settlesNotices()
    let items
    try { items = await get('/api/takes') } catch { return }
    if (number !== this.number) return
    settle(items).catch(() => { /* the groups could not be asked for */ })
    const before = this.item?.id
    this.item = items[0]
    this.button.hidden = !this.item
    if (!this.item) return
    setAttribute(this.button, 'aria-label', `Open the newest item: ${kind(this.item)}, ${title(this.item)}`)
    if (before !== this.item.id) {
      this.picture.removeAttribute('src')
      this.library.thumbnailOf(this.item.id, this.picture)
    }
  }
}
