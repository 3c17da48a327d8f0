// The canvas that the live picture and the review share, with its overlays.
import { byId } from './dom.js'

/** Whether a canvas can show pictures here. */
export const canDraw = document.createElement('canvas').getContext('2d') !== null

/** Decodes a JPEG into an image that a canvas can draw and that `close`, if it exists, releases. */
export async function decoded(blob) {
  if (typeof createImageBitmap === 'function') return createImageBitmap(blob)
  const picture = new Image()
  picture.src = URL.createObjectURL(blob)
  try {
    await picture.decode()
  } finally {
    URL.revokeObjectURL(picture.src)
  }
  return picture
}

/** Draws a frame with the rotation and mirroring of clips: clockwise, then mirrored left to right. */
export function drawTurned(canvas, frame, { rotate = 0, mirror = false } = {}) {
  const lying = rotate === 90 || rotate === 270
  const width = lying ? frame.height : frame.width
  const height = lying ? frame.width : frame.height
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d', { alpha: false })
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.translate(width / 2, height / 2)
  if (mirror) context.scale(-1, 1)
  context.rotate((rotate * Math.PI) / 180)
  context.drawImage(frame, -frame.width / 2, -frame.height / 2)
}

/** Maps a point of the turned picture, from 0 to 1 each way, to the camera's frame. */
export function unturned({ x, y }, { rotate = 0, mirror = false } = {}) {
  const u = mirror ? 1 - x : x
  if (rotate === 90) return { x: y, y: 1 - u }
  if (rotate === 180) return { x: 1 - u, y: 1 - y }
  if (rotate === 270) return { x: 1 - y, y: u }
  return { x: u, y }
}

/** Maps a point of the camera's frame to the turned picture. */
export function turnedPoint({ x, y }, { rotate = 0, mirror = false } = {}) {
  let point = { x, y }
  if (rotate === 90) point = { x: 1 - y, y: x }
  if (rotate === 180) point = { x: 1 - x, y: 1 - y }
  if (rotate === 270) point = { x: y, y: 1 - x }
  return mirror ? { x: 1 - point.x, y: point.y } : point
}

/**
 * Returns the position of a pointer in a canvas that is fitted into its box, from 0 to 1 each way, clamped.
 */
export function pointIn(canvas, event) {
  const box = canvas.getBoundingClientRect()
  const scale = Math.min(box.width / canvas.width, box.height / canvas.height)
  const width = canvas.width * scale
  const height = canvas.height * scale
  const clamp = (value) => Math.min(1, Math.max(0, value))
  return {
    x: clamp((event.clientX - box.left - (box.width - width) / 2) / width),
    y: clamp((event.clientY - box.top - (box.height - height) / 2) / height),
  }
}

export class Picture {
  /** `place` is the element that gets the shape of the frames. */
  constructor(canvas, place = byId('picture-place')) {
    this.canvas = canvas
    this.place = place
    this.turn = { rotate: 0, mirror: false }
    this.listeners = new Set()
    this.isEmpty = true
  }

  onDrawn(listener) { this.listeners.add(listener) }

  /** The width of a picture that fills the canvas on this screen, in device pixels. */
  get wantedWidth() {
    const box = this.canvas.getBoundingClientRect()
    const lying = this.turn.rotate === 90 || this.turn.rotate === 270
    const wide = (lying ? box.height : box.width) * devicePixelRatio
    return Math.min(1920, Math.max(256, Math.ceil(wide / 160) * 160))
  }

  /** Gives the picture's box the shape of its frames. */
  shape(width, height) {
    const lying = this.turn.rotate === 90 || this.turn.rotate === 270
    const shape = (lying ? height / width : width / height).toFixed(4)
    if (this.shaped === shape) return
    this.shaped = shape
    this.place.style.setProperty('--shape', shape)
  }

  draw(frame) {
    this.shape(frame.width, frame.height)
    drawTurned(this.canvas, frame, this.turn)
    this.isEmpty = false
    for (const listener of this.listeners) listener(frame)
  }

  clear() {
    const context = this.canvas.getContext('2d', { alpha: false })
    context?.setTransform(1, 0, 0, 1, 0, 0)
    context?.clearRect(0, 0, this.canvas.width, this.canvas.height)
    this.isEmpty = true
    for (const listener of this.listeners) listener(null)
  }
}
