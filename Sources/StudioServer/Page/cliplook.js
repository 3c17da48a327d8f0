// What the options of a clip make of a picture: the part that its crop keeps, and its text.
import { fetchFrom } from './api.js'
import { make, setAttribute, setText } from './dom.js'
import { decoded, pointIn } from './picture.js'

/** The least side of a part that is resized here, in pixels. */
const least = 32

/** The height of the page's capital letters, as a part of the size of their font. */
const capital = 0.72

const clamp = (value, low, high) => Math.min(high, Math.max(low, value))

/** Video has even sides and places. */
const even = (length) => 2 * Math.floor(length / 2)

/** Returns the part of a picture that a crop keeps, in its pixels, as the studio reads it; `null` if the text is no crop. */
export function keptPart(crop, { width, height }) {
  const numbers = crop.split(/[x:+]/).map(Number)
  let [wide, high] = numbers
  if (/^\d+x\d+\+\d+\+\d+$/.test(crop)) return { width: wide, height: high, x: numbers[2], y: numbers[3] }
  if (/^[1-9]\d*:[1-9]\d*$/.test(crop)) {
    [wide, high] = width * high > wide * height ? [even((height * wide) / high), even(height)] : [even(width), even((width * high) / wide)]
  } else if (!/^\d+x\d+$/.test(crop)) return null
  return { width: wide, height: high, x: even(Math.max(0, width - wide) / 2), y: even(Math.max(0, height - high) / 2) }
}

/** Returns the words of a text and the place of their middle, from 0 to 1 each way. */
function placed(text) {
  const parts = /^(.*)@\s*([\d.]+%?)\s*,\s*([\d.]+%?)\s*$/s.exec(text)
  const [x, y] = parts ? parts.slice(2).map((word) => (word.endsWith('%') ? parseFloat(word) / 100 : Number(word))) : [0.5, 0.9]
  return { words: parts ? parts[1] : text, x, y }
}

export class ClipLook {
  /**
   * `options` are those of the clip; `picture` is what they change, and `place` the element that has its shape. Of a clip of
   * several cameras, the picture of each is cropped, and the whole has the text: the others are switched off. `name` begins
   * the name of the part.
   */
  constructor(options, picture, place, { crops = true, writes = true, prefix = 'clip', name = 'Part' } = {}) {
    Object.assign(this, { options, picture, crops, writes, name })
    this.source = null
    this.line = make('span', { id: `${prefix}-words`, className: 'clip-words', 'aria-hidden': 'true' })
    const corner = make('span', { id: `${prefix}-corner`, className: 'clip-corner', 'aria-hidden': 'true' })
    this.frame = make('div', { id: `${prefix}-part`, className: 'clip-part' }, this.line, corner)
    if (crops) Object.assign(this.frame, { role: 'application', title: 'Drag to move it; arrow keys move it too, + and \u2212 resize it' })
    this.box = make('div', { id: `${prefix}-look`, className: 'clip-look', hidden: true }, this.frame)
    place.append(this.box)
    this.measured = document.createElement('canvas').getContext('2d')
    picture.onDrawn(() => this.draw())
    if (writes) options.field('text').addEventListener('input', () => this.draw())
    if (!crops) return
    this.frame.addEventListener('keydown', (event) => this.keyed(event))
    this.dragged(this.frame, (part, across, down) => this.put({ ...part, x: part.x + across, y: part.y + down }))
    this.dragged(corner, (part, across, down) => this.resize(part, 1 + Math.max(across / part.width, down / part.height)))
  }

  /** Shows what is edited, or nothing. */
  show(source) {
    this.source = source
    this.size = null
    this.draw()
  }

  /** The size of the clip's source in pixels, as it is shown; `null` while it is not known. */
  get whole() {
    const { canvas } = this.picture
    const size = this.source?.mode ?? this.size
    if (!size) return null
    const [wide, high] = [size.width, size.height]
    return canvas.width > canvas.height === wide > high ? { width: wide, height: high } : { width: high, height: wide }
  }

