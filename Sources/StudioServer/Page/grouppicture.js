// The pictures of a group at one moment: that of each camera, and that of a clip of all of them.
import { ClipLook } from './cliplook.js'
import { byId, make, setAttribute, setText } from './dom.js'
import { Frames } from './frames.js'
import { seen } from './grouptime.js'
import { where } from './items.js'
import { arranged } from './layout.js'
import { Picture } from './picture.js'

/** The longer side of the drawn picture of a clip, in pixels. */
const longest = 1280

export const seconds = (ns) => `${(ns / 1e9).toFixed(4)} s`

/** The picture of one camera, what it shows, and what a clip of all cameras keeps of it. */
export class Cell {
  /** `mode` is that of its take; `null` if it is not known. */
  constructor({ name, take }, times, mode, options) {
    this.name = name
    this.times = times
    this.canvas = make('canvas', { id: `group-frame-${name}`, role: 'img', width: 16, height: 9, 'aria-label': `Camera ${name}` })
    this.told = make('p', { className: 'hint' })
    const place = make('div', { className: 'shaped' }, this.canvas)
    this.element = make('section', { 'aria-label': `Camera ${name}` }, make('h4', { textContent: `Camera ${name}` }), place, this.told)
    this.picture = new Picture(this.canvas, place)
    this.look = new ClipLook(options, this.picture, place, { writes: false, prefix: `group-${name}`, name: `Part of camera ${name}` })
    const address = (index, width) => `${where(take)}/frames/${index}.jpg?width=${width}`
    this.look.show({ mode, address })
    this.frames = take === null ? null : new Frames(times.time_ns.length, (index) => address(index, 960), (frame, index) => {
      this.picture.draw(frame)
      this.canvas.dataset.frame = index
    })
  }

  /** The part of the picture that is in the clip, in pixels of the canvas, and its shape in the camera's; `null` without a picture. */
  get shown() {
    if (this.picture.isEmpty) return null
    const { canvas, look } = this
    const whole = look.whole ?? canvas
    const part = look.part ?? { x: 0, y: 0, width: whole.width, height: whole.height }
    const scale = canvas.width / whole.width
    return { part, from: [part.x, part.y, part.width, part.height].map((length) => length * scale) }
  }

  show(moment, way) {
    const { state, by, index } = seen(this.times, moment)
    this.element.dataset.state = state
    const words = {
      before: () => `Camera ${this.name} has not begun: it begins in ${seconds(by)}.`,
      after: () => `Camera ${this.name} has ended: ${seconds(by)} ago.`,
      lost: () => `\u26a0 Lost frame: frame ${index} is held.`,
      shown: () => `Frame ${index} (0 to ${this.times.time_ns.length - 1})`,
    }[state]()
    setText(this.told, this.frames ? words : `Camera ${this.name} cannot be shown: its take is not in this folder.`)
    setAttribute(this.canvas, 'aria-label', `Camera ${this.name}. ${words}`)
    if (index !== undefined) this.frames?.want(index, way)
  }

  close() { this.frames?.close() }
}

/** The picture of the clip: those of the cameras in its layout, each with what the crop keeps of it, and the text on the whole. */
export class ClipPicture {
  constructor(options) {
    this.place = byId('group-clip-place')
    this.picture = new Picture(byId('group-clip'), this.place)
    this.look = new ClipLook(options, this.picture, this.place, { crops: false, prefix: 'group' })
    this.look.show({ mode: null })
    this.sketch = make('canvas')
  }

  /** Draws it of these cells; without any, or while one of them has no picture, it is not shown. */
  draw(cells, layout) {
    for (const { look } of cells) look.draw()
    const shown = cells.map((cell) => cell.shown)
    const whole = shown.length === 0 || shown.includes(null) ? null : arranged(layout, shown.map(({ part }) => part))
    this.place.hidden = whole === null
    if (whole === null) return
    const scale = Math.min(1, longest / Math.max(whole.width, whole.height))
    const [width, height] = [whole.width, whole.height].map((length) => Math.max(1, Math.round(length * scale)))
    Object.assign(this.sketch, { width, height })
    const context = this.sketch.getContext('2d', { alpha: false })
    for (const [place, box] of whole.boxes.entries()) {
      context.drawImage(cells[place].canvas, ...shown[place].from, ...[box.x, box.y, box.width, box.height].map((length) => length * scale))
    }
    this.picture.draw(this.sketch)
  }
}
