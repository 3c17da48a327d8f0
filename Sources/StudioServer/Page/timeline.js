// The review's timeline: in, out and playhead over all frames, and the speed curve below it.
import { byId, make, setAttribute, setOptions, setText } from './dom.js'
import { fromTrigger } from './format.js'
import { formatSpeed, parseSpeed, steps } from './curve.js'
import { canDraw } from './picture.js'

const slowestShown = 1 / 64
const mostZoom = 64
const menu = [1, 2, 4, 8, 16, 32].map((slower) => formatSpeed(1 / slower))

const clamp = (value, low, high) => Math.min(high, Math.max(low, value))

/** Returns the value that a slider's key selects, or `null` for any other key. */
function keyed(event, value, low, high) {
  const far = event.shiftKey ? 10 : 1
  switch (event.key) {
    case 'ArrowLeft': case 'ArrowDown': return value - far
    case 'ArrowRight': case 'ArrowUp': return value + far
    case 'PageDown': return value - 100
    case 'PageUp': return value + 100
    case 'Home': return low
    case 'End': return high
    default: return null
  }
}

/** Sizes a canvas to its box in device pixels, and returns a context that counts in CSS pixels. */
function prepared(canvas) {
  const { width, height } = canvas.getBoundingClientRect()
  const [w, h] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)]
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h })
  const context = canvas.getContext('2d')
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
  context.clearRect(0, 0, width, height)
  return { context, width, height }
}

export class Timeline {
  /**
   * `review` has `count`, `times`, `sequence`, `first`, `last`, `playhead`, `trigger`, `saved`, `curve`, and
   * handles moves.
   */
  constructor(review) {
    this.review = review
    this.chosen = null
    this.zoom = 1
    /** The time at the left edge, in seconds from the first frame. */
    this.from = 0
    const box = byId('timeline')
    this.handles = { first: byId('handle-in'), last: byId('handle-out'), playhead: byId('handle-playhead') }
    for (const [what, handle] of Object.entries(this.handles)) {
      handle.addEventListener('keydown', (event) => {
        const to = keyed(event, review[what], 0, review.count - 1)
        if (to === null) return
        event.preventDefault()
        event.stopPropagation()
        review.move(what, to)
      })
      handle.addEventListener('focus', () => this.reveal(review.frameTime(review[what])))
      this.dragged(handle, box, (index) => review.move(what, index))
    }
    this.dragged(byId('timeline-canvas'), box, (index) => review.move('playhead', index))
    const area = byId('curve-canvas')
    area.addEventListener('dblclick', (event) => this.addAt(event))
    this.dragged(area, byId('curve'), (index) => review.move('playhead', index))
    byId('zoom-in').addEventListener('click', () => this.zoomBy(2))
    byId('zoom-out').addEventListener('click', () => this.zoomBy(1 / 2))
    for (const area of [box, byId('curve')]) {
      area.addEventListener('wheel', (event) => {
        if (!event.ctrlKey) return
        event.preventDefault()
        this.zoomBy(event.deltaY < 0 ? 2 : 1 / 2)
      }, { passive: false })
    }
    byId('timeline-canvas').addEventListener('pointermove', (event) => this.tellLoss(event))
    byId('point-speed').addEventListener('change', (event) => {
      const point = review.curve.points[this.chosen]
      if (point) this.movePoint(this.chosen, point.time, parseSpeed(event.target.value))
    })
    new ResizeObserver(() => this.draw()).observe(box)
  }

  /** Shows the whole take again. */
  forget() {
    this.zoom = 1
    this.from = 0
    this.chosen = null
    this.followed = null
  }

  /** Zooms about the playhead, which stays where it is. */
  zoomBy(factor) {
    const zoom = clamp(this.zoom * factor, 1, mostZoom)
    if (zoom === this.zoom || this.review.count < 2) return
    const time = this.review.frameTime(this.review.playhead)
    const part = clamp(this.place(time), 0, 1)
    this.zoom = zoom
    this.from = clamp(time - this.start - part * this.span, 0, this.whole - this.span)
    this.draw()
  }

