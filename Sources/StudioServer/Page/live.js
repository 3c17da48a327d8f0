// The live picture: it is polled, the newest wins, and one request is in flight.
import { fetchFrom, ticketed } from './api.js'
import { canDraw, decoded } from './picture.js'

// Slightly less than a thirtieth of a second, in milliseconds: rounded up by a browser, it still gives 30 per
// second.
const shortestPause = 31

export class Live {
  constructor(picture, stream) {
    this.picture = picture
    this.stream = stream
    this.isOn = false
    this.fullSize = false
    this.modeWidth = 1920
    this.times = []
    /** The letter of the camera; `null` for a lone one. */
    this.camera = null
    document.addEventListener('visibilitychange', () => { if (this.isOn && !document.hidden) this.pull() })
  }

  /** The number of pictures shown in the last second. */
  get rate() {
    const now = performance.now()
    this.times = this.times.filter((time) => now - time < 1000)
    return this.times.length
  }

  /** Shows this camera from now on. */
  watch(camera) {
    if (camera === this.camera) return
    this.camera = camera
    this.cancel?.abort()
    this.picture.clear()
    if (this.isOn && !canDraw) this.showStream()
  }

  /** The query for the camera, to be followed by others. */
  get query() { return this.camera === null ? '' : `camera=${encodeURIComponent(this.camera)}&` }

  start() {
    if (this.isOn) return
    this.isOn = true
    if (canDraw) this.pull()
    else this.showStream()
  }

  stop() {
    this.isOn = false
    this.cancel?.abort()
    if (!canDraw) {
      this.stream.hidden = true
      this.stream.removeAttribute('src')
    }
  }

  get width() { return Math.min(this.modeWidth, this.fullSize ? 1920 : this.picture.wantedWidth) }

  /** Shows an MJPEG stream in an element, for browsers whose canvas cannot show pictures. */
  async showStream() {
    const address = await ticketed('/api/preview.mjpeg', `${this.query}width=${this.width}&`).catch(() => null)
    if (!address || !this.isOn) return
    this.stream.src = address
    this.stream.hidden = false
  }

  turnStream({ rotate, mirror }) {
    // Turned by a quarter, the element is scaled down to fit its box.
    const { clientWidth: wide, clientHeight: high } = this.stream
    const scale = rotate % 180 === 0 || !wide ? 1 : Math.min(wide, high) / Math.max(wide, high)
    this.stream.style.transform = `scale(${mirror ? -scale : scale}, ${scale}) rotate(${rotate}deg)`
  }

  async pull() {
    if (this.isPulling) return
    this.isPulling = true
    let after = null
    let drawing = Promise.resolve()
    let asked = -Infinity
    while (this.isOn && !document.hidden) {
      this.cancel = new AbortController()
      const { camera } = this
      try {
        // A screen needs no more, and the limit spares the computer that captures.
        const early = asked + shortestPause - performance.now()
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
        asked = performance.now()
        const newer = after === null ? '' : `after=${after}&`
        const width = Math.max(16, this.width)
        const response = await fetchFrom(`/api/preview.jpg?${this.query}${newer}width=${width}`, { signal: this.cancel.signal })
        if (response.status === 204) {
          // Limits the requests if empty responses come at once.
          await new Promise((resolve) => setTimeout(resolve, 50))
          continue
        }
        const sequence = Number(response.headers.get('Overcrank-Sequence'))
        const newest = Number(response.headers.get('Overcrank-Newest'))
        const picture = await response.blob()
        await drawing
        if (camera !== this.camera) {
          after = null
          continue
        }
        after = sequence
        drawing = this.show(picture, sequence, newest, camera)
      } catch {
        after = null
        if (this.isOn && camera === this.camera) await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
    this.isPulling = false
  }

  async show(picture, sequence, newest, camera) {
    try {
      const frame = await decoded(picture)
      if (this.isOn && camera === this.camera) {
        this.picture.draw(frame)
        this.picture.canvas.dataset.sequence = sequence
        this.picture.canvas.dataset.newest = newest
        this.times.push(performance.now())
      }
      frame.close?.()
    } catch { /* a picture that cannot be decoded is skipped: another follows */ }
  }
}
