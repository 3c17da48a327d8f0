// A group of takes: the pictures of all cameras at one moment, marks, and clips of the marked part.
import { get, patch, post, remove, ticketed } from './api.js'
import { clipLength } from './cliplength.js'
import { ClipOptions } from './clipoptions.js'
import { clipItem, isAnimation } from './clips.js'
import { choices, Curve, formatSpeed, speedItems } from './curve.js'
import { byId, make, setAttribute, setOptions, setText } from './dom.js'
import { download } from './download.js'
import { SavedTake } from './edited.js'
import { duration, fromTrigger } from './format.js'
import { Cell, ClipPicture, seconds } from './grouppicture.js'
import { lastAt, moments, triggerFrame } from './grouptime.js'
import { aligned, date, hasTrigger, where, whereGroup } from './items.js'
import { attempt, sure, tell } from './notices.js'
import { accept } from './told.js'

const clamp = (value, low, high) => Math.min(high, Math.max(low, value))

export class GroupView {
  constructor(groups) {
    this.groups = groups
    this.section = byId('group')
    /** The group that is shown; `null` if none is. */
    this.open = null
    this.forget()
    const listen = (id, act) => byId(id).addEventListener('click', act)
    listen('group-close', () => this.close())
    listen('group-back', () => this.step(-1))
    listen('group-on', () => this.step(1))
    listen('group-play', () => this.toggle())
    listen('group-in', () => this.mark('first'))
    listen('group-out', () => this.mark('last'))
    listen('group-whole', () => this.markWhole())
    listen('group-each', () => this.saveEach())
    listen('group-trigger', () => this.goToTrigger())
    listen('group-remove', () => this.removeTakes())
    this.options = new ClipOptions(() => {
      this.drawClip()
      this.tellPart()
    }, 'group')
    this.clip = new ClipPicture(this.options)
    byId('group-layout').addEventListener('change', () => this.drawClip())
    byId('group-speed-choice').addEventListener('change', (event) => this.chooseSpeed(event.target.value))
    byId('group-speed').addEventListener('input', () => {
      byId('group-speed-choice').value = 'text'
      this.tellPart()
    })
    byId('group-label-form').addEventListener('submit', (event) => {
      event.preventDefault()
      this.setLabel()
    })
    byId('group-time').addEventListener('input', (event) => {
      this.pause()
      this.move(Number(event.target.value))
    })
    byId('group-new-clip').addEventListener('submit', (event) => {
      event.preventDefault()
      this.save()
    })
    this.section.addEventListener('keydown', (event) => this.pressed(event))
  }

  forget() {
    this.pause()
    for (const cell of this.cells ?? []) cell.close()
    this.cells = []
    this.clip?.draw([])
    /** The moments of the first camera's frames, in nanoseconds on the clock of the group. */
    this.moments = []
    this.times = null
    /** The time of the trigger among the moments; `null` if no camera tells one. */
    this.trigger = null
    this.playhead = 0
    this.range = null
    this.first = 0
    this.last = 0
  }

  async show(group) {
    this.groups.library.close(false)
    this.forget()
    // What was typed for another group is not meant for this one.
    if (this.former !== group.id) {
      byId('group-speed').value = ''
      this.options.show()
      setText(byId('group-left'), '')
    }
    this.former = group.id
    this.open = group
    byId('library').classList.add('grouped')
    this.section.hidden = false
    byId('group-cameras').replaceChildren()
    this.hideClip()
    byId('group-label').value = this.groups.label(group) ?? ''
    for (const id of ['group-speed', 'group-label']) accept(byId(id))
    this.update(group)
    byId('group-title').focus()
    const times = group.cameras.every((camera) => camera.take) ? await attempt(() => get(`${whereGroup(group.id)}/frames`)) : undefined
    const trigger = times && (await this.triggerOf(group, times))
    if (this.open?.id !== group.id || !times) return
    this.times = times
    this.trigger = trigger
    const takes = new Map(this.groups.takes(group).map((take) => [take.id, take]))
    this.cells = times.cameras.map((each, place) => new Cell(group.cameras[place], each, takes.get(group.cameras[place].take)?.mode ?? null, this.options))
    for (const { picture } of this.cells) picture.onDrawn(() => this.drawSoon())
    byId('group-cameras').replaceChildren(...this.cells.map((cell) => cell.element))
    const [camera] = times.cameras
    this.moments = moments(camera)
    // The frame that the first camera exposes when the last one begins belongs to the common time.
    const from = Math.max(0, lastAt(this.moments, times.start_ns))
    const beyond = this.moments.findIndex((moment) => moment >= times.end_ns)
    this.range = times.start_ns === null ? null : { first: from, last: Math.max(from, beyond < 0 ? this.moments.length - 1 : beyond - 1) }
    const slider = byId('group-time')
    slider.max = Math.max(0, this.moments.length - 1)
    for (const id of ['group-steps', 'group-marks', 'group-new-clip']) byId(id).hidden = this.range === null
    byId('group-trigger').hidden = trigger === null
    if (this.range === null) {
      tell('There is no time in which all cameras have frames. Align the takes again.', 'error')
      return
    }
    this.list()
    this.markWhole()
    // What began the recording comes before the last camera's first frame.
    const begun = Math.min(this.moments[from] < times.start_ns ? from + 1 : from, this.range.last)
    if (trigger === null || trigger < this.moments[begun]) this.move(begun)
    else this.goToTrigger()
  }

