// The zoom of the view, live and in review: a part of the picture, enlarged. It changes only what the page shows.
import { byId, setText } from './dom.js'

const most = 8
/** The distance of one notch of a mouse wheel in Chromium, in pixels. */
const notch = 100
const line = 33

const clamp = (value, low, high) => Math.min(high, Math.max(low, value))

/** Returns the notches that a wheel was turned; away from the user is positive. With Shift, browsers turn it sideways. */
function notches({ deltaX, deltaY, deltaMode }) {
  const by = deltaY === 0 ? deltaX : deltaY
  return -(by * [1, line, 10 * line][deltaMode]) / notch
}

export class ViewZoom {
  constructor() {
    this.box = byId('picture')
    this.view = byId('view')
    this.pointers = new Map()
    this.scale = 1
    /** The left and top edge of the visible part, from 0 to 1. */
    this.left = 0
    this.top = 0
    const { box } = this
    box.addEventListener('wheel', (event) => this.turned(event), { passive: false })
    box.addEventListener('pointerdown', (event) => this.pressed(event))
    box.addEventListener('pointermove', (event) => this.moved(event))
    for (const end of ['pointerup', 'pointercancel']) box.addEventListener(end, (event) => this.pointers.delete(event.pointerId))
    // At its usual size, one finger on the picture scrolls the page.
    box.addEventListener('touchmove', (event) => {
      if (event.cancelable && (event.touches.length > 1 || this.isZoomed)) event.preventDefault()
    }, { passive: false })
    box.addEventListener('dblclick', (event) => { if (this.isFree(event)) this.reset() })
    byId('view-zoom-reset').addEventListener('click', () => this.reset())
    byId('view-zoom').addEventListener('keydown', (event) => this.arrow(event))
    this.show()
  }

  get isZoomed() { return this.scale > 1 }

  /** Whether an event is for the picture: not for a button over it, nor for a region that is being drawn. */
  isFree({ target }) { return !target.closest('button, #loupe, .message, .cropped') && !byId('overlay').classList.contains('drawing') }

  /** Returns the place of a pointer in the box, from 0 to 1 each way. */
  at({ clientX, clientY }) {
    const { left, top, width, height } = this.box.getBoundingClientRect()
    return { x: clamp((clientX - left) / width, 0, 1), y: clamp((clientY - top) / height, 0, 1) }
  }

  turned(event) {
    event.preventDefault()
    const by = notches(event)
    // Two fingers on a touchpad arrive as a wheel with Ctrl: they always zoom the view.
    if (!event.shiftKey && !event.ctrlKey && this.onWheel?.(by)) return
    this.zoomBy(2 ** (event.ctrlKey ? clamp(2 * by, -1 / 2, 1 / 2) : by / 4), this.at(event))
  }

  pressed(event) {
    if (!this.isFree(event) || (event.pointerType === 'mouse' && event.button !== 0)) return
    this.pointers.set(event.pointerId, this.at(event))
    if (this.isZoomed || this.pointers.size > 1) this.box.setPointerCapture(event.pointerId)
  }

  /** One pointer moves the visible part, two also change its size. */
  moved(event) {
    const before = this.pointers.get(event.pointerId)
    // A mouse may be released elsewhere.
    if (event.buttons === 0) this.pointers.delete(event.pointerId)
    if (!before || event.buttons === 0 || this.pointers.size > 2) return
    const now = this.at(event)
    this.pointers.set(event.pointerId, now)
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1]
    if (other) {
      const { clientWidth: wide, clientHeight: high } = this.box
      const distance = (point) => Math.hypot((point.x - other.x) * wide, (point.y - other.y) * high)
      // What is between the fingers stays between them.
      this.moveBy((before.x - now.x) / 2, (before.y - now.y) / 2)
      this.zoomBy(distance(now) / Math.max(1, distance(before)), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 })
    } else if (this.isZoomed) this.moveBy(before.x - now.x, before.y - now.y)
  }

  /** Arrow keys at the zoom's own button move the visible part; elsewhere in a review, they step through frames. */
  arrow(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (!way) return
    event.preventDefault()
    event.stopPropagation()
    this.step(...way)
  }

  /** Moves by a tenth of the visible part. Returns whether the view is zoomed. */
  step(x, y) {
    this.moveBy(x / 10, y / 10)
    return this.isZoomed
  }

  /** Moves the visible part by parts of its own size. */
  moveBy(x, y) {
    this.left += x / this.scale
    this.top += y / this.scale
    this.show()
  }

  /** Zooms about a point of the box, which stays where it is. */
  zoomBy(factor, at = { x: 0.5, y: 0.5 }) {
    const { scale } = this
    // So near to its usual size, the picture is taken for unzoomed.
    const wanted = clamp(scale * factor, 1, most)
    this.scale = wanted < 1.01 ? 1 : wanted
    this.left += at.x / scale - at.x / this.scale
    this.top += at.y / scale - at.y / this.scale
    this.show()
    this.resized()
  }

  reset() { this.zoomBy(0) }

  show() {
    this.left = clamp(this.left, 0, 1 - 1 / this.scale)
    this.top = clamp(this.top, 0, 1 - 1 / this.scale)
    this.view.style.transform = this.isZoomed ? `scale(${this.scale}) translate(${-100 * this.left}%, ${-100 * this.top}%)` : ''
    this.box.classList.toggle('zoomed', this.isZoomed)
    const chip = byId('view-zoom')
    // The keyboard stays at the picture when its button goes.
    if (!this.isZoomed && chip.contains(document.activeElement)) byId('stage').focus({ preventScroll: true })
    chip.hidden = !this.isZoomed
    setText(byId('view-zoom-told'), `${this.scale.toFixed(1)}x`)
  }

  /** Asks for a sharper picture once the size stays the same. */
  resized() {
    clearTimeout(this.later)
    this.later = setTimeout(() => this.onResized?.(), 200)
  }
}
