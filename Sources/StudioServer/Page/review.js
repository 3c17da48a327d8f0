// The editor of a take, in memory or saved: view its frames, mark a part, change its speed, save it.
import { get, Refusal } from './api.js'
import { clipLength } from './cliplength.js'
import { ClipLook } from './cliplook.js'
import { ClipOptions } from './clipoptions.js'
import { choices, Curve, formatSpeed, speedItems } from './curve.js'
import { byId, isEdited, setAttribute, setOptions, setText } from './dom.js'
import { TakeInMemory } from './edited.js'
import { duration, frames as framesTold, fromTrigger, percent } from './format.js'
import { Filmstrip } from './filmstrip.js'
import { Frames } from './frames.js'
import { triggerFrame } from './grouptime.js'
import { hasTrigger } from './items.js'
import { lostIn, losses, told as lossTold } from './losses.js'
import { keep, kept, setEdited } from './marks.js'
import { attempt, forget, tell } from './notices.js'
import { Timeline } from './timeline.js'
import { accept, refuseAt } from './told.js'

const speeds = [1, 2, 4, 8, 16, 32, 64]
const repeatStore = 'overcrank-repeat'
const clamp = (value, low, high) => Math.min(high, Math.max(low, value))

export class Review {
  constructor(picture) {
    this.picture = picture
    /** What is edited; `null` while nothing is. */
    this.source = null
    /** The saved take that the user wants to edit; it comes before a take in memory. */
    this.chosen = null
    this.forget()
    this.timeline = new Timeline(this)
    this.options = new ClipOptions(() => {
      this.keep()
      this.draw()
      this.look.draw()
    })
    this.look = new ClipLook(this.options, picture, byId('view'))
    setOptions(byId('play-speed'), [{
      items: [{ value: 'clip', text: 'clip speed' }, ...speeds.map((slower) => ({ value: String(1 / slower), text: `1/${slower}` }))],
    }])
    byId('play').addEventListener('click', () => this.toggle())
    const repeat = byId('repeat')
    repeat.value = localStorage.getItem(repeatStore) ?? 'off'
    if (repeat.value === '') repeat.value = 'off'
    repeat.addEventListener('change', () => localStorage.setItem(repeatStore, repeat.value))
    byId('step-back').addEventListener('click', () => this.step(-1))
    byId('step-on').addEventListener('click', () => this.step(1))
    byId('go-trigger').addEventListener('click', () => this.move('playhead', this.trigger ?? 0))
    byId('speed').addEventListener('focus', () => { this.curveBefore = this.curve })
    byId('speed').addEventListener('input', () => {
      this.isTouched = true
      this.readSpeed()
    })
    byId('speed').addEventListener('change', () => this.takeSpeed())
    byId('speed-choice').addEventListener('change', (event) => this.chooseSpeed(event.target.value))
    for (const [id, what, by] of [['in-back', 'first', -1], ['in-on', 'first', 1], ['out-back', 'last', -1], ['out-on', 'last', 1]]) {
      byId(id).addEventListener('click', () => this.move(what, this[what] + by))
    }
    byId('part-label').addEventListener('input', () => {
      this.isTouched = true
      this.keep()
    })
    // Closing the page loses the marks and the curve: only a reload keeps them.
    addEventListener('beforeunload', (event) => { if (this.isUnsaved) event.preventDefault() })
    byId('add-point').addEventListener('click', () => this.addPoint())
    byId('point-back').addEventListener('click', () => this.timeline.stepChosen(-1))
    byId('point-on').addEventListener('click', () => this.timeline.stepChosen(1))
    byId('remove-point').addEventListener('click', () => this.timeline.removeChosen())
    byId('ease-point').addEventListener('click', () => this.timeline.easeChosen())
  }

