// Frames by index: the newest request wins, at most two are in flight, and neighbours are prefetched.
import { fetchFrom, Refusal } from './api.js'
import { decoded } from './picture.js'

const mostInFlight = 2
const mostKept = 48
const mostAhead = 6

export class Frames {
  /** `address(index)` returns a frame's address, and `show(frame, index)` draws it. */
  constructor(count, address, show) {
    this.count = count
    this.address = address
    this.show = show
    this.kept = new Map()
    this.inFlight = new Map()
    this.refused = new Set()
    this.wanted = null
    this.shown = null
    this.way = 1
    this.isClosed = false
  }

  want(index, way = 0) {
    if (this.isClosed) return
    this.isPlaying = way !== 0
    if (way !== 0) this.way = way
    else if (this.wanted !== null && index !== this.wanted) this.way = Math.sign(index - this.wanted)
    this.wanted = index
    this.refused.delete(index)
    const frame = this.kept.get(index)
    if (frame) this.draw(frame, index)
    this.fetchNext()
  }

  /** Whether the wanted frame is shown, and none is being fetched. */
  get isSettled() { return this.shown === this.wanted && this.inFlight.size === 0 }

  /** Draws the frame again, for example after the picture was turned. */
  redraw() {
    const frame = this.kept.get(this.shown)
    if (frame) this.show(frame, this.shown)
  }

  /** Loads the frames again, for example at another size; the one that is shown stays until then. */
  renew() {
    if (this.isClosed) return
    for (const frame of this.kept.values()) frame.close?.()
    this.kept.clear()
    this.fetchNext()
  }

  draw(frame, index) {
    this.kept.delete(index)
    this.kept.set(index, frame)
    this.shown = index
    this.show(frame, index)
  }

  next() {
    const missing = (index) => index >= 0 && index < this.count && !this.kept.has(index) && !this.inFlight.has(index) && !this.refused.has(index)
    if (this.wanted === null) return null
    if (missing(this.wanted)) return this.wanted
    // Prefetching leaves one request free for the user's next choice, except during playback.
    if (this.inFlight.has(this.wanted) || (this.inFlight.size > 0 && !this.isPlaying)) return null
    for (let ahead = 1; ahead <= mostAhead; ahead += 1) {
      const index = this.wanted + ahead * this.way
      if (missing(index)) return index
    }
    const behind = this.wanted - this.way
    return missing(behind) ? behind : null
  }

  fetchNext() {
    while (!this.isClosed && this.inFlight.size < mostInFlight) {
      const index = this.next()
      if (index === null) return
      const stop = new AbortController()
      this.inFlight.set(index, stop)
      this.fetch(index, stop.signal)
    }
  }

  async fetch(index, signal) {
    let wait = 0
    try {
      const response = await fetchFrom(this.address(index), { signal })
      const frame = await decoded(await response.blob())
      if (this.isClosed) frame.close?.()
      else this.keep(frame, index)
    } catch (error) {
      // A refused frame is requested again when the user returns to it.
      if (error instanceof Refusal) this.refused.add(index)
      else wait = 500
      if (!this.isClosed && index === this.wanted) this.failed?.(error)
    }
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    this.inFlight.delete(index)
    this.fetchNext()
    if (!this.isClosed && this.isSettled) this.settled?.()
  }

  keep(frame, index) {
    this.kept.set(index, frame)
    // While the user scrubs faster than frames arrive, a frame in between is better than none.
    const nearer = this.shown === null || Math.abs(index - this.wanted) < Math.abs(this.shown - this.wanted)
    if (index === this.wanted || nearer) this.draw(frame, index)
    for (const [old, picture] of this.kept) {
      if (this.kept.size <= mostKept) break
      if (old === this.shown) continue
      this.kept.delete(old)
      picture.close?.()
    }
  }

  close() {
    this.isClosed = true
    for (const stop of this.inFlight.values()) stop.abort()
    for (const frame of this.kept.values()) frame.close?.()
    this.kept.clear()
  }
}
