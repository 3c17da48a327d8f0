// The take in memory: view its frames, mark a part, change its speed, save it.
import { get, post, Refusal } from './api.js'
import { Curve } from './curve.js'
import { byId, isEdited, setAttribute, setOptions, setText } from './dom.js'
import { duration, frames as framesTold, fromTrigger } from './format.js'
import { Frames } from './frames.js'
import { kept, keep } from './marks.js'
import { attempt, tell } from './notices.js'
import { Timeline } from './timeline.js'

const speeds = [1, 2, 4, 8, 16, 32, 64]
const clamp = (value, low, high) => Math.min(high, Math.max(low, value))

export class Review {
  constructor(picture) {
    this.picture = picture
    this.id = null
    this.forget()
    this.timeline = new Timeline(this)
    setOptions(byId('play-speed'), [{
      items: [{ value: 'clip', text: 'clip speed' }, ...speeds.map((slower) => ({ value: String(1 / slower), text: `1/${slower}` }))],
    }])
    byId('play-speed').value = String(1 / 8)
    byId('play').addEventListener('click', () => this.toggle())
    byId('step-back').addEventListener('click', () => this.step(-1))
    byId('step-on').addEventListener('click', () => this.step(1))
    byId('go-trigger').addEventListener('click', () => this.move('playhead', this.trigger ?? 0))
    byId('speed').addEventListener('input', () => this.readSpeed())
    byId('speed').addEventListener('change', () => { if (this.readSpeed()) this.fitSpeed() })
    byId('part-label').addEventListener('input', () => this.keep())
    byId('add-point').addEventListener('click', () => this.addPoint())
    byId('remove-point').addEventListener('click', () => this.timeline.removeChosen())
    byId('ease-point').addEventListener('click', () => this.timeline.easeChosen())
  }

  forget() {
    this.count = 0
    this.times = []
    this.sequence = []
    this.first = 0
    this.last = 0
    this.playhead = 0
    this.trigger = null
    this.saved = []
    this.curve = new Curve()
    this.wrong = null
    this.isReady = false
  }

  get isOpen() { return this.id !== null }

  render(state) {
    const told = state.review
    if (!told) {
      if (this.isOpen) this.close()
      return
    }
    if (told.id !== this.id) this.open(told, state.settings)
    if (told.saved.length !== this.saved.length) {
      this.saved = told.saved
      this.tellWarning()
      this.draw()
    }
  }