  forget() {
    this.count = 0
    this.times = []
    this.sequence = []
    this.losses = []
    this.filmstrip = null
    this.timeline?.forget()
    this.drawnCurve = null
    this.first = 0
    this.last = 0
    this.playhead = 0
    this.trigger = null
    this.saved = []
    this.curve = new Curve()
    this.curveBefore = this.curve
    this.wrong = null
    /** Whether the user has edited since the last save. */
    this.isTouched = false
    this.isReady = false
  }

  get isOpen() { return this.source !== null }

  get isSaved() { return this.chosen !== null }

  /** Chooses a saved take to edit; it opens when the state is rendered next. */
  choose(source) {
    this.chosen = source
    setEdited(source.take.id)
  }

  /** Ends the editing of a saved take, and returns that. */
  done() {
    const source = this.chosen
    this.chosen = null
    setEdited(null)
    return source
  }

  render(state) {
    const told = state.review
    let source = this.chosen
    if (!source && told) source = this.source?.isThe?.(told) ? this.source : new TakeInMemory(told, state.settings, state.camera?.mode ?? null)
    if (source !== this.source) {
      if (this.isOpen) this.close()
      if (source) this.open(source)
    }
    if (!source) return
    // Those of a take in memory are of takes that its parts became.
    this.renderProgress(source.isSaved ? state.clips.filter((clip) => clip.take === source.take.id) : state.clips)
    if (source.isSaved) this.renderSaved(state)
    else if (told.saved.length !== this.saved.length) {
      this.saved = told.saved
      this.tellWarning()
      this.draw()
    }
  }

  /** Tells what happens in the studio meanwhile, without disturbing the edit. */
  renderSaved(state) {
    setText(byId('review-waiting'), state.review
      ? 'Another take waits in memory. Nothing of this edit is lost: press Done, then Review, to see that take.' : '')
    if (this.library !== state.library) {
      this.library = state.library
      this.checkIsThere()
    }
  }

  /** Tells how far the first of these clips is. */
  renderProgress(made) {
    byId('part-progress').hidden = made.length === 0
    if (made.length > 0) byId('part-progress').value = made[0].fraction
    setText(byId('part-progress-told'), made.length === 0 ? '' : `The clip is being made: ${percent(made[0].fraction)}`)
  }

  /** A saved take may be removed from another page. */
  async checkIsThere() {
    const { source } = this
    try {
      await get(source.path)
    } catch (error) {
      if (this.source !== source || !(error instanceof Refusal) || error.status !== 404) return
      tell('The take that was edited here was removed.', 'error')
      this.onGone?.()
    }
  }