  draw() {
    const { crop, for: purpose, text: words } = this.source ? this.options.chosen : {}
    const text = this.writes ? words : undefined
    const kept = this.crops ? crop ?? (purpose === 'phone' ? '9:16' : null) : null
    if (kept && !this.whole) this.measure()
    this.part = kept && !this.picture.isEmpty && this.whole ? keptPart(kept, this.whole) : null
    this.box.hidden = this.picture.isEmpty || !(this.part || text)
    if (this.box.hidden) return
    const { width, height } = this.whole ?? { width: 1, height: 1 }
    const part = this.part ?? { x: 0, y: 0, width, height }
    const percent = (length, of) => `${(100 * length) / of}%`
    Object.assign(this.frame.style, {
      left: percent(part.x, width), top: percent(part.y, height), width: percent(part.width, width), height: percent(part.height, height),
    })
    this.frame.classList.toggle('cropped', this.part !== null)
    this.frame.tabIndex = this.part ? 0 : -1
    setAttribute(this.frame, 'aria-label', this.part ? `${this.name} that the crop keeps: ${ClipLook.text(part)}` : 'Whole picture')
    this.write(text ?? '')
  }

  /** Writes the text where the clip will have it, in this page's letters. */
  write(text) {
    const { line } = this
    const { words, x, y } = placed(text)
    setText(line, words)
    if (words === '') return
    const rows = words.split('\n')
    this.measured.font = `600 100px ${getComputedStyle(line).fontFamily}`
    const wide = Math.max(...rows.map((row) => this.measured.measureText(row).width)) / 100
    const side = (at, unit, length) => `max(0px, min(${at} * 100${unit} - ${length / 2}em, 100${unit} - ${length}em))`
    Object.assign(line.style, {
      fontSize: `min(${100 / 18 / capital}cqh, ${100 / wide}cqw)`, left: side(x, 'cqw', wide), top: side(y, 'cqh', 1.2 * rows.length),
    })
  }

  /** Learns the size of a source that tells no mode from one of its frames. */
  async measure() {
    const { source } = this
    if (this.measuring === source) return
    this.measuring = source
    try {
      const frame = await decoded(await (await fetchFrom(source.address(0, 4096))).blob())
      if (this.source !== source) return
      this.size = { width: frame.width, height: frame.height }
      frame.close?.()
      this.draw()
    } catch { /* the crop is not shown, but the clip has it */ }
  }

  static text({ width, height, x, y }) { return `${width}x${height}+${x}+${y}` }

  /** Takes a part into the crop's field, as far as the picture reaches. */
  put({ width, height, x, y }) {
    const { whole } = this
    const place = (at, length, most) => clamp(even(at), 0, even(Math.max(0, most - length)))
    this.options.crop(ClipLook.text({ width, height, x: place(x, width, whole.width), y: place(y, height, whole.height) }))
  }

  /** Makes a part larger or smaller in its shape, as far as the picture reaches from its upper left corner. */
  resize(part, factor) {
    const { whole } = this
    const most = Math.min((whole.width - part.x) / part.width, (whole.height - part.y) / part.height)
    const by = clamp(factor, Math.min(1, least / Math.min(part.width, part.height)), most)
    this.put({ ...part, width: even(Math.round(part.width * by)), height: even(Math.round(part.height * by)) })
  }

  keyed(event) {
    const step = event.shiftKey ? 20 : 2
    const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key]
    const factor = { '+': 17 / 16, '-': 15 / 16 }[event.key]
    if (!this.part || !(way || factor)) return
    event.preventDefault()
    event.stopPropagation()
    if (way) this.put({ ...this.part, x: this.part.x + way[0], y: this.part.y + way[1] })
    else this.resize(this.part, factor)
  }

  /** Calls `moved` with the part before the pointer was pressed, and the pixels that the pointer has moved since. */
  dragged(element, moved) {
    let begun = null
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || !this.part) return
      event.stopPropagation()
      element.setPointerCapture(event.pointerId)
      begun = { part: this.part, at: pointIn(this.picture.canvas, event) }
    })
    element.addEventListener('pointermove', (event) => {
      if (!begun || !element.hasPointerCapture(event.pointerId)) return
      const [at, { whole }] = [pointIn(this.picture.canvas, event), this]
      moved(begun.part, (at.x - begun.at.x) * whole.width, (at.y - begun.at.y) * whole.height)
    })
    for (const end of ['pointerup', 'pointercancel']) element.addEventListener(end, () => { begun = null })
  }
}
