// Two clips of a take side by side. They play in step, each at its own speed, and move by single frames together.
import { ticketed } from './api.js'
import { clipTold, isAnimation } from './clips.js'
import { byId, setAttribute, setOptions, setText } from './dom.js'
import { where } from './items.js'
import { clipFrames } from './mp4.js'
import { attempt } from './notices.js'

/** The clips of a take that are videos: an animation cannot be stopped at a frame. */
export const comparable = (take) => take.clips.filter((clip) => clip.is_there && !isAnimation(clip))

/** A sentence about the clips of a take that cannot be compared, and why; empty if there are none. */
export function leftOut(take) {
  const files = take.clips.filter((clip) => clip.is_there && isAnimation(clip)).map(({ file }) => file)
  return files.length === 0 ? '' : `Not compared: ${files.join(', ')}. Browsers cannot stop a GIF, WebP or APNG at a frame.`
}

/** A difference that the eye does not see, in seconds. */
const inStep = 0.05

/** One of the two clips. */
class Side {
  constructor(name, chosen) {
    this.video = byId(`compare-${name}`)
    this.select = byId(`compare-${name}-clip`)
    this.told = byId(`compare-${name}-told`)
    this.frames = null
    this.select.addEventListener('change', () => chosen(this))
  }

  get last() { return this.frames ? this.frames.count - 1 : 0 }

  /** The frame at a time. */
  at(time) { return this.frames ? Math.min(this.last, Math.max(0, Math.floor(time * this.frames.rate + 1e-6))) : 0 }

  async load(path) {
    this.video.pause()
    this.frames = null
    const [address, frames] = await Promise.all([ticketed(path), clipFrames(path)])
    this.video.src = address
    this.frames = frames
  }

  /** Shows a frame. Its middle is sought, so that no rounding reaches a neighbour. */
  show(frame) {
    if (!this.frames) return
    const index = Math.min(this.last, Math.max(0, frame))
    this.video.currentTime = (index + 0.5) / this.frames.rate
    this.tell(index)
  }

  tell(index) { setText(this.told, `Frame ${index} (0 to ${this.last})`) }

  close() {
    this.video.pause()
    this.video.removeAttribute('src')
    this.video.load()
  }
}

export class Compare {
  constructor() {
    this.dialog = byId('compare')
    const chosen = (side) => this.choose(side)
    this.sides = [new Side('left', chosen), new Side('right', chosen)]
    /** The frame that each side shows. */
    this.frames = [0, 0]
    byId('compare-play').addEventListener('click', () => this.toggle())
    byId('compare-back').addEventListener('click', () => this.step(-1))
    byId('compare-on').addEventListener('click', () => this.step(1))
    byId('compare-time').addEventListener('input', (event) => this.seek(Number(event.target.value)))
    this.dialog.addEventListener('keydown', (event) => this.pressed(event))
    this.dialog.addEventListener('close', () => {
      this.stop()
      for (const side of this.sides) side.close()
    })
  }

  /** Opens the newest two clips of a take. */
  async open(take) {
    this.take = take
    const clips = comparable(take)
    const items = clips.map((clip) => ({ value: String(clip.index), text: clipTold(clip), title: clipTold(clip) }))
    setText(byId('compare-left-out'), leftOut(take))
    this.sides.forEach((side, place) => {
      setOptions(side.select, [{ items }])
      side.select.value = String(clips.at(place - 2).index)
    })
    this.dialog.showModal()
    byId('compare-play').focus()
    await Promise.all(this.sides.map((side) => this.load(side)))
    this.seek(0)
  }

  load(side) { return attempt(() => side.load(`${where(this.take.id)}/clips/${side.select.value}.mp4`)) }

  async choose(side) {
    this.stop()
    await this.load(side)
    this.seek(0)
  }

  /** The rate of the finer clip, by which time is divided here. */
  get rate() { return Math.max(1, ...this.sides.map(({ frames }) => frames?.rate ?? 0)) }

  /** The time of the longer clip's last frame, in frames of the common rate. */
  get end() { return this.places(this.sides.map(({ last }) => last)) }

  /** The time of the clip that is further, in frames of the common rate. */
  get place() { return this.places(this.frames) }

  places(frames) {
    return Math.max(0, ...this.sides.map((side, which) => (side.frames ? Math.round((frames[which] * this.rate) / side.frames.rate) : 0)))
  }

  /** Shows the frames of a time, which is counted in frames of the common rate. */
  seek(place) { this.show(this.sides.map((side) => side.at(place / this.rate))) }

  /** Moves both clips by frames of their own, so that they stay together if each has the same captured frames. */
  step(by) {
    this.hold()
    const moved = this.sides.map((side, which) => Math.min(side.last, Math.max(0, this.from[which] + this.steps + by)))
    // Beyond both ends, steps are not counted; a clip that waits at its end moves again once the other is back there.
    if (moved.every((frame, which) => frame === this.frames[which])) return
    const steps = this.steps + by
    const { from } = this
    this.show(moved)
    Object.assign(this, { from, steps })
  }

  /** Pauses at the frames that are shown. */
  hold() { if (this.isPlaying) this.show(this.sides.map((side) => side.at(side.video.currentTime))) }

  show(frames) {
    this.stop()
    this.frames = frames
    this.from = frames
    this.steps = 0
    this.sides.forEach((side, which) => side.show(frames[which]))
    this.tell()
  }

  tell(place = this.place) {
    const slider = byId('compare-time')
    setAttribute(slider, 'max', this.end)
    slider.value = String(place)
    const told = `${(place / this.rate).toFixed(2)} s`
    setAttribute(slider, 'aria-valuetext', told)
    setText(byId('compare-time-told'), told)
  }

  get isPlaying() { return this.playing !== undefined }

  toggle() {
    if (this.isPlaying) this.hold()
    else this.play()
  }

  play() {
    if (this.sides.every(({ frames, last }, which) => !frames || this.frames[which] >= last)) this.seek(0)
    this.name('Pause')
    const [first, second] = this.sides.map(({ video }) => video)
    // Single steps may have moved clips of different rates apart, on purpose.
    const apart = second.currentTime - first.currentTime
    for (const { video, frames } of this.sides) {
      if (frames) video.play().catch(() => { /* it ended at once, or another clip was chosen */ })
    }
    const follow = () => {
      const wanted = first.currentTime + apart
      if (!first.ended && !second.ended && !second.seeking && Math.abs(second.currentTime - wanted) > inStep) second.currentTime = wanted
      const frames = this.sides.map((side) => side.at(side.video.currentTime))
      this.sides.forEach((side, which) => side.tell(frames[which]))
      this.tell(this.places(frames))
      if (this.sides.every(({ video, frames: known }) => !known || video.ended)) this.show(this.sides.map(({ last }) => last))
      else this.playing = requestAnimationFrame(follow)
    }
    this.playing = requestAnimationFrame(follow)
  }

  stop() {
    if (this.isPlaying) cancelAnimationFrame(this.playing)
    this.playing = undefined
    for (const { video } of this.sides) video.pause()
    this.name('Play')
  }

  name(told) {
    setText(byId('compare-play'), told)
    setAttribute(byId('compare-play'), 'aria-label', `${told} both`)
  }

  /** The keys of the review; a focused control keeps its own. */
  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by && !event.target.matches('select, input')) this.step(event.shiftKey ? 10 * by : by)
    else if (event.key === ' ' && !event.target.matches('select, button')) this.toggle()
    else return
    event.preventDefault()
  }
}
