// What the editor can edit: the take in memory, or a saved take. Both have the same properties.
import { get, post } from './api.js'
import { Curve } from './curve.js'
import { title } from './items.js'

/** Returns evenly spaced times, for as long as the real ones are not known. */
const even = (count, interval, start) => Array.from({ length: count }, (_, index) => start + index * interval)

/** The take that waits in memory. */
export class TakeInMemory {
  constructor(told, { speed, label }, mode) {
    this.told = told
    this.isSaved = false
    // A studio counts its reviews from 1.
    this.key = ['review', told.id, told.frames]
    this.mode = mode
    this.count = told.frames
    this.trigger = told.trigger
    // Without a known interval of the camera, use this take's mean.
    this.interval = told.interval_ns || (told.frames > 1 ? told.duration_ns / (told.frames - 1) : 0)
    this.times = even(this.count, this.interval, -(told.trigger ?? 0) * this.interval)
    this.speed = speed ?? ''
    this.label = label ?? ''
    // The settings tell how its clips are turned.
    this.turn = null
  }

  isThe(told) { return told?.id === this.told.id }

  address(index, width) { return `/api/review/frames/${index}.jpg?width=${width}` }

  lists() { return get('/api/review/frames') }

  save({ first, last, speed, label, options }) {
    return post('/api/review/save', { first, last, speed: speed || null, label: label || null, ...options })
  }
}

/** A take on the disk. */
export class SavedTake {
  /** `clip` is the clip whose speed is edited; without it, the editor keeps its own speed for the take. */
  constructor(take, clip = null) {
    this.take = take
    this.clip = clip
    this.isSaved = true
    this.path = `/api/takes/${encodeURIComponent(take.id)}`
    this.key = ['take', take.id, take.written]
    this.mode = take.mode
    this.count = take.written
    this.interval = SavedTake.interval(take)
    this.times = even(this.count, this.interval, -(take.trigger_ns ?? 0))
    this.trigger = null
    this.speed = clip?.speed ?? ''
    this.label = ''
    // The studio turns a saved take's frames as its clips.
    this.turn = { rotate: 0, mirror: false }
  }

  static interval({ mode, duration_ns: length, written }) {
    if (mode?.interval?.[0] > 0) return (1e9 * mode.interval[0]) / mode.interval[1]
    return written > 1 && length !== null ? length / (written - 1) : 0
  }

  get title() { return title(this.take) }

  address(index, width) { return `${this.path}/frames/${index}.jpg?width=${width}` }

  lists() { return get(`${this.path}/frames`) }

  /** The clip is made in the studio's queue. `from` is the time of the part's first frame in the take, in seconds. */
  save({ first, last, speed, from, options }) {
    return post(`${this.path}/clips`, { first, last, speed: speed === '' ? null : SavedTake.fromTakesStart(speed, from), ...options })
  }

  /**
   * Returns the marks and the curve with which the edited clip was made, among frames of these times; `null` if there is no
   * clip, or its description is not known.
   */
  made(times) {
    const { spec } = this.clip ?? {}
    if (!spec?.part) return null
    const { start_ns: start, end_ns: end } = spec.part
    const zero = times[0]
    // The studio's part ends between two frames.
    const first = times.findIndex((time) => time - zero >= start - this.interval / 4)
    const last = end === null ? times.length - 1 : times.findLastIndex((time) => time - zero < end - this.interval / 4)
    if (first < 0 || last < first) return null
    const speed = spec.render?.speed ?? spec.copy?.speed ?? ''
    try {
      return { first, last, curve: Curve.parse(speed).shifted(zero / 1e9) }
    } catch {
      // A curve that the page cannot read stays as its text.
      return { first, last, curve: null }
    }
  }

  /** Returns a part's curve with times from the take's first frame, as the studio wants it for a saved take. */
  static fromTakesStart(speed, from) {
    try {
      return Curve.parse(speed).shifted(from).whole()
    } catch {
      // The studio tells what is wrong with it.
      return speed
    }
  }
}