  /** The moment of the trigger on the clock of the group, as the first camera that has one tells it; `null` if none has. */
  async triggerOf({ cameras }, { cameras: times }) {
    for (const [place, { take: id }] of cameras.entries()) {
      const take = this.groups.library.takes.find((each) => each.id === id) ?? (await get(where(id)).catch(() => null))
      if (hasTrigger(take) && times[place].time_ns.length > 0) return times[place].time_ns[0] + take.trigger_ns
    }
    return null
  }

  goToTrigger() {
    if (this.trigger === null) return
    this.pause()
    const { time_ns: times } = this.times.cameras[0]
    this.move(lastAt(this.moments, times[triggerFrame(times, this.trigger)]))
  }

  /** Takes over what has changed on the disk. */
  update(group) {
    this.open = group
    for (const id of ['group-label-form', 'group-remove']) byId(id).hidden = this.groups.takes(group).length === 0
    const known = this.groups.title(group)
    setText(byId('group-aligned'), [...[group.name, group.date && date(group.date)].filter((words) => words !== known), `${group.cameras.length} cameras`, aligned(group)].filter(Boolean).join(', '))
    setText(byId('group-title'), known)
    const problems = [...group.problems, ...group.failed.map(({ name, error }) => `Camera ${name} failed: ${error}`)]
    byId('group-problems').hidden = problems.length === 0
    setText(byId('group-problems'), problems.join(' '))
    if (!this.times) for (const id of ['group-steps', 'group-marks', 'group-new-clip']) byId(id).hidden = true
    this.list()
  }

  /** Lists the clips. One can be edited if it is known how it was made, and the cameras are shown. */
  list() {
    const { id, clips } = this.open
    const list = byId('group-clips')
    const canEdit = ({ spec }) => this.range !== null && Boolean(spec?.part && spec.render)
    const key = JSON.stringify([id, this.range !== null, clips])
    if (list.dataset.key === key) return
    list.dataset.key = key
    list.replaceChildren(...clips.map((clip) => clipItem(clip, {
      Play: () => this.playClip(clip),
      ...(canEdit(clip) ? { Edit: () => this.edit(clip) } : {}),
      Download: () => attempt(() => download(this.pathOf(clip))),
      Delete: () => this.removeClip(clip),
    })))
  }

  /** Takes over the part, the speed and the options with which a clip was made. */
  edit(clip) {
    this.pause()
    const { part: { start_ns: start, end_ns: end }, render } = clip.spec
    const slack = this.interval(this.times.cameras[0]) / 4
    const times = this.moments.map((moment) => moment - this.times.start_ns + slack)
    const first = start === 0 ? this.range.first : times.findIndex((time) => time >= start)
    const last = end === null ? this.range.last : times.findLastIndex((time) => time < end)
    Object.assign(this, this.range)
    if (first >= this.first && last >= first) Object.assign(this, { first, last: Math.min(last, this.last) })
    byId('group-layout').value = render.layout ?? 'side'
    byId('group-fill').value = render.fill ?? 'hold'
    this.options.show(ClipOptions.of(clip))
    setText(byId('group-left'), ClipOptions.left(clip))
    this.showSpeed(render.speed ?? '')
    this.tellMarks()
    this.move(this.first)
    byId('group-layout').focus()
  }