  async open(source) {
    this.source = source
    this.library = null
    this.count = source.count
    this.trigger = source.trigger
    this.saved = []
    this.last = Math.max(0, source.count - 1)
    this.interval = source.interval
    this.times = source.times
    this.sequence = []
    // A clip that is opened begins with its own part and speed.
    const marks = source.clip ? null : kept(source)
    setText(byId('clip-title'), source.isSaved ? `Edit \u201c${source.title}\u201d` : 'Clip')
    byId('part-label-field').hidden = source.isSaved
    setText(byId('review-waiting'), '')
    setText(byId('part-progress-told'), '')
    byId('part-progress').hidden = true
    byId('part-label').value = marks?.label ?? source.label
    this.options.show(marks?.options ?? ClipOptions.of(source.clip))
    this.look.show(source)
    setText(byId('clip-options-told'), ClipOptions.left(source.clip))
    byId('speed').value = marks?.speed ?? source.speed
    this.first = clamp(marks?.first ?? 0, 0, this.last)
    this.last = clamp(marks?.last ?? this.last, this.first, this.last)
    this.readSpeed()
    this.tellWarning()
    if (this.fullMemory) tell(this.fullMemory.trim(), 'memory_full')
    // The note that nothing is on the disk yet must be visible.
    byId('panels').scrollTop = 0
    this.frames = new Frames(
      source.count, (index) => source.address(index, this.picture.wantedWidth),
      (frame, index) => {
        this.picture.draw(frame)
        this.picture.canvas.dataset.frame = index
        setAttribute(this.picture.canvas, 'aria-label', `Frame ${index}`)
      })
    this.loadedWidth = this.picture.wantedWidth
    this.frames.settled = () => {
      forget('frame_failed')
      this.loadStrip()
    }
    this.filmstrip = new Filmstrip((index, width) => source.address(index, width), () => {
      if (!this.isPlaying) this.timeline.draw()
    })
    this.frames.failed = (error) => tell(error.message, 'frame_failed')
    this.picture.clear()
    this.playhead = clamp(marks?.playhead ?? source.trigger ?? 0, 0, Math.max(0, this.count - 1))
    this.frames.want(this.playhead)
    this.draw()
    for (;;) {
      try {
        const lists = await source.lists()
        if (this.source !== source) return
        this.times = lists.time_ns
        this.sequence = lists.sequence
        this.losses = losses(lists.sequence)
        break
      } catch (error) {
        if (this.source !== source || error instanceof Refusal) break
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
    if (this.source !== source) return
    // A saved take's times tell its trigger's frame.
    if (source.isSaved && hasTrigger(source.take)) this.trigger = triggerFrame(this.times, 0)
    this.isReady = true
    // The user may have typed while the times were being fetched.
    const made = marks ? null : source.made?.(this.times)
    if (made) this.begin(made)
    else if (marks?.points && byId('speed').value === marks.speed) this.curve = new Curve(marks.points)
    else this.readSpeed()
    this.fitSpeed()
  }

  /** Begins with the part and the curve of the edited clip. */
  begin({ first, last, curve }) {
    Object.assign(this, { first, last, playhead: first })
    if (curve) {
      this.curve = curve
      this.curveBefore = curve
      this.showSpeed()
    } else this.readSpeed()
    this.frames.want(first)
  }

  /** Loads the frames again if the picture is now larger than they are. */
  sharpen() {
    if (!this.frames || this.picture.wantedWidth <= this.loadedWidth) return
    this.loadedWidth = this.picture.wantedWidth
    this.frames.renew()
  }

  close() {
    this.pause()
    this.frames?.close()
    this.frames = null
    this.filmstrip?.close()
    // An old picture must not look like the current one.
    if (this.isOpen) this.picture.clear()
    forget('memory_full')
    this.look.show(null)
    this.source = null
    delete this.picture.canvas.dataset.frame
    setAttribute(this.picture.canvas, 'aria-label', 'Live picture')
    this.forget()
  }

  tellWarning() {
    setText(
      byId('review-warning'),
      this.fullMemory + (this.isSaved
        ? 'This take is on the disk. \u201cSave clip\u201d makes one more clip, of the marked part.'
        : this.saved.length === 0
        ? 'In memory only: nothing is on the disk yet. A power cut or \u201cArm again\u201d discards the take.'
        : `Saved: ${this.saved.map(({ first, last }) => `frames ${first} to ${last}`).join('; ')}.`
          + (this.saved.some(({ first, last }) => first === 0 && last === this.count - 1) ? '' : ' The rest is in memory only.')))
  }

  /** A sentence about a recording that ended because memory was full; empty for any other. */
  get fullMemory() {
    const { told } = this.source
    return told?.is_memory_full ? `Memory was full, so the recording ended after ${duration(told.duration_ns)}; its ${framesTold(told.frames)} are kept. ` : ''
  }

  /** The question to ask before the take in memory is discarded; `null` if a part of it is saved. */
  get unsaved() {
    return this.isOpen && !this.isSaved && this.saved.length === 0 ? 'No part of this take is saved. Discard it and arm again?' : null
  }

  /** Whether closing the page would lose work on the take in memory. */
  get isUnsaved() { return this.unsaved !== null || (this.isOpen && !this.isSaved && this.isTouched) }

  // Times and frames. Times are seconds from the trigger's frame, or from frame 0 without a trigger.

  get origin() { return this.trigger === null ? 'the start' : 'the trigger' }

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
    // A mark that is moved stops at the other one.
    const [low, high] = [what === 'last' ? this.first : 0, what === 'first' ? this.last : this.count - 1]
    const index = clamp(to, low, high)
    if (what === 'playhead') this.pause()
    this[what] = index
    if (what !== 'playhead') {
      this.isTouched = true
      this.playhead = index
      this.writeSpeed()
    }
    this.frames?.want(this.playhead)
    this.draw()
  }

  /** Loads one more picture of the filmstrip, after the frame that is looked at. */
  loadStrip() {
    if (!this.isPlaying && this.frames?.isSettled && this.isReady) this.filmstrip?.next()
  }

  step(by) { this.move('playhead', this.playhead + by) }

  markIn() {
    if (this.playhead > this.last) this.swap('In', 'first', 'last')
    else this.move('first', this.playhead)
  }

  markOut() {
    if (this.playhead < this.first) this.swap('Out', 'last', 'first')
    else this.move('last', this.playhead)
  }

  /** Marks the part between the other mark and the playhead, which lies beyond it. */
  swap(name, what, other) {
    const to = this.playhead
    this[what] = this[other]
    this.move(other, to)
    tell(`${name} was marked ${name === 'In' ? 'after Out' : 'before In'}, so the marks are swapped: frames ${this.first} to ${this.last}.`, 'swapped')
  }

  draw() {
    if (!this.isOpen) return
    byId('go-trigger').hidden = this.trigger === null
    this.timeline.draw()
    if (!this.isPlaying) this.keep()
    const number = this.sequence[this.playhead]
    setText(
      byId('review-position'),
      `Frame ${this.playhead} (0 to ${this.count - 1}), ${fromTrigger(this.times[this.playhead] ?? 0)}`)
    setText(byId('review-number'), number === undefined ? '' : `Frame ${this.playhead} is the camera\u2019s frame ${number}.`)
    setText(byId('review-lost'), lossTold(this.losses, this.playhead))
    const count = this.last - this.first + 1
    const lost = lostIn(this.losses, this.first, this.last)
    const captured = (this.times[this.last] ?? 0) - (this.times[this.first] ?? 0) + this.interval
    const length = this.clipLength()
    setText(
      byId('review-part'),
      `In ${this.first}, out ${this.last}: ${framesTold(count)}${lost > 0 ? `, ${lost} lost` : ''}, ${duration(captured)}; the clip lasts ${duration(length * 1e9)}`)
  }

  /** Returns the playing time of the marked part, in seconds. */
  clipLength() {
    const { curve, interval, everyFrameOnce: once, options: { chosen: options } } = this
    const times = Array.from({ length: this.last - this.first + 1 }, (_, place) => this.frameTime(this.first + place))
    return clipLength({ times, end: times.at(-1) + interval / 1e9, curve, once, interval, options })
  }

  // The speed. The text covers only the marked part, and counts from its first frame. The curve is whole, and
  // counts from the trigger's frame, so that a point stays with its frame when a mark moves.

  readSpeed() {
    this.wrong = null
    accept(byId('speed'))
    try {
      this.curve = Curve.parse(byId('speed').value).shifted(this.frameTime(this.first))
    } catch (error) {
      // The error is only shown: the studio decides what it saves. The curve stays as it was before the user typed.
      this.wrong = error.message
      this.curve = this.curveBefore
    }
    this.tellSpeed()
    this.draw()
    return this.wrong === null
  }

  /** Takes the text over when the user leaves its field; a text that is no speed leaves the curve as it was. */
  takeSpeed() {
    if (this.readSpeed()) {
      this.curveBefore = this.curve
      this.fitSpeed()
    } else {
      refuseAt(byId('speed'), `${this.wrong} The curve stays as it was.`)
      this.tellSpeed()
    }
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

  /** A choice takes the place of the text; a curve that it replaces comes back with the choice of a curve. */
  chooseSpeed(choice) {
    if (choice === 'text') byId('speed').focus()
    else if (choice === 'middle') this.slowMiddle()
    else if (choice !== 'curve') {
      if (this.curve.points.length > 0) this.drawnCurve = this.curve
      this.isTouched = true
      byId('speed').value = choice
      this.readSpeed()
    } else if (this.curve.points.length === 0) {
      if (this.drawnCurve) this.bend(this.drawnCurve.points)
      else this.addPoint()
    }
    this.tellSpeed()
    this.keep()
  }

  /** Whether the marked part has the trigger, around which it is slow then. */
  get hasTrigger() {
    return Curve.isAround(this.trigger === null ? null : this.frameTime(this.trigger), this.frameTime(this.first), this.frameTime(this.last))
  }

  /** Draws the usual curve: slow around the trigger, or in the middle of a part that has none. */
  slowMiddle() {
    const [from, to] = [this.frameTime(this.first), this.frameTime(this.last)]
    this.bend(Curve.slowAround(this.hasTrigger ? this.frameTime(this.trigger) : (from + to) / 2, from, to))
  }

  showChoice() {
    setOptions(byId('speed-choice'), [{ items: speedItems(this.hasTrigger, { value: 'curve', text: 'curve' }) }])
    const own = this.curve.constant === null ? '' : formatSpeed(this.curve.constant)
    byId('speed-choice').value = this.wrong !== null ? 'text' : this.curve.points.length > 0 ? 'curve' : own === '' || choices.includes(own) ? own : 'text'
  }

  tellSpeed() {
    this.showChoice()
    const beyond = this.isReady ? this.beyond : 0
    setText(
      byId('speed-told'),
      this.wrong !== null ? (byId('speed').getAttribute('aria-invalid') === 'true' ? '' : this.wrong) : beyond === 0 ? '' : `${beyond === 1 ? 'One point is' : `${beyond} points are`} outside the marked part and not in its clip.`)
  }

  bend(points) {
    this.isTouched = true
    this.wrong = null
    accept(byId('speed'))
    this.curve = points.length === 0 ? new Curve() : new Curve(points)
    this.curveBefore = this.curve
    this.showSpeed()
    this.tellSpeed()
    this.draw()
  }

  /** Keeps the marks and the curve, so that they survive a reload. */
  keep() {
    if (!this.isReady) return
    keep(this.source, {
      first: this.first, last: this.last, playhead: this.playhead,
      speed: this.wrong === null ? byId('speed').value : this.curve.text(this.frameTime(this.first), this.frameTime(this.last)), points: this.curve.points.length > 0 ? this.curve.points : null,
      label: byId('part-label').value, options: this.options.chosen,
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

  play(first = 1) {
    if (this.count < 2) return
    this.pause()
    let way = first
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
      this.playSpeed = speed
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
        const repeat = byId('repeat').value
        if (repeat === 'loop') time = way > 0 ? from : to
        else {
          time = way > 0 ? to : from
          if (repeat === 'bounce') way = -way
          else ended = true
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
    if (this.isPlaying && this.way === way) {
      const faster = speeds.findLast((slower) => 1 / slower > 1.01 * this.playSpeed)
      if (faster) select.value = String(1 / faster)
      return
    }
    this.way = way
    this.play(way)
  }

  async save() {
    this.pause()
    const { source, first, last } = this
    const from = this.frameTime(first) - this.frameTime(0)
    const speed = byId('speed').value.trim()
    const label = byId('part-label').value.trim()
    const options = this.options.chosen
    const field = (error) => (this.wrong === null ? this.options.fieldOf(error) : byId('speed'))
    if (await attempt(() => source.save({ first, last, speed, label, from, options }), field) === undefined) {
      ClipOptions.show(document.querySelector('#panel-clip [aria-invalid=true]'))
      return
    }
    accept(byId('speed'))
    if (this.source === source) this.isTouched = false
    tell('The clip is being made. It appears in the library.', 'making')
  }
}
