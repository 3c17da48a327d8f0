// The live pictures of several cameras that record together, and the choice of the one that the panels are about.
import { fetchFrom, post } from './api.js'
import { byId, make, setAttribute, setText } from './dom.js'
import { attempt } from './notices.js'
import { decoded, Picture } from './picture.js'

// As for a lone camera, a screen needs no more.
const shortestPause = 31
const atWork = new Set(['filming', 'gathering', 'reviewing', 'saving'])

/** The letter of the chosen camera; `null` while there is only one. */
let letter = null

/** The query that asks for the chosen camera, to be put behind a path. */
export const ofChosen = () => (letter === null ? '' : `?camera=${encodeURIComponent(letter)}`)

/** The body of a request about the chosen camera. */
export const aboutChosen = (body = {}) => (letter === null ? body : { ...body, camera: letter })

/** The letter of the chosen camera; `null` while there is only one. */
export const chosenLetter = () => letter

/** Returns the state as that of the chosen camera. */
export function asChosen(state) {
  const chosen = state.cameras.find((each) => each.letter === letter)
  if (letter === null || !chosen) return state
  // The take is told of the camera that hears the triggers: the first that works.
  const isLead = chosen === state.cameras.find(({ problem }) => problem === null)
  const take = state.take && !isLead ? { ...state.take, written: chosen.written ?? 0, lost: 0 } : state.take
  return {
    ...state, take, camera: chosen.camera, accepted_fps: chosen.accepted_fps, measured_fps: chosen.measured_fps,
    frames_lost: chosen.frames_lost, ring_fill: chosen.ring_fill,
  }
}

/** The place of a camera among the others: its picture, unless that is the large one with its overlays, and its name. */
class Cell {
  constructor(entry, choose) {
    this.letter = entry.letter
    this.canvas = make('canvas', { id: `live-${this.letter}`, role: 'img', 'aria-label': `Live picture of camera ${this.letter}`, width: 16, height: 9 })
    this.slot = make('div', { className: 'slot' }, this.canvas)
    this.slot.addEventListener('click', () => { if (!this.isChosen) choose(this.letter) })
    this.picture = new Picture(this.canvas, this.slot)
    this.name = make('span', { className: 'name' })
    this.lost = make('span', { className: 'loss', id: `camera-lost-${this.letter}` })
    this.button = make('button', { type: 'button', 'aria-describedby': this.lost.id, onclick: () => choose(this.letter) }, make('strong', { textContent: this.letter }), this.name, this.lost)
    this.element = make('div', { className: 'cell' }, this.slot, this.button)
  }

  render({ camera, frames_lost: lost, problem }, isChosen, isLive) {
    this.isChosen = isChosen
    this.isLive = isLive && problem === null
    this.width = camera.mode.width
    const { rotate, mirror } = camera.turn
    if (rotate !== this.picture.turn.rotate || mirror !== this.picture.turn.mirror) this.picture.turn = camera.turn
    this.picture.shape(camera.mode.width, camera.mode.height)
    setAttribute(this.button, 'aria-label', `Camera ${this.letter}: ${camera.name}`)
    setAttribute(this.button, 'aria-pressed', isChosen)
    setText(this.name, camera.name)
    setText(this.lost, problem ? '\u26a0 failed' : lost > 0 ? `\u26a0 ${lost} lost` : '')
    this.canvas.hidden = isChosen
    // An old picture must not look like the current one.
    if (!this.isLive && !this.picture.isEmpty) this.picture.clear()
    if (!this.isLive || isChosen) this.after = null
  }

  /** Shows the next picture of the camera, if it is not the large one. */
  async pull() {
    if (!this.isLive || this.isChosen) return false
    const newer = this.after === null || this.after === undefined ? '' : `&after=${this.after}`
    const width = Math.max(16, Math.min(this.width, this.picture.wantedWidth))
    const response = await fetchFrom(`/api/preview.jpg?camera=${encodeURIComponent(this.letter)}&width=${width}${newer}`)
    if (response.status === 204) return false
    const sequence = Number(response.headers.get('Overcrank-Sequence'))
    const frame = await decoded(await response.blob())
    if (this.isLive && !this.isChosen) {
      this.after = sequence
      this.picture.draw(frame)
      this.canvas.dataset.sequence = sequence
    }
    frame.close?.()
    return true
  }
}

export class Cameras {
  /** `changed` is called when the user has chosen another camera. */
  constructor(changed) {
    this.changed = changed
    this.cells = []
    byId('cameras-again').addEventListener('click', () => attempt(() => post('/api/resume')))
    document.addEventListener('visibilitychange', () => this.pull())
  }

  /** Takes the state; `isShown` is whether the live pictures are shown, and not a take. */
  render(state, isShown) {
    const { cameras, phase } = state
    const isGroup = cameras.length > 1
    // The pictures stay in their places while the cameras are opened anew.
    const letters = isGroup ? cameras.map((each) => each.letter).join() : ''
    if (letters !== this.letters) {
      this.letters = letters
      byId('picture-place').append(byId('picture'))
      this.cells = isGroup ? cameras.map((entry) => new Cell(entry, (choice) => this.choose(choice))) : []
      byId('cameras').replaceChildren(...this.cells.map((cell) => cell.element))
    }
    if (!isGroup) letter = null
    else if (!cameras.some((each) => each.letter === letter)) ({ letter } = cameras[0])
    const isGrid = isGroup && isShown
    const place = byId('picture-place')
    place.classList.toggle('several', isGrid)
    place.style.setProperty('--rows', Math.ceil(cameras.length / 2))
    byId('cameras').hidden = !isGrid
    const isLive = isGrid && ['armed', 'filming', 'gathering'].includes(phase)
    this.cells.forEach((cell, index) => cell.render(cameras[index], cameras[index].letter === letter, isLive))
    byId('cameras').classList.toggle('recording', phase === 'filming')
    const home = this.cells.find((cell) => cell.isChosen)?.slot
    const wanted = isGrid && home ? home : place
    if (byId('picture').parentElement !== wanted) wanted.append(byId('picture'))
    this.renderFailed(cameras, isGrid && isLive, atWork.has(phase))
    this.isOn = isLive
    if (isLive) this.pull()
  }

  /** Says which cameras have failed while others go on, and why. */
  renderFailed(cameras, isShown, isBusy) {
    const failed = isShown ? cameras.filter(({ problem }) => problem !== null) : []
    byId('cameras-failed').hidden = failed.length === 0
    setText(byId('cameras-failed-told'), failed.map(({ letter: name, problem }) => `Camera ${name} has failed: ${problem.message}`).join(' '))
    byId('cameras-again').disabled = isBusy
  }

  choose(choice) {
    if (choice === letter) return
    letter = choice
    this.changed()
  }

  /** Fetches the small pictures one after the other, so that the browser's few connections stay free. */
  async pull() {
    if (this.isPulling) return
    this.isPulling = true
    while (this.isOn && !document.hidden) {
      const asked = performance.now()
      let hasShown = false
      for (const cell of this.cells) {
        try { hasShown = (await cell.pull()) || hasShown } catch { cell.after = null }
      }
      const pause = hasShown ? Math.max(0, asked + shortestPause - performance.now()) : 250
      await new Promise((resolve) => { setTimeout(resolve, pause) })
    }
    this.isPulling = false
  }
}
