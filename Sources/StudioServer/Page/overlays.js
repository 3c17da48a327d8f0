// Optional drawings over the picture: histogram, zebra, focus peaking, loupe, guides.
import { byId, setAttribute, setText } from './dom.js'
import { pointIn, turnedPoint, unturned } from './picture.js'

const analysedWidth = 480
const overexposed = 247
const sharp = 72
/** The colours of focus peaking, in the order of a canvas's bytes read as one number: alpha, blue, green, red. */
const peaking = { red: 0xff2a2aff, green: 0xff3cff3c, blue: 0xffe8c47c }
const store = 'overcrank-peaking'

export class Overlays {
  constructor(picture, overlay) {
    this.picture = picture
    this.overlay = overlay
    this.region = null
    this.loupeAt = { x: 0.5, y: 0.5 }
    this.modeWidth = 0
    this.small = document.createElement('canvas')
    this.marks = document.createElement('canvas')
    this.switches = {}
    for (const name of ['histogram', 'zebra', 'peaking', 'loupe', 'guides']) {
      const element = byId(`show-${name}`)
      this.switches[name] = element
      element.checked = false
      element.addEventListener('change', () => this.switched())
    }
    this.colour = byId('peaking-colour')
    if (localStorage.getItem(store) in peaking) this.colour.value = localStorage.getItem(store)
    this.colour.addEventListener('change', () => {
      localStorage.setItem(store, this.colour.value)
      this.draw(null)
    })
    picture.onDrawn((frame) => this.draw(frame))
    overlay.addEventListener('pointermove', (event) => this.pointed(event))
    overlay.addEventListener('pointerdown', (event) => this.pointed(event))
    byId('loupe-picture').addEventListener('keydown', (event) => this.loupeKey(event))
    this.switched()
  }

  /** Disables the switches: without a canvas for the picture, nothing can be drawn over it. */
  refuse() {
    for (const element of Object.values(this.switches)) {
      element.checked = false
      element.disabled = true
    }
    this.colour.disabled = true
    this.switched()
  }

  on(name) { return this.switches[name].checked }

  switched() {
    byId('histogram').hidden = !this.on('histogram')
    byId('loupe').hidden = !this.on('loupe')
    this.onSwitched?.()
    this.draw(null)
  }

  pointed(event) {
    if (!this.on('loupe') || this.overlay.classList.contains('drawing')) return
    this.loupeAt = pointIn(this.picture.canvas, event)
    this.draw(null)
  }