  /** Moves the visible part so that it contains a time. */
  reveal(time) {
    const part = this.place(time)
    if (this.zoom === 1 || (part >= 0 && part <= 1)) return
    this.from = clamp(time - this.start - 0.1 * this.span, 0, this.whole - this.span)
    this.draw()
  }

  /** The tooltip of a gap is the number of its lost frames. */
  tellLoss(event) {
    const { left, width } = byId('timeline').getBoundingClientRect()
    const at = event.clientX - left
    const gap = this.review.losses.find(({ before, after }) => {
      const [low, high] = [this.part(before) * width, this.part(after) * width]
      return at >= low - 2 && at <= Math.max(high, low + 3) + 2
    })
    byId('timeline-canvas').title = gap ? `${gap.lost} lost` : ''
  }

  dragged(element, box, moved) {
    const at = (event) => {
      const { left, width } = box.getBoundingClientRect()
      moved(this.review.frameAt(this.start + this.from + clamp((event.clientX - left) / width, 0, 1) * this.span))
    }
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || this.review.count === 0) return
      element.setPointerCapture(event.pointerId)
      at(event)
    })
    element.addEventListener('pointermove', (event) => {
      if (element.hasPointerCapture(event.pointerId)) at(event)
    })
  }

  /** The time from the first frame to the last, in seconds. */
  get whole() { return (this.review.times[this.review.count - 1] - this.review.times[0]) / 1e9 }

  /** The time of the first frame, in seconds. */
  get start() { return this.review.frameTime(0) }

  /** The visible time, in seconds. */
  get span() { return this.whole / this.zoom }

  /**
   * Returns a frame's place on the visible timeline, which is from 0 to 1; it depends on time, so that a gap is as long as the
   * loss.
   */
  part(index) { return this.review.count > 1 ? this.place(this.review.frameTime(index)) : 0 }

  draw() {
    const { review } = this
    if (review.count === 0 || byId('review').hidden) return
    this.follow()
    setText(byId('zoom-told'), `Zoom ${this.zoom}`)
    byId('zoom-in').disabled = this.zoom >= mostZoom
    byId('zoom-out').disabled = this.zoom <= 1
    for (const [what, handle] of Object.entries(this.handles)) {
      const index = review[what]
      this.put(handle, this.part(index))
      setAttribute(handle, 'aria-valuemin', 0)
      setAttribute(handle, 'aria-valuemax', review.count - 1)
      setAttribute(handle, 'aria-valuenow', index)
      setAttribute(handle, 'aria-valuetext', `frame ${index}, ${fromTrigger(review.times[index] ?? 0)} from ${review.origin}`)
    }
    if (canDraw) {
      this.drawFrames()
      this.drawCurve()
    }
    this.placePoints()
    review.loadStrip()
  }

  /** Keeps the playhead in view whenever it moves; the view may also be moved to a mark or a point. */
  follow() {
    if (this.followed === this.review.playhead) return
    this.followed = this.review.playhead
    const part = this.part(this.review.playhead)
    if (part < 0 || part > 1) this.from = clamp(this.review.frameTime(this.review.playhead) - this.start - 0.1 * this.span, 0, this.whole - this.span)
  }

  /** Places an element; outside the visible part it is dim at the edge, and only the keyboard reaches it. */
  put(element, part) {
    element.style.left = `${clamp(part, 0, 1) * 100}%`
    element.classList.toggle('outside', part < -1e-9 || part > 1 + 1e-9)
  }

  /** Draws as many small pictures as fit, and asks for those that are missing. */
  drawStrip(context, width, top, high) {
    const { review } = this
    if (!review.filmstrip) return
    const { canvas, turn } = review.picture
    const each = Math.max(24, (high * canvas.width) / Math.max(1, canvas.height))
    const indices = []
    for (let x = 0; x < width; x += each) {
      const index = review.frameAt(this.start + this.from + Math.min(1, (x + each / 2) / width) * this.span)
      indices.push(index)
      const picture = review.filmstrip.picture(index, turn)
      if (picture) context.drawImage(picture, x, top, each, high)
    }
    review.filmstrip.want(indices)
  }

  drawFrames() {
    const { review } = this
    const { context, width, height } = prepared(byId('timeline-canvas'))
    const x = (index) => this.part(index) * width
    const [top, bottom] = [28, height - 8]
    context.fillStyle = '#1f2327'
    context.fillRect(0, top, width, bottom - top)
    this.drawStrip(context, width, top, bottom - top)
    // Outside the marked part the pictures are dim.
    context.fillStyle = 'rgb(14 16 18 / 0.65)'
    context.fillRect(0, top, Math.max(0, x(review.first)), bottom - top)
    context.fillRect(x(review.last), top, Math.max(0, width - x(review.last)), bottom - top)
    context.fillStyle = 'rgb(124 196 232 / 0.3)'
    context.fillRect(x(review.first), top, Math.max(2, x(review.last) - x(review.first)), bottom - top)
    context.fillStyle = '#e6e9ec'
    for (const { first, last } of review.saved) context.fillRect(x(first), bottom + 2, Math.max(2, x(last) - x(first)), 4)
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`
    context.textAlign = 'center'
    for (const { before, after, lost } of review.losses) {
      const left = Math.max(0, x(before) + 1)
      const wide = Math.min(width, Math.max(x(after), x(before) + 4)) - left
      if (wide <= 0) continue
      context.fillStyle = '#000'
      context.fillRect(left, top, wide, bottom - top)
      const text = `${lost} lost`
      if (wide < context.measureText(text).width + 8) continue
      context.fillStyle = '#e6e9ec'
      context.fillText(text, left + wide / 2, (top + bottom) / 2 + 4)
    }
    this.drawRuler(context, width)
    const at = x(review.trigger ?? 0)
    if (review.trigger !== null) {
      context.fillStyle = '#e6e9ec'
      context.beginPath()
      context.moveTo(at, top + 10)
      context.lineTo(at - 5, top)
      context.lineTo(at + 5, top)
      context.fill()
      context.fillRect(at - 0.5, top, 1, bottom - top)
    }
  }

  drawRuler(context, width) {
    if (this.review.count < 2) return
    const wanted = (this.span * 64) / Math.max(64, width)
    const unit = 10 ** Math.floor(Math.log10(Math.max(1e-6, wanted)))
    const step = unit * ([1, 2, 5, 10].find((factor) => factor * unit >= wanted) ?? 10)
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`
    context.fillStyle = '#a9b1b9'
    context.textAlign = 'center'
    const begin = this.start + this.from
    for (let number = Math.ceil(begin / step); number * step <= begin + this.span; number += 1) {
      const mark = number * step
      const place = this.place(mark) * width
      if (place < 24 || place > width - 24) continue
      const told = Number(mark.toPrecision(6))
      context.fillText(`${told < 0 ? '\u2212' : told > 0 ? '+' : ''}${Math.abs(told)} s`, place, 13)
      context.fillRect(place, 18, 1, 6)
    }
  }

  // The curve: capture time across, speed on a logarithmic scale from 1/64 to 1/1.

  get top() { return 16 }
  get bottom() { return 72 }
  height(speed) {
    const part = Math.log2(clamp(speed, slowestShown, 1) / slowestShown) / 6
    return this.bottom - part * (this.bottom - this.top)
  }
  speed(y) {
    const wanted = 6 * clamp((this.bottom - y) / (this.bottom - this.top), 0, 1) - 6
    return steps.reduce((best, step) => (Math.abs(Math.log2(step) - wanted) < Math.abs(Math.log2(best) - wanted) ? step : best))
  }
  place(time) { return this.whole > 0 ? (time - this.start - this.from) / this.span : 0 }
  time(part) { return this.review.frameTime(this.review.frameAt(this.start + this.from + part * this.span)) }

  drawCurve() {
    const { review } = this
    const { curve } = review
    const { context, width, height } = prepared(byId('curve-canvas'))
    const from = this.place(review.frameTime(review.first)) * width
    const to = this.place(review.frameTime(review.last)) * width
    context.fillStyle = '#16191c'
    context.fillRect(0, 0, width, height)
    context.fillStyle = '#1b2a32'
    context.fillRect(from, 0, Math.max(1, to - from), height)
    context.font = `11px ${getComputedStyle(document.body).fontFamily}`
    for (const slower of [1, 4, 16, 64]) {
      const y = this.height(1 / slower)
      context.fillStyle = '#363c43'
      context.fillRect(0, y, width, 1)
      context.fillStyle = '#a9b1b9'
      context.fillText(`1/${slower}`, 4, y - 3)
    }
    if (!curve.isEmpty) {
      context.strokeStyle = '#7cc4e8'
      context.lineWidth = 2
      context.beginPath()
      for (let x = 0; x <= width; x += 2) {
        const time = this.start + this.from + (x / width) * this.span
        context.lineTo(x, this.height(curve.speedAt(time)))
      }
      context.stroke()
    }
    const at = this.part(review.playhead) * width
    context.fillStyle = '#e6e9ec'
    context.fillRect(at - 0.5, 0, 1, height)
  }

  placePoints() {
    const box = byId('curve-points')
    const { curve } = this.review
    while (box.children.length > curve.points.length) box.lastElementChild.remove()
    while (box.children.length < curve.points.length) box.append(this.pointElement(box.children.length))
    if (this.chosen !== null && this.chosen >= curve.points.length) this.chosen = null
    // The times in the text are rounded.
    const [from, to] = [this.review.frameTime(this.review.first) - 1e-5, this.review.frameTime(this.review.last) + 1e-5]
    curve.points.forEach((point, index) => {
      const element = box.children[index]
      const speed = point.speed ?? curve.speedAt(point.time)
      this.put(element, this.place(point.time))
      element.style.top = `${this.height(speed)}px`
      element.classList.toggle('chosen', this.chosen === index)
      const isBeyond = point.time < from || point.time > to
      element.classList.toggle('beyond', isBeyond)
      setText(element.firstChild, point.freeze === undefined ? formatSpeed(speed) : 'hold')
      // Near the right edge, the text is before its point.
      element.firstChild.classList.toggle('before', this.place(point.time) > 0.9)
      const place = Math.max(0, steps.findIndex((step) => step <= speed * 1.0001))
      setAttribute(element, 'aria-label', `Point ${index + 1}`)
      setAttribute(element, 'aria-valuenow', -place)
      const told = point.freeze === undefined ? `speed ${formatSpeed(speed)}${point.ease ? ', eased' : ''}` : `held for ${point.freeze} s`
      setAttribute(element, 'aria-valuetext', `${told}, ${fromTrigger(point.time * 1e9)} from ${this.review.origin}${isBeyond ? ', outside the marked part' : ''}`)
    })
    byId('remove-point').hidden = this.chosen === null
    byId('point-steps').hidden = this.chosen === null
    const chosen = curve.points[this.chosen]
    byId('ease-point').hidden = !chosen || chosen.freeze !== undefined || this.chosen === 0
    setAttribute(byId('ease-point'), 'aria-pressed', chosen?.ease === true)
    this.showMenu(chosen)
  }

  /** The menu with the speeds of the chosen point. */
  showMenu(chosen) {
    const field = byId('point-speed-field')
    field.hidden = !chosen || chosen.freeze !== undefined
    if (field.hidden) return
    const own = formatSpeed(chosen.speed)
    const items = (menu.includes(own) ? menu : [own, ...menu]).map((text) => ({ value: text, text }))
    setOptions(byId('point-speed'), [{ items }])
    byId('point-speed').value = own
    setText(byId('point-speed-name'), `Speed of point ${this.chosen + 1}`)
  }

  pointElement(index) {
    const element = make('div', { className: 'point', role: 'slider', tabIndex: 0, 'aria-valuemin': String(1 - steps.length), 'aria-valuemax': '0', 'aria-orientation': 'vertical' })
    element.append(make('span', { className: 'point-speed', 'aria-hidden': 'true' }))
    element.addEventListener('focus', () => {
      this.choose(index)
      this.reveal(this.review.curve.points[index].time)
    })
    element.addEventListener('keydown', (event) => this.pointKey(event, index))
    element.addEventListener('dblclick', (event) => event.stopPropagation())
    element.addEventListener('pointerdown', (event) => {
      event.stopPropagation()
      element.setPointerCapture(event.pointerId)
      this.choose(index)
    })
    element.addEventListener('pointermove', (event) => {
      if (!element.hasPointerCapture(event.pointerId)) return
      const { left, top, width } = byId('curve').getBoundingClientRect()
      this.movePoint(index, this.time(clamp((event.clientX - left) / width, 0, 1)), this.speed(event.clientY - top))
    })
    return element
  }

  choose(index) {
    this.chosen = index
    this.placePoints()
  }

  /** Moves a point, but not past its neighbours. */
  movePoint(index, time, speed) {
    const { curve } = this.review
    const { points } = curve
    const low = points[index - 1]?.time ?? -Infinity
    const high = points[index + 1]?.time ?? Infinity
    const moved = { ...points[index], time: clamp(time, low, high) }
    if (moved.freeze === undefined) moved.speed = speed
    this.review.bend(points.map((point, other) => (other === index ? moved : point)))
  }

  pointKey(event, index) {
    const { review } = this
    const point = review.curve.points[index]
    const far = event.shiftKey ? 10 : 1
    const place = point.speed === undefined ? 0 : steps.reduce((best, step, at) => (Math.abs(Math.log(step / point.speed)) < Math.abs(Math.log(steps[best] / point.speed)) ? at : best), 0)
    const stepped = (by) => steps[clamp(place + by, 0, steps.length - 1)]
    switch (event.key) {
      case 'ArrowUp': this.movePoint(index, point.time, stepped(-1)); break
      case 'ArrowDown': this.movePoint(index, point.time, stepped(1)); break
      case 'ArrowLeft': this.stepChosen(-far); break
      case 'ArrowRight': this.stepChosen(far); break
      case 'Enter': byId('point-speed').focus(); break
      case 'Delete': case 'Backspace': this.removeChosen(); break
      default: return
    }
    event.preventDefault()
    event.stopPropagation()
  }

  addAt(event) {
    const { left, top, width } = byId('curve').getBoundingClientRect()
    this.add(this.time(clamp((event.clientX - left) / width, 0, 1)), this.speed(event.clientY - top))
  }

  add(time, speed) {
    const { points } = this.review.curve
    const place = points.findLastIndex((point) => point.time <= time) + 1
    this.chosen = place
    this.review.bend(points.toSpliced(place, 0, { time, speed, ease: false }))
    byId('curve-points').children[place]?.focus()
  }

  removeChosen() {
    if (this.chosen === null) return
    const place = this.chosen
    this.chosen = null
    this.review.bend(this.review.curve.points.toSpliced(place, 1))
    const { children } = byId('curve-points')
    ;(children[Math.min(place, children.length - 1)] ?? byId('add-point')).focus()
  }

  /** Moves the chosen point by frames. */
  stepChosen(by) {
    const { review } = this
    const point = review.curve.points[this.chosen]
    if (point) this.movePoint(this.chosen, review.frameTime(clamp(review.frameAt(point.time) + by, 0, review.count - 1)), point.speed)
  }

  easeChosen() {
    const { points } = this.review.curve
    if (this.chosen === null) return
    this.review.bend(points.map((point, index) => (index === this.chosen ? { ...point, ease: !point.ease } : point)))
  }
}