  /** Shows a speed whose times count from the common start. */
  showSpeed(speed) {
    const field = byId('group-speed')
    accept(field)
    const from = this.fromStart / 1e9
    try {
      const curve = Curve.parse(speed)
      field.value = curve.text(from, from + (this.moments[this.last] - this.moments[this.first]) / 1e9)
      const constant = curve.constant === null ? '' : formatSpeed(curve.constant)
      byId('group-speed-choice').value = curve.isEmpty || choices.includes(constant) ? constant : 'text'
    } catch {
      // A curve that the page cannot read stays as its text.
      field.value = speed
      byId('group-speed-choice').value = 'text'
    }
  }

  pathOf(clip) { return `${whereGroup(this.open.id)}/clips/${clip.index}.mp4` }

  render(state) {
    if (!this.open) return
    const own = new Set([this.open.id, ...this.open.cameras.map((camera) => camera.take)])
    const making = state.clips.filter((clip) => own.has(clip.take))
    byId('group-progress').hidden = making.length === 0
    if (making.length > 0) byId('group-progress').value = making[0].fraction
    setText(byId('group-progress-told'), making.length === 0 ? '' : making.length === 1 ? 'One clip is being made.' : `${making.length} clips are being made.`)
  }

  close() {
    if (!this.open) return
    const { id } = this.open
    this.forget()
    this.hideClip()
    this.open = null
    this.section.hidden = true
    byId('library').classList.remove('grouped')
    byId('groups').querySelector(`[data-group="${CSS.escape(id)}"]`)?.focus()
  }

  get moment() { return this.moments[this.playhead] ?? 0 }

  move(place, way = 0) {
    this.playhead = clamp(place, 0, Math.max(0, this.moments.length - 1))
    for (const cell of this.cells) cell.show(this.moment, way)
    const slider = byId('group-time')
    slider.value = String(this.playhead)
    const told = this.trigger === null ? seconds(this.moment) : fromTrigger(this.moment - this.trigger)
    setAttribute(slider, 'aria-valuetext', told)
    setText(byId('group-time-told'), told)
  }

  step(by) {
    this.pause()
    this.move(this.playhead + by)
  }

  markWhole() {
    if (this.range) Object.assign(this, this.range)
    this.tellMarks()
  }

  /** Marks lie in the common time. If they cross, they are swapped. */
  mark(which) {
    if (!this.range) return
    this[which] = clamp(this.playhead, this.range.first, this.range.last)
    if (this.first > this.last) [this.first, this.last] = [this.last, this.first]
    this.tellMarks()
  }

  tellMarks() {
    if (!this.range) return
    this.offerSpeeds()
    this.tellPart()
  }

  /** Tells the marked part, and how long its clip is. */
  tellPart() {
    if (!this.range) return
    const { first, last } = this.frames
    const isWhole = this.first === this.range.first && this.last === this.range.last
    const length = this.clipLength
    setText(
      byId('group-marks-told'),
      `In ${first}, Out ${last} of camera ${this.open.cameras[0].name}, ${duration((this.end - this.start) * 1e9)}${isWhole ? ': all that the cameras have in common' : ''}${length === null ? '' : `; the clip lasts ${duration(length * 1e9)}`}`)
  }

  /** The nanoseconds from frame to frame of a camera, also of those that it lost. */
  interval({ time_ns: times, sequence }) {
    const steps = sequence.length === times.length ? sequence.at(-1) - sequence[0] : times.length - 1
    return (times.at(-1) - times[0]) / Math.max(1, steps)
  }

  /** The time of the first camera's frame at In from the common start, in nanoseconds: where the studio begins the clip. */
  get fromStart() { return Math.max(0, this.times.cameras[0].time_ns[this.frames.first] - this.times.start_ns) }

  /** The start of the marked part on the clock of the group, in seconds. */
  get start() { return (this.times.start_ns + this.fromStart) / 1e9 }

  /** The end of the marked part: that of the first camera's frame at Out, which lasts until the next one. */
  get end() {
    const { time_ns: times } = this.times.cameras[0]
    return (this.last < this.range.last ? Math.min(times[this.frames.last + 1] ?? Infinity, this.times.end_ns) : this.times.end_ns) / 1e9
  }

