// The review's timeline: in, out and playhead over all frames, and the speed curve below it.
import { byId, make, setAttribute } from './dom.js'
import { fromTrigger } from './format.js'
import { formatSpeed, steps } from './curve.js'
import { canDraw } from './picture.js'

const slowestShown = 1 / 64

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
      this.dragged(handle, box, (index) => review.move(what, index))
    }
    this.dragged(byId('timeline-canvas'), box, (index) => review.move('playhead', index))
    const area = byId('curve-canvas')
    area.addEventListener('dblclick', (event) => this.addAt(event))
    this.dragged(area, byId('curve'), (index) => review.move('playhead', index))
    new ResizeObserver(() => this.draw()).observe(box)
  }

  dragged(element, box, moved) {
    const at = (event) => {
      const { left, width } = box.getBoundingClientRect()
      moved(this.review.frameAt(this.review.times[0] / 1e9 + clamp((event.clientX - left) / width, 0, 1) * this.whole))
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

  /**
   * Returns a frame's place on the timeline, from 0 to 1; it depends on time, so that a gap is as long as the
   * loss.
   */
  part(index) { return this.review.count > 1 ? this.place(this.review.frameTime(index)) : 0 }

  draw() {
    const { review } = this
    if (review.count === 0 || byId('review').hidden) return
    for (const [what, handle] of Object.entries(this.handles)) {
      const index = review[what]
      handle.style.left = `${this.part(index) * 100}%`
      setAttribute(handle, 'aria-valuemin', 0)
      setAttribute(handle, 'aria-valuemax', review.count - 1)
      setAttribute(handle, 'aria-valuenow', index)
      setAttribute(handle, 'aria-valuetext', `frame ${index}, ${fromTrigger(review.times[index] ?? 0)} from the trigger`)
    }
    if (canDraw) {
      this.drawFrames()
      this.drawCurve()
    }
    this.placePoints()
  }

  drawFrames() {
    const { review } = this
    const { context, width, height } = prepared(byId('timeline-canvas'))
    const x = (index) => this.part(index) * width
    const [top, bottom] = [28, height - 8]
    context.fillStyle = '#1f2327'
    context.fillRect(0, top, width, bottom - top)
    context.fillStyle = '#2f5163'
    context.fillRect(x(review.first), top, Math.max(2, x(review.last) - x(review.first)), bottom - top)
    context.fillStyle = '#e6e9ec'
    for (const { first, last } of review.saved) context.fillRect(x(first), bottom + 2, Math.max(2, x(last) - x(first)), 4)
    // A gap in the sequence numbers means lost frames.
    for (let index = 1; index < review.count; index += 1) {
      if (review.sequence[index] - review.sequence[index - 1] > 1) {
        context.fillStyle = '#000'
        context.fillRect(x(index - 1) + 1, top, Math.max(3, x(index) - x(index - 1) - 1), bottom - top)
      }
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
    const { times, count } = this.review
    if (count < 2) return
    const wanted = (this.whole * 64) / Math.max(64, width)
    const unit = 10 ** Math.floor(Math.log10(Math.max(1e-6, wanted)))
    const step = unit * ([1, 2, 5, 10].find((factor) => factor * unit >= wanted) ?? 10)
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`
    context.fillStyle = '#a9b1b9'
    context.textAlign = 'center'
    for (let number = Math.ceil(times[0] / 1e9 / step); number * step <= times[count - 1] / 1e9; number += 1) {
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
  place(time) {
    const { times, count } = this.review
    return clamp((time * 1e9 - times[0]) / Math.max(1, times[count - 1] - times[0]), 0, 1)
  }
  time(part) {
    const { times } = this.review
    return this.review.frameTime(this.review.frameAt(times[0] / 1e9 + part * this.whole))
  }

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
      const { times, count } = review
      for (let x = 0; x <= width; x += 2) {
        const time = (times[0] + (x / width) * (times[count - 1] - times[0])) / 1e9
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
      element.style.left = `${this.place(point.time) * 100}%`
      element.style.top = `${this.height(speed)}px`
      element.classList.toggle('chosen', this.chosen === index)
      const isBeyond = point.time < from || point.time > to
      element.classList.toggle('beyond', isBeyond)
      const place = Math.max(0, steps.findIndex((step) => step <= speed * 1.0001))
      setAttribute(element, 'aria-label', `Point ${index + 1}`)
      setAttribute(element, 'aria-valuenow', -place)
      const told = point.freeze === undefined ? `speed ${formatSpeed(speed)}${point.ease ? ', eased' : ''}` : `held for ${point.freeze} s`
      setAttribute(element, 'aria-valuetext', `${told}, ${fromTrigger(point.time * 1e9)} from the trigger${isBeyond ? ', outside the marked part' : ''}`)
    })
    byId('remove-point').hidden = this.chosen === null
    const chosen = curve.points[this.chosen]
    byId('ease-point').hidden = !chosen || chosen.freeze !== undefined || this.chosen === 0
    setAttribute(byId('ease-point'), 'aria-pressed', chosen?.ease === true)
  }

  pointElement(index) {
    const element = make('div', { className: 'point', role: 'slider', tabIndex: 0, 'aria-valuemin': String(1 - steps.length), 'aria-valuemax': '0', 'aria-orientation': 'vertical' })
    element.addEventListener('focus', () => this.choose(index))
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
    const frame = review.frameAt(point.time)
    const far = event.shiftKey ? 10 : 1
    const place = point.speed === undefined ? 0 : steps.reduce((best, step, at) => (Math.abs(Math.log(step / point.speed)) < Math.abs(Math.log(steps[best] / point.speed)) ? at : best), 0)
    const stepped = (by) => steps[clamp(place + by, 0, steps.length - 1)]
    const at = (to) => review.frameTime(clamp(to, 0, review.count - 1))
    switch (event.key) {
      case 'ArrowUp': this.movePoint(index, point.time, stepped(-1)); break
      case 'ArrowDown': this.movePoint(index, point.time, stepped(1)); break
      case 'ArrowLeft': this.movePoint(index, at(frame - far), point.speed); break
      case 'ArrowRight': this.movePoint(index, at(frame + far), point.speed); break
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

  easeChosen() {
    const { points } = this.review.curve
    if (this.chosen === null) return
    this.review.bend(points.map((point, index) => (index === this.chosen ? { ...point, ease: !point.ease } : point)))
  }
}