  loupeKey(event) {
    const step = event.shiftKey ? 0.1 : 0.02
    const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key]
    if (!way) return
    event.preventDefault()
    event.stopPropagation()
    const clamp = (value) => Math.min(1, Math.max(0, value))
    this.loupeAt = { x: clamp(this.loupeAt.x + way[0]), y: clamp(this.loupeAt.y + way[1]) }
    this.draw(null)
  }

  /** Draws the enabled overlays, over a new frame or again over the same one. */
  draw(frame) {
    const { canvas } = this.picture
    const { overlay } = this
    if (overlay.width !== canvas.width || overlay.height !== canvas.height) Object.assign(overlay, { width: canvas.width, height: canvas.height })
    const context = overlay.getContext('2d')
    if (!context) return
    context.clearRect(0, 0, overlay.width, overlay.height)
    if (this.picture.isEmpty) return
    if (this.on('histogram') || this.on('zebra') || this.on('peaking')) this.analyse(context)
    if (this.on('guides')) this.drawGuides(context)
    if (this.region) this.drawRegion(context)
    if (this.on('loupe')) this.drawLoupe(context, frame)
  }

  analyse(context) {
    const { canvas } = this.picture
    const scale = Math.min(1, analysedWidth / Math.max(canvas.width, canvas.height))
    const width = Math.max(3, Math.round(canvas.width * scale))
    const height = Math.max(3, Math.round(canvas.height * scale))
    if (this.small.width !== width || this.small.height !== height) {
      Object.assign(this.small, { width, height })
      Object.assign(this.marks, { width, height })
    }
    const small = this.small.getContext('2d', { willReadFrequently: true, alpha: false })
    small.drawImage(canvas, 0, 0, width, height)
    const { data } = small.getImageData(0, 0, width, height)
    const luma = new Uint8Array(width * height)
    for (let index = 0, at = 0; index < luma.length; index += 1, at += 4) {
      luma[index] = (data[at] * 77 + data[at + 1] * 150 + data[at + 2] * 29) >> 8
    }
    if (this.on('histogram')) drawHistogram(byId('histogram'), luma)
    if (!this.on('zebra') && !this.on('peaking')) return
    const marks = this.marks.getContext('2d')
    const pixels = marks.createImageData(width, height)
    const words = new Uint32Array(pixels.data.buffer)
    if (this.on('peaking')) markSharp(words, luma, width, height, peaking[this.colour.value])
    if (this.on('zebra')) markBright(words, luma, width)
    marks.putImageData(pixels, 0, 0)
    context.imageSmoothingEnabled = false
    context.drawImage(this.marks, 0, 0, this.overlay.width, this.overlay.height)
  }

  drawGuides(context) {
    const { width, height } = this.overlay
    const line = Math.max(1, width / 900)
    for (const [colour, thickness] of [['rgb(0 0 0 / 0.6)', line * 3], ['rgb(255 255 255 / 0.85)', line]]) {
      context.strokeStyle = colour
      context.lineWidth = thickness
      context.beginPath()
      for (const part of [1 / 3, 2 / 3]) {
        context.moveTo(width * part, 0)
        context.lineTo(width * part, height)
        context.moveTo(0, height * part)
        context.lineTo(width, height * part)
      }
      const arm = Math.min(width, height) / 30
      context.moveTo(width / 2 - arm, height / 2)
      context.lineTo(width / 2 + arm, height / 2)
      context.moveTo(width / 2, height / 2 - arm)
      context.lineTo(width / 2, height / 2 + arm)
      context.stroke()
    }
  }

  /** Draws the region of motion detection, which is given in fractions of the camera's frame. */
  drawRegion(context) {
    const { width, height } = this.overlay
    const from = turnedPoint({ x: this.region.x, y: this.region.y }, this.picture.turn)
    const to = turnedPoint({ x: this.region.x + this.region.width, y: this.region.y + this.region.height }, this.picture.turn)
    const x = Math.min(from.x, to.x) * width
    const y = Math.min(from.y, to.y) * height
    const wide = Math.abs(to.x - from.x) * width
    const high = Math.abs(to.y - from.y) * height
    const line = Math.max(2, width / 500)
    context.setLineDash([line * 4, line * 3])
    context.strokeStyle = '#000'
    context.lineWidth = line * 2
    context.strokeRect(x, y, wide, high)
    context.strokeStyle = '#7cc4e8'
    context.lineWidth = line
    context.strokeRect(x, y, wide, high)
    context.setLineDash([])
  }

  drawLoupe(context, frame) {
    const target = byId('loupe-picture')
    const box = target.getBoundingClientRect()
    const side = Math.max(16, Math.round(box.width * devicePixelRatio))
    if (target.width !== side || target.height !== side) Object.assign(target, { width: side, height: side })
    const { canvas, turn } = this.picture
    const x = Math.round(this.loupeAt.x * canvas.width - side / 2)
    const y = Math.round(this.loupeAt.y * canvas.height - side / 2)
    const loupe = target.getContext('2d', { alpha: false })
    loupe.fillRect(0, 0, side, side)
    loupe.imageSmoothingEnabled = false
    loupe.drawImage(canvas, -x, -y)
    if (frame) this.frameWidth = frame.width
    // The studio sends at most 1920 pixels per row, so the loupe states its scale for a wider mode.
    const scale = this.frameWidth && this.modeWidth ? this.modeWidth / this.frameWidth : 1
    const told = scale <= 1.005 ? '1:1' : `1:${Number(scale.toFixed(1))}`
    setText(byId('loupe-scale'), told)
    const at = unturned(this.loupeAt, turn)
    setAttribute(target, 'aria-label', `Loupe, ${told}, ${Math.round(at.x * 100)} % from the left and ${Math.round(at.y * 100)} % from the top of the camera's picture`)
    const line = Math.max(1, canvas.width / 900)
    context.strokeStyle = '#fff'
    context.lineWidth = line
    context.strokeRect(x, y, side, side)
  }
}

function drawHistogram(canvas, luma) {
  const counts = new Uint32Array(256)
  for (const value of luma) counts[value] += 1
  // The ends may hold most of the pixels; they would flatten the rest to a line.
  const most = Math.max(1, ...counts.subarray(4, 252))
  const context = canvas.getContext('2d')
  const { width, height } = canvas
  context.clearRect(0, 0, width, height)
  context.fillStyle = '#e6e9ec'
  for (let value = 0; value < 256; value += 1) {
    const high = Math.min(1, counts[value] / most) * height
    context.fillRect((value * width) / 256, height - high, width / 256, high)
  }
  const clipped = counts.subarray(overexposed).reduce((sum, count) => sum + count, 0) / luma.length
  const dark = counts.subarray(0, 9).reduce((sum, count) => sum + count, 0) / luma.length
  setAttribute(canvas, 'aria-label', `Brightness histogram: ${Math.round(dark * 100)} % black, ${Math.round(clipped * 100)} % overexposed`)
}

function markSharp(words, luma, width, height, colour) {
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x
      const across = luma[at + 1] - luma[at - 1]
      const down = luma[at + width] - luma[at - width]
      if (Math.abs(across) + Math.abs(down) > sharp) words[at] = colour
    }
  }
}

function markBright(words, luma, width) {
  for (let at = 0; at < luma.length; at += 1) {
    if (luma[at] < overexposed) continue
    const x = at % width
    const y = (at - x) / width
    words[at] = (x + y) % 8 < 4 ? 0xff000000 : 0xffffffff
  }
}