  /** The seconds for which the clip plays; `null` if its speed cannot be read. */
  get clipLength() {
    const { start, end, everyFrameOnce: once } = this
    let curve
    try { curve = Curve.parse(byId('group-speed').value) } catch { return null }
    const times = [0, ...this.moments.slice(this.first, this.last + 1).map((moment) => moment / 1e9 - start).filter((time) => time > 0)]
    const interval = Math.min(...this.times.cameras.map((camera) => this.interval(camera)))
    return clipLength({ times, end: end - start, curve, once, interval, options: this.options.chosen })
  }

  /** Draws the picture of the clip at this moment. */
  drawClip() { this.clip.draw(this.range === null ? [] : this.cells, byId('group-layout').value) }

  /** Does the same once for all cameras whose pictures come now. */
  drawSoon() {
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = undefined
      this.drawClip()
    })
  }

  /** The first camera's frames at the marks. */
  get frames() {
    const { time_ns: times } = this.times.cameras[0]
    return { first: Math.max(0, lastAt(times, this.moments[this.first])), last: Math.max(0, lastAt(times, this.moments[this.last])) }
  }

  toggle() {
    if (this.playing) this.pause()
    else this.play()
  }

  // The speed. Times of the text count from In, in seconds.

  /** Whether the marked part has the trigger, around which it is slow then. */
  get hasTrigger() { return Curve.isAround(this.trigger, this.moments[this.first], this.moments[this.last]) }

  /** The usual curve stays with the marks; other texts are the user's. */
  offerSpeeds() {
    const choice = byId('group-speed-choice')
    const chosen = choice.value
    setOptions(choice, [{ items: speedItems(this.hasTrigger) }])
    choice.value = chosen
    if (byId('group-speed').value.trim() === '') choice.value = ''
    else if (chosen === 'middle') this.chooseSpeed(chosen)
  }

  chooseSpeed(choice) {
    const field = byId('group-speed')
    if (choice === 'text') {
      field.focus()
      return
    }
    const length = (this.moments[this.last] - this.moments[this.first]) / 1e9
    const at = this.hasTrigger ? (this.trigger - this.moments[this.first]) / 1e9 : length / 2
    field.value = choice === 'middle' ? new Curve(Curve.slowAround(at, 0, length)).text(0, length) : choice
    accept(field)
    this.tellPart()
  }

  /** The curve of the text; one that the page cannot read shows every frame once, as an empty text does. */
  get curve() {
    try { return Curve.parse(byId('group-speed').value) } catch { return new Curve() }
  }

  /** The part of real time at which a clip of every frame of the fastest camera plays, with 30 pictures a second. */
  get everyFrameOnce() {
    const intervals = this.times.cameras.filter(({ time_ns: times }) => times.length > 1).map((camera) => this.interval(camera))
    return intervals.length === 0 ? 1 : (30 * Math.min(...intervals)) / 1e9
  }

  /** Plays the marked part at a part of its real speed: the chosen one, or that of the clip, along its curve. */
  play() {
    if (!this.range) return
    if (this.playhead < this.first || this.playhead >= this.last) this.move(this.first)
    setText(byId('group-play'), 'Pause')
    let [time, before] = [this.moment, null]
    const [from, { curve, everyFrameOnce }] = [this.moments[this.first], this]
    const frame = (now) => {
      const chosen = byId('group-play-speed').value
      const speed = chosen !== 'clip' ? Number(chosen) : curve.isEmpty ? everyFrameOnce : curve.speedAt((time - from) / 1e9)
      time += before === null ? 0 : Math.min(100, now - before) * 1e6 * speed
      before = now
      this.move(clamp(lastAt(this.moments, time), this.first, this.last), 1)
      if (this.playhead >= this.last || byId('library').hidden) this.pause()
      else this.playing = requestAnimationFrame(frame)
    }
    this.playing = requestAnimationFrame(frame)
  }

  pause() {
    if (this.playing) cancelAnimationFrame(this.playing)
    this.playing = null
    setText(byId('group-play'), 'Play')
  }

  /** The settings of a clip that begins at a time, in seconds from where its curve's times count. */
  settings(from) {
    const speed = byId('group-speed').value.trim()
    return { speed: speed === '' ? null : SavedTake.fromTakesStart(speed, from), fill: byId('group-fill').value }
  }

  /** Posts a request for a clip, and goes to the field that is refused. */
  async ask(path, body) {
    const field = (error) => this.options.fieldOf(error) ?? byId('group-speed')
    const isTaken = (await attempt(() => post(path, { ...body, ...this.options.chosen }), field)) !== undefined
    if (!isTaken) ClipOptions.show(this.section.querySelector('[aria-invalid=true]'))
    return isTaken
  }

  async save() {
    if (!this.range) return
    this.pause()
    const { first, last } = this.frames
    const body = { layout: byId('group-layout').value, ...this.settings(this.fromStart / 1e9), first, last }
    if (!(await this.ask(`${whereGroup(this.open.id)}/clips`, body))) return
    accept(byId('group-speed'))
    tell('The clip of all cameras is being made.', 'making')
  }

  /** Makes a clip of each camera: of the frames that it saw from one mark to the other. */
  async saveEach() {
    if (!this.range) return
    this.pause()
    const [start, end] = [this.moments[this.first], this.moments[this.last]]
    const queued = []
    for (const [place, { time_ns: times }] of this.times.cameras.entries()) {
      const { name, take } = this.open.cameras[place]
      const [first, last] = [Math.max(0, lastAt(times, start)), Math.max(0, lastAt(times, end))]
      const body = { ...this.settings((times[first] - times[0]) / 1e9), first, last }
      if (!(await this.ask(`${where(take)}/clips`, body))) break
      queued.push(name)
    }
    if (queued.length === 0) return
    if (queued.length === this.times.cameras.length) accept(byId('group-speed'))
    tell(`A clip of each camera is being made: ${queued.join(', ')}. They appear among the clips of the takes.`)
  }

  async setLabel() {
    const { id } = this.open
    const label = byId('group-label').value.trim() || null
    if (await attempt(() => patch(whereGroup(id), { label }), byId('group-label'))) this.groups.library.load()
  }

  removeTakes() {
    this.pause()
    this.groups.library.selection.remove(this.groups.takes(this.open))
  }

  async playClip(clip) {
    this.pause()
    const { id } = this.open
    const address = await attempt(() => ticketed(this.pathOf(clip)))
    if (!address || this.open?.id !== id) return
    this.hideClip()
    if (isAnimation(clip)) {
      const picture = byId('group-animation')
      picture.onerror = () => tell(`The browser cannot show ${clip.file}. Download it.`, 'error')
      Object.assign(picture, { alt: `Clip ${clip.file}`, src: address, hidden: false })
      picture.onload = () => picture.scrollIntoView({ block: 'nearest' })
      return
    }
    const video = byId('group-video')
    video.onerror = () => {
      if (!video.hidden) tell(`The browser cannot show ${clip.file}. Download it.`, 'error')
    }
    video.hidden = false
    video.src = address
    video.play().catch(() => { /* a browser may wait for one more click: its own button is there */ })
    video.scrollIntoView({ block: 'nearest' })
  }

  hideClip() {
    const picture = byId('group-animation')
    picture.onerror = null
    picture.hidden = true
    picture.removeAttribute('src')
    const video = byId('group-video')
    video.hidden = true
    video.pause()
    video.removeAttribute('src')
    video.load()
  }

  async removeClip(clip) {
    if (!(await sure(`Delete ${clip.file}? This cannot be undone.`, 'Delete'))) return
    this.hideClip()
    const group = await attempt(() => remove(this.pathOf(clip)))
    if (group && this.open?.id === group.id) this.update(group)
  }

  /** The keys of the review; a focused field keeps its own. */
  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !byId('keys-on').checked) return
    const { target } = event
    if (target.matches('input[type=text], select, video')) return
    const key = event.key.toLowerCase()
    const by = { arrowleft: -1, arrowright: 1 }[key]
    const acts = {
      ' ': () => this.toggle(), i: () => this.mark('first'), o: () => this.mark('last'),
      t: () => this.goToTrigger(), home: () => this.move(this.first), end: () => this.move(this.last), escape: () => this.close(),
    }
    if (by && !target.matches('input')) this.step(event.shiftKey ? 10 * by : by)
    else if (acts[key] && !(key === ' ' && target.matches('button')) && !(['home', 'end'].includes(key) && target.matches('input'))) acts[key]()
    else return
    event.preventDefault()
  }
}