  async open(told, { speed, label }) {
    this.close()
    this.id = told.id
    this.count = told.frames
    this.trigger = told.trigger
    this.saved = told.saved
    this.last = Math.max(0, told.frames - 1)
    // Without a known interval of the camera, use this take's mean.
    this.interval = told.interval_ns || (told.frames > 1 ? told.duration_ns / (told.frames - 1) : 0)
    this.times = Array.from({ length: told.frames }, (_, index) => (index - (told.trigger ?? 0)) * this.interval)
    this.sequence = []
    const marks = kept(told)
    byId('part-label').value = marks?.label ?? label ?? ''
    byId('speed').value = marks?.speed ?? speed ?? ''
    this.first = clamp(marks?.first ?? 0, 0, this.last)
    this.last = clamp(marks?.last ?? this.last, this.first, this.last)
    this.readSpeed()
    this.tellWarning()
    // The note that nothing is on the disk yet must be visible.
    byId('panels').scrollTop = 0
    this.frames = new Frames(
      told.frames, (index) => `/api/review/frames/${index}.jpg?width=${this.picture.wantedWidth}`,
      (frame, index) => {
        this.picture.draw(frame)
        this.picture.canvas.dataset.frame = index
        setAttribute(this.picture.canvas, 'aria-label', `Frame ${index}`)
      })
    this.frames.failed = (error) => tell(error.message, 'error')
    this.picture.clear()
    this.playhead = clamp(marks?.playhead ?? told.trigger ?? 0, 0, this.count - 1)
    this.frames.want(this.playhead)
    this.draw()
    const { id } = this
    for (;;) {
      try {
        const lists = await get('/api/review/frames')
        if (this.id !== id) return
        this.times = lists.time_ns
        this.sequence = lists.sequence
        break
      } catch (error) {
        if (this.id !== id || error instanceof Refusal) break
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
    this.isReady = true
    // The user may have typed while the times were being fetched.
    if (marks?.points && byId('speed').value === marks.speed) this.curve = new Curve(marks.points)
    else this.readSpeed()
    this.fitSpeed()
  }

  close() {
    this.pause()
    this.frames?.close()
    this.frames = null
    // An old picture must not look like the current one.
    if (this.isOpen) this.picture.clear()
    this.id = null
    delete this.picture.canvas.dataset.frame
    setAttribute(this.picture.canvas, 'aria-label', 'Live picture')
    this.forget()
  }

  tellWarning() {
    setText(
      byId('review-warning'),
      this.saved.length === 0
        ? 'In memory only: nothing is on the disk yet. A power cut or \u201cArm again\u201d discards the take.'
        : `Saved: ${this.saved.map(({ first, last }) => `frames ${first} to ${last}`).join('; ')}.`
          + (this.saved.some(({ first, last }) => first === 0 && last === this.count - 1) ? '' : ' The rest is in memory only.'))
  }

  /** The question to ask before the take in memory is discarded; `null` if a part of it is saved. */
  get unsaved() {
    return this.isOpen && this.saved.length === 0 ? 'No part of this take is saved. Discard it and arm again?' : null
  }

  // Times and frames. Times are seconds from the trigger's frame.

  frameTime(index) { return (this.times[index] ?? 0) / 1e9 }

  /** Returns the frame nearest to a time. */
  frameAt(time) {
    const wanted = time * 1e9
    let [low, high] = [0, this.count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.times[middle] < wanted) low = middle + 1
      else high = middle
    }
    return low > 0 && wanted - this.times[low - 1] < this.times[low] - wanted ? low - 1 : low
  }

  move(what, to) {
    if (this.count === 0) return
    const index = clamp(to, 0, this.count - 1)
    if (what === 'playhead') this.pause()
    this[what] = index
    if (what === 'first' && this.last < index) this.last = index
    if (what === 'last' && this.first > index) this.first = index
    if (what !== 'playhead') {
      this.playhead = index
      this.writeSpeed()
    }
    this.frames?.want(this.playhead)
    this.draw()
  }

  step(by) { this.move('playhead', this.playhead + by) }

  markIn() { this.move('first', this.playhead) }

  markOut() { this.move('last', this.playhead) }

  draw() {
    if (!this.isOpen) return
    this.timeline.draw()
    if (!this.isPlaying) this.keep()
    const number = this.sequence[this.playhead]
    setText(
      byId('review-position'),
      `Frame ${this.playhead} (0 to ${this.count - 1}), ${fromTrigger(this.times[this.playhead] ?? 0)}`)
    setText(byId('review-number'), number === undefined ? '' : `Frame ${this.playhead} is the camera\u2019s frame ${number}.`)
    const count = this.last - this.first + 1
    const captured = (this.times[this.last] ?? 0) - (this.times[this.first] ?? 0) + this.interval
    const length = this.clipLength()
    setText(
      byId('review-part'),
      `In ${this.first}, out ${this.last}: ${framesTold(count)}, ${duration(captured)}; the clip lasts ${duration(length * 1e9)}`)
  }

  /** Returns the playing time of the marked part, in seconds. */
  clipLength() {
    const interval = this.interval / 1e9
    let length = 0
    for (let index = this.first; index <= this.last; index += 1) {
      // The frame before a gap is shown until the gap's end.
      const lasts = index < this.last ? this.frameTime(index + 1) - this.frameTime(index) : interval
      length += lasts / (this.curve.isEmpty ? this.everyFrameOnce : this.curve.speedAt(this.frameTime(index)))
    }
    const from = this.frameTime(this.first)
    const to = this.frameTime(this.last)
    for (const point of this.curve.points) if (point.freeze !== undefined && point.time >= from && point.time <= to) length += point.freeze
    return length
  }

  // The speed. The text covers only the marked part, and counts from its first frame. The curve is whole, and
  // counts from the trigger's frame, so that a point stays with its frame when a mark moves.

  readSpeed() {
    this.wrong = null
    try {
      this.curve = Curve.parse(byId('speed').value).shifted(this.frameTime(this.first))
    } catch (error) {
      // The error is only shown: the studio decides what it saves.
      this.wrong = error.message
    }
    this.tellSpeed()
    this.draw()
    return this.wrong === null
  }

  /** The number of points outside the marked part. */
  get beyond() { return this.curve.beyond(this.frameTime(this.first), this.frameTime(this.last)) }

  /** Removes points outside the marked part from the text. */
  fitSpeed() {
    if (this.isReady && this.beyond > 0) this.showSpeed()
    this.tellSpeed()
    this.draw()
  }

  writeSpeed() {
    if (this.curve.points.length > 0 && this.wrong === null && !isEdited(byId('speed'))) this.showSpeed()
    this.tellSpeed()
  }

  showSpeed() { byId('speed').value = this.curve.text(this.frameTime(this.first), this.frameTime(this.last)) }

  tellSpeed() {
    const beyond = this.isReady ? this.beyond : 0
    setText(
      byId('speed-told'),
      this.wrong !== null ? this.wrong : beyond === 0 ? '' : `${beyond === 1 ? 'One point is' : `${beyond} points are`} outside the marked part and not in its clip.`)
  }

  bend(points) {
    this.wrong = null
    this.curve = points.length === 0 ? new Curve() : new Curve(points)
    this.showSpeed()
    this.tellSpeed()
    this.draw()
  }

  /** Keeps the marks and the curve, so that they survive a reload. */
  keep() {
    if (!this.isReady) return
    keep(this, {
      first: this.first, last: this.last, playhead: this.playhead, speed: byId('speed').value, points: this.curve.points.length > 0 ? this.curve.points : null,
      label: byId('part-label').value,
    })
  }

  addPoint() {
    const time = this.frameTime(this.playhead)
    const speed = this.curve.isEmpty ? 1 / 8 : this.curve.speedAt(time)
    this.timeline.add(time, speed)
  }

  // Playback. The preview shows as many frames per second as the screen can, each by its own index.

  get isPlaying() { return this.playing !== undefined && this.playing !== null }

  /** Without a speed, clips show each captured frame once, at 30 a second. */
  get everyFrameOnce() { return this.interval > 0 ? Math.min(1, (30 * this.interval) / 1e9) : 1 }

  toggle(way = 1) {
    if (this.isPlaying) this.pause()
    else this.play(way)
  }

  play(way = 1) {
    if (this.count < 2) return
    this.pause()
    let index = this.playhead
    if (way > 0 && (index < this.first || index >= this.last)) index = this.first
    if (way < 0 && (index <= this.first || index > this.last)) index = this.last
    setText(byId('play'), 'Pause')
    let time = this.frameTime(index)
    let before = null
    let held = 0
    const frame = (now) => {
      if (!this.isOpen) return
      const passed = before === null ? 0 : Math.min(0.1, (now - before) / 1000)
      before = now
      const chosen = byId('play-speed').value
      const byCurve = chosen === 'clip'
      const speed = byCurve ? this.curve.isEmpty ? this.everyFrameOnce : this.curve.speedAt(time) : Number(chosen)
      if (held > 0) held -= passed
      else {
        const next = time + way * passed * speed
        const stop = byCurve && way > 0 ? this.curve.points.find((point) => point.freeze !== undefined && point.time >= time && point.time < next) : undefined
        if (stop) held = stop.freeze
        time = next
      }
      const [from, to] = [this.frameTime(this.first), this.frameTime(this.last)]
      let ended = false
      if (way > 0 ? time > to : time < from) {
        if (byId('loop').checked) time = way > 0 ? from : to
        else {
          time = way > 0 ? to : from
          ended = true
        }
      }
      this.playhead = this.frameAt(time)
      this.frames.want(this.playhead, way)
      this.draw()
      if (ended) this.pause()
      else this.playing = requestAnimationFrame(frame)
    }
    this.playing = requestAnimationFrame(frame)
  }

  pause() {
    if (this.isPlaying) cancelAnimationFrame(this.playing)
    this.playing = null
    setText(byId('play'), 'Play')
    this.keep()
  }

  /** J, K, L: back, stop, forward; pressed again, twice as fast. */
  shuttle(way) {
    const select = byId('play-speed')
    if (this.isPlaying && this.way === way && select.value !== 'clip') {
      const faster = Number(select.value) * 2
      if (faster <= 1) select.value = String(faster)
      return
    }
    this.way = way
    this.play(way)
  }

  async save() {
    this.pause()
    const { first, last } = this
    const speed = byId('speed').value.trim() || null
    const label = byId('part-label').value.trim() || null
    await attempt(() => post('/api/review/save', { first, last, speed, label }))
  }
}

