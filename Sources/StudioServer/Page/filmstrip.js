// Small pictures of the frames, for the timeline. They are loaded one at a time, and only while the picture itself
// waits for nothing.
import { fetchFrom } from './api.js'
import { decoded, drawTurned } from './picture.js'

const mostKept = 200
const width = 160

export class Filmstrip {
  /** `address(index, width)` returns a frame's address, and `loaded` is called after each picture. */
  constructor(address, loaded) {
    this.address = address
    this.loaded = loaded
    this.kept = new Map()
    this.refused = new Set()
    this.wanted = []
    this.stop = new AbortController()
  }

  /** Returns the turned picture of a frame, or `null` while there is none. */
  picture(index, turn) {
    const entry = this.kept.get(index)
    if (!entry) return null
    if (entry.turn !== turn) {
      entry.turn = turn
      drawTurned(entry.canvas, entry.frame, turn)
    }
    return entry.canvas
  }

  /** Chooses the frames to load, in this order. */
  want(indices) { this.wanted = indices }

  async next() {
    if (this.isLoading || this.stop.signal.aborted) return
    const index = this.wanted.find((one) => !this.kept.has(one) && !this.refused.has(one))
    if (index === undefined) return
    this.isLoading = true
    try {
      const response = await fetchFrom(this.address(index, width), { signal: this.stop.signal })
      const frame = await decoded(await response.blob())
      this.kept.set(index, { frame, canvas: document.createElement('canvas'), turn: null })
      for (const [old, { frame: picture }] of this.kept) {
        if (this.kept.size <= mostKept) break
        this.kept.delete(old)
        picture.close?.()
      }
    } catch {
      // The timeline stays empty there; the picture itself tells errors.
      this.refused.add(index)
    }
    this.isLoading = false
    if (!this.stop.signal.aborted) this.loaded()
  }

  close() {
    this.stop.abort()
    for (const { frame } of this.kept.values()) frame.close?.()
    this.kept.clear()
  }
}
