// The choice of a camera and its mode.
import { get, put } from './api.js'
import { aboutChosen, chosenLetter, ofChosen } from './cameras.js'
import { byId, make, setOptions, setText } from './dom.js'
import { rate } from './format.js'
import { attempt, forget } from './notices.js'

const looksEvery = 2000
const atWork = new Set(['filming', 'gathering', 'reviewing', 'saving'])

const modeKey = ({ fourcc, width, height, interval }) => JSON.stringify({ fourcc, width, height, interval })

/**
 * Returns the part of the table's widest view that a mode shows, in words; `null` if the driver reports none.
 */
function fieldOfView(mode, widest) {
  if (!mode.crop || !widest) return null
  const part = mode.crop[2] / widest
  return part > 0.985 ? 'full width' : `${Math.round(part * 100)} % of the full width`
}

/** Returns a mode in few words, to fit a list. */
function words(mode) {
  return `${rate(mode.fps)}, ${mode.width}x${mode.height} ${mode.fourcc}${mode.binned === true ? ', binned' : ''}`
}

/** Returns a mode's effect on the picture, as a sentence. */
function viewTold(mode, widest) {
  const view = fieldOfView(mode, widest)
  const told = []
  if (view) told.push(`field of view: ${view}`)
  if (mode.binned === true) told.push('pixels binned')
  if (mode.binned === false) told.push('pixels not binned')
  const text = told.join(', ')
  return text === '' ? '' : `${text[0].toUpperCase()}${text.slice(1)}.`
}

export class CameraChoice {
  constructor() {
    this.cameras = []
    this.modes = []
    this.key = null
    byId('camera').addEventListener('change', (event) => this.choose({ id: event.target.value }))
    byId('mode').addEventListener('change', (event) => this.choose({ mode: JSON.parse(event.target.value) }))
    this.look()
    setInterval(() => this.look(), looksEvery)
  }

  async choose(choice) {
    this.isChoosing = true
    try {
      await put('/api/camera', aboutChosen(choice))
      this.accepted()
    } catch (error) {
      // Shown beside the choice, not in a notice; the former mode stays in use.
      setText(byId('mode-told'), error.message)
      forget('mode_refused')
    }
    this.isChoosing = false
    this.key = null
    if (this.state) this.render(this.state)
  }

  /** Forgets what was said about another mode or camera. */
  accepted() {
    setText(byId('mode-told'), '')
    forget('mode_refused')
  }

  /** Looks for cameras while none is in use, and while the user chooses one: they come and go. */
  async look() {
    const lacking = this.state && (this.state.phase === 'no_camera' || this.state.phase === 'failed')
    if (document.hidden || (!lacking && this.cameras.length > 0 && document.activeElement !== byId('camera'))) return
    try { this.cameras = await get('/api/cameras') } catch { return }
    if (this.state) this.render(this.state)
    this.onCameras?.()
  }

  async loadModes() {
    try { this.modes = await get(`/api/camera/modes${ofChosen()}`) } catch { this.modes = [] }
    if (this.state) this.renderModes(this.state)
  }

  render(state) {
    this.state = state
    const { camera } = state
    const items = this.cameras.map((entry) => ({ value: entry.id, text: entry.name }))
    if (camera && !items.some((item) => item.value === camera.id)) items.unshift({ value: camera.id, text: camera.name })
    if (!camera) items.unshift({ value: '', text: 'None' })
    setOptions(byId('camera'), [{ items }])
    const busy = atWork.has(state.phase) || this.isChoosing === true
    byId('camera').disabled = busy
    byId('mode').disabled = busy || !camera
    if (!this.isChoosing && byId('camera').value !== (camera?.id ?? '')) byId('camera').value = camera?.id ?? ''
    const used = camera && `${chosenLetter() ?? ''} ${camera.id} ${modeKey(camera.mode)}`
    if (used !== this.used && !this.isChoosing) {
      this.used = used
      this.accepted()
    }
    const key = camera ? `${chosenLetter() ?? ''} ${camera.id}` : null
    if (key !== this.key) {
      this.key = key
      this.modes = []
      if (key !== null) this.loadModes()
    }
    this.renderModes(state)
    const letter = chosenLetter()
    setText(byId('camera-name'), camera ? `${letter === null ? '' : `${letter}: `}${camera.name}, ${camera.mode.text}` : '')
  }

  renderModes({ camera }) {
    const modes = [...this.modes]
    if (camera && !modes.some((mode) => modeKey(mode) === modeKey(camera.mode))) modes.unshift(camera.mode)
    const widest = Math.max(0, ...modes.map((mode) => mode.crop?.[2] ?? 0))
    const rates = [...new Set(modes.map((mode) => mode.fps))].sort((a, b) => b - a)
    setOptions(
      byId('mode'),
      rates.map((fps) => ({
        title: rate(fps),
        items: modes.filter((mode) => mode.fps === fps)
          .map((mode) => ({ value: modeKey(mode), text: words(mode) })),
      })))
    setText(byId('view-told'), camera ? viewTold(modes.find((mode) => modeKey(mode) === modeKey(camera.mode)) ?? camera.mode, widest) : '')
    if (!this.isChoosing && camera && byId('mode').value !== modeKey(camera.mode)) byId('mode').value = modeKey(camera.mode)
  }

  /** Returns a button for each available camera, to show if none is in use. */
  buttons() {
    return this.cameras.map((entry) => make('button', {
      type: 'button', textContent: `Use ${entry.name}`, onclick: () => attempt(() => put('/api/camera', { id: entry.id })),
    }))
  }
}
