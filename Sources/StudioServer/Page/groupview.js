// A group of takes: the pictures of all cameras at one moment, marks, and clips of the marked part.
import { get, post, remove, ticketed } from './api.js'
import { isAnimation } from './clips.js'
import { byId, make, setAttribute, setText } from './dom.js'
import { download } from './download.js'
import { SavedTake } from './edited.js'
import { bytes, duration } from './format.js'
import { Frames } from './frames.js'
import { lastAt, moments, seen } from './grouptime.js'
import { aligned, date, where, whereGroup } from './items.js'
import { attempt, sure, tell } from './notices.js'
import { drawTurned } from './picture.js'
import { accept } from './told.js'

const clamp = (value, low, high) => Math.min(high, Math.max(low, value))
const seconds = (ns) => `${(ns / 1e9).toFixed(4)} s`

/** The picture of one camera, and what it shows. */
class Cell {
  constructor({ name, take }, times) {
    this.name = name
    this.times = times
    this.canvas = make('canvas', { id: `group-frame-${name}`, role: 'img', width: 16, height: 9, 'aria-label': `Camera ${name}` })
    this.told = make('p', { className: 'hint' })
    this.element = make('section', { 'aria-label': `Camera ${name}` }, make('h4', { textContent: `Camera ${name}` }), this.canvas, this.told)
    this.frames = take === null ? null : new Frames(times.time_ns.length, (index) => `${where(take)}/frames/${index}.jpg?width=960`, (frame, index) => {
      drawTurned(this.canvas, frame)
      this.canvas.dataset.frame = index
    })
  }

  show(moment, way) {
    const { state, by, index } = seen(this.times, moment)
    this.element.dataset.state = state
    const words = {
      before: () => `Camera ${this.name} has not begun: it begins in ${seconds(by)}.`,
      after: () => `Camera ${this.name} has ended: ${seconds(by)} ago.`,
      lost: () => `\u26a0 Lost frame: frame ${index} is held.`,
      shown: () => `Frame ${index} (0 to ${this.times.time_ns.length - 1})`,
    }[state]()
    setText(this.told, this.frames ? words : `Camera ${this.name} cannot be shown: its take is not in this folder.`)
    setAttribute(this.canvas, 'aria-label', `Camera ${this.name}. ${words}`)
    if (index !== undefined) this.frames?.want(index, way)
  }

  close() { this.frames?.close() }
}

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
    /** The moments of the first camera's frames, in nanoseconds on the clock of the group. */
    this.moments = []
    this.times = null
    this.playhead = 0
    this.range = null
    this.first = 0
    this.last = 0
  }

  async show(group) {
    this.groups.library.close(false)
    this.forget()
    this.open = group
    byId('library').classList.add('grouped')
    this.section.hidden = false
    byId('group-cameras').replaceChildren()
    this.hideClip()
    accept(byId('group-speed'))
    setText(byId('group-title'), group.name)
    this.update(group)
    byId('group-title').focus()
    const times = group.cameras.every((camera) => camera.take) ? await attempt(() => get(`${whereGroup(group.id)}/frames`)) : undefined
    if (this.open?.id !== group.id || !times) return
    this.times = times
    this.cells = times.cameras.map((each, place) => new Cell(group.cameras[place], each))
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
    if (this.range === null) {
      tell('There is no time in which all cameras have frames. Align the takes again.', 'error')
      return
    }
    this.markWhole()
    this.move(this.range.first)
  }

  /** Takes over what has changed on the disk. */
  update(group) {
    this.open = group
    setText(byId('group-aligned'), [`${group.cameras.length} cameras`, group.date && date(group.date), aligned(group)].filter(Boolean).join(', '))
    const problems = [...group.problems, ...group.failed.map(({ name, error }) => `Camera ${name} failed: ${error}`)]
    byId('group-problems').hidden = problems.length === 0
    setText(byId('group-problems'), problems.join(' '))
    if (!this.times) for (const id of ['group-steps', 'group-marks', 'group-new-clip']) byId(id).hidden = true
    const list = byId('group-clips')
    const key = JSON.stringify(group.clips)
    if (list.dataset.key === key && list.dataset.group === group.id) return
    Object.assign(list.dataset, { key, group: group.id })
    list.replaceChildren(...group.clips.map((clip) => {
      const button = (text, act) => make('button', { type: 'button', textContent: text, 'aria-label': `${text} clip ${clip.file}`, onclick: act })
      return make(
        'li', {}, make('p', { className: 'grow' }, make('span', { className: 'made', textContent: clip.file }), make('span', { className: 'hint', textContent: `${bytes(clip.bytes)}, ${date(clip.date)}` })),
        ...(isAnimation(clip) ? [] : [button('Play', () => this.playClip(clip))]),
        button('Download', () => attempt(() => download(this.pathOf(clip)))),
        button('Delete', () => this.removeClip(clip)))
    }))
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
    const told = `${seconds(this.moment)}, ${this.playhead + 1} of ${this.moments.length}`
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
    const { first, last } = this.frames
    const isWhole = this.first === this.range.first && this.last === this.range.last
    const length = this.moments[this.last] - this.moments[this.first]
    setText(byId('group-marks-told'), `In ${first}, Out ${last} of camera ${this.open.cameras[0].name}, ${duration(length)}${isWhole ? ': all that the cameras have in common' : ''}`)
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

  /** Plays the marked part, at the chosen part of its real speed. */
  play() {
    if (!this.range) return
    if (this.playhead < this.first || this.playhead >= this.last) this.move(this.first)
    setText(byId('group-play'), 'Pause')
    let [time, before] = [this.moment, null]
    const frame = (now) => {
      time += before === null ? 0 : (now - before) * 1e6 * Number(byId('group-play-speed').value)
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

  async save() {
    if (!this.range) return
    this.pause()
    const { first, last } = this.frames
    const from = Math.max(0, this.times.cameras[0].time_ns[first] - this.times.start_ns) / 1e9
    const body = { layout: byId('group-layout').value, ...this.settings(from), first, last }
    if (await attempt(() => post(`${whereGroup(this.open.id)}/clips`, body), byId('group-speed')) === undefined) return
    accept(byId('group-speed'))
    tell('The clip of all cameras is being made.')
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
      if (await attempt(() => post(`${where(take)}/clips`, body), byId('group-speed')) === undefined) break
      queued.push(name)
    }
    if (queued.length === 0) return
    if (queued.length === this.times.cameras.length) accept(byId('group-speed'))
    tell(`A clip of each camera is being made: ${queued.join(', ')}. They appear among the clips of the takes.`)
  }

  async playClip(clip) {
    this.pause()
    const { id } = this.open
    const address = await attempt(() => ticketed(this.pathOf(clip)))
    if (!address || this.open?.id !== id) return
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
      home: () => this.move(this.first), end: () => this.move(this.last), escape: () => this.close(),
    }
    if (by && !target.matches('input')) this.step(event.shiftKey ? 10 * by : by)
    else if (acts[key] && !(key === ' ' && target.matches('button')) && !(['home', 'end'].includes(key) && target.matches('input'))) acts[key]()
    else return
    event.preventDefault()
  }
}
