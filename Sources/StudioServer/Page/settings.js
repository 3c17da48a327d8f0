// Settings for triggers and takes: pre-roll, post-roll, action after a trigger, motion, microphone, rotation
// of clips.
import { get, put } from './api.js'
import { byId, isEdited, make, setAttribute, setOptions, setText } from './dom.js'
import { duration, percent } from './format.js'
import { attempt } from './notices.js'
import { pointIn, unturned } from './picture.js'
import { refuseAt } from './told.js'

const free = new Set(['armed', 'interrupted', 'failed', 'no_camera', 'starting'])
const usualMotion = { threshold: 25, area: 0.02, region: null, triggers: true }

function region(text) {
  const parts = /^\s*(\d+)x(\d+)\+(\d+)\+(\d+)\s*$/.exec(text)
  return parts ? parts.slice(1).map(Number) : null
}

/** The fields that show a setting as it is: a switch, a text or a choice among numbers. */
const plainFields = () => document.querySelectorAll('[data-setting]')

function valueOf(field) {
  if (field.type === 'checkbox') return field.checked
  return field.type === 'text' ? field.value.trim() || null : Number(field.value)
}

export class Settings {
  constructor(picture, overlays) {
    this.picture = picture
    this.overlays = overlays
    this.pending = 0
    const number = (id, key) => byId(id).addEventListener('change', ({ target }) => {
      // Many locales use a decimal comma.
      const text = target.value.trim().replace(',', '.')
      const value = Number(text)
      if (text !== '' && Number.isFinite(value) && value >= 0) this.set({ [key]: Math.round(value * 1e9) }, target)
      else {
        refuseAt(target, `“${target.value}” is not a number of seconds. Write a number such as 2.5.`)
      }
    })
    number('pre', 'pre_ns')
    number('post', 'post_ns')
    for (const radio of document.querySelectorAll('input[name=after]')) {
      radio.addEventListener('change', () => this.set({ after_trigger: radio.value }))
    }
    for (const field of plainFields()) {
      field.addEventListener('change', () => this.set({ [field.dataset.setting]: valueOf(field) }, field.type === 'text' ? field : null))
    }
    byId('microphone').addEventListener('change', (event) => this.set({ microphone: event.target.value || null }))
    byId('panel-microphone').addEventListener('toggle', () => this.loadMicrophones())
    this.loadMicrophones()
    this.listenToMotion()
  }

  /** Changes settings; `field` is the input that the user edited. A refused text stays there until the user changes it. */
  async set(settings, field = null) {
    this.pending += 1
    await attempt(() => put('/api/settings', settings), field)
    this.pending -= 1
    // The state with the change may still be on its way, so the old state still applies.
    if (this.pending === 0) setTimeout(() => this.renderAgain(), 300)
  }

  renderAgain() { if (this.state) this.render(this.state) }

  async loadMicrophones() {
    try { this.microphones = await get('/api/microphones') } catch { return }
    this.renderAgain()
  }

  listenToMotion() {
    const motion = (change, field) => this.set({ motion: { ...usualMotion, ...this.state?.settings.motion, ...change } }, field)
    byId('motion-watch').addEventListener('change', (event) => (event.target.checked ? motion({ triggers: false }) : this.set({ motion: null })))
    byId('motion-triggers').addEventListener('change', (event) => motion({ triggers: event.target.checked }))
    const slider = (id, change, words) => {
      byId(id).addEventListener('input', (event) => setText(byId(`${id}-told`), words(Number(event.target.value))))
      byId(id).addEventListener('change', (event) => motion(change(Number(event.target.value))))
    }
    slider('threshold', (threshold) => ({ threshold }), String)
    slider('area', (value) => ({ area: value / 100 }), (value) => `${value} %`)
    byId('region').addEventListener('change', (event) => motion({ region: event.target.value.trim() || null }, event.target))
    byId('region-whole').addEventListener('click', () => { this.drawing(false); motion({ region: null }) })
    byId('region-draw').addEventListener('click', () => this.drawing(!this.isDrawing))
    const { overlay } = this.overlays
    overlay.addEventListener('pointerdown', (event) => {
      if (!this.isDrawing) return
      event.preventDefault()
      overlay.setPointerCapture(event.pointerId)
      this.from = unturned(pointIn(this.picture.canvas, event), this.picture.turn)
    })
    overlay.addEventListener('pointermove', (event) => {
      if (this.from) this.showRegion(this.dragged(event))
    })
    overlay.addEventListener('pointerup', (event) => {
      if (!this.from) return
      const { x, y, width, height } = this.dragged(event)
      this.from = null
      this.drawing(false)
      const { mode } = this.state.camera
      const [w, h] = [Math.round(width * mode.width), Math.round(height * mode.height)]
      if (w < 8 || h < 8) { this.renderAgain(); return }
      const [left, top] = [Math.min(mode.width - w, Math.round(x * mode.width)), Math.min(mode.height - h, Math.round(y * mode.height))]
      motion({ region: `${w}x${h}+${left}+${top}` })
    })
    overlay.addEventListener('pointercancel', () => { this.from = null; this.renderAgain() })
  }

  dragged(event) {
    const to = unturned(pointIn(this.picture.canvas, event), this.picture.turn)
    return {
      x: Math.min(this.from.x, to.x), y: Math.min(this.from.y, to.y),
      width: Math.abs(to.x - this.from.x), height: Math.abs(to.y - this.from.y),
    }
  }

  get isDrawing() { return this.overlays.overlay.classList.contains('drawing') }

  drawing(isOn) {
    this.overlays.overlay.classList.toggle('drawing', isOn)
    setAttribute(byId('region-draw'), 'aria-pressed', isOn)
  }

  showRegion(part) {
    this.overlays.region = part
    this.overlays.draw(null)
  }

  render(state) {
    this.state = state
    const { settings, phase } = state
    const restarts = free.has(phase)
    for (const id of ['pre', 'post', 'microphone']) byId(id).disabled = !restarts
    for (const radio of document.querySelectorAll('input[name=after]')) {
      radio.disabled = !restarts
      // Several cameras save their takes at once.
      if (radio.value === 'review') radio.parentElement.hidden = state.cameras.length > 1
    }
    // Motion is detected in the picture of the first camera, so its region is drawn there.
    byId('region-draw').disabled = state.cameras.length > 1 && !state.camera
    if (this.pending === 0) this.renderSettings(settings)
    this.renderMemory(state)
    this.renderMotion(state)
    this.renderLevels(state)
  }

  renderSettings(settings) {
    const fill = (field, value) => {
      if (!isEdited(field) && field.getAttribute('aria-invalid') !== 'true' && field.value !== value) field.value = value
    }
    fill(byId('pre'), String(settings.pre_ns / 1e9))
    fill(byId('post'), String(settings.post_ns / 1e9))
    for (const field of plainFields()) {
      const value = settings[field.dataset.setting]
      if (field.type === 'checkbox') field.checked = value
      else fill(field, String(value ?? ''))
    }
    for (const radio of document.querySelectorAll('input[name=after]')) radio.checked = radio.value === settings.after_trigger
    setOptions(byId('microphone'), [{
      items: [{ value: '', text: 'None' }, ...this.microphoneItems(settings.microphone)],
    }])
    byId('microphone').value = settings.microphone ?? ''
  }

  microphoneItems(chosen) {
    const items = (this.microphones ?? []).map(({ id, name }) => ({ value: id, text: name }))
    return chosen === null || items.some((item) => item.value === chosen) ? items : [{ value: chosen, text: chosen }, ...items]
  }

  renderMemory({ settings, ring_seconds: holds }) {
    const whole = (settings.pre_ns + settings.post_ns) / 1e9
    const memory = holds === null || holds === undefined ? '' : `Memory holds ${duration(holds * 1e9)} in this mode.`
    const short = memory !== '' && settings.after_trigger === 'review' && whole > holds
    setText(byId('memory-told'), short ? `${memory} Pre-roll and post-roll together are longer, so a take would not fit.` : memory)
    setText(
      byId('review-told'),
      {
        review: 'The take stays in memory until you save a part of it. A power cut, \u201cArm again\u201d or the end of the studio discards the rest.',
        save: 'The take is saved, and then its clip is made.',
        continue: 'The take is saved, and the camera is armed again. Clips are made when no take is being recorded.',
      }[settings.after_trigger] ?? '')
  }

  renderMotion({ settings, motion, camera }) {
    const watched = settings.motion
    byId('motion-settings').hidden = !watched
    if (this.pending === 0) {
      byId('motion-watch').checked = watched !== null
      byId('motion-triggers').checked = watched?.triggers === true
    }
    if (!watched) {
      if (this.overlays.region && !this.from) this.showRegion(null)
      return
    }
    const fill = (id, value, words) => {
      if (document.activeElement !== byId(id) && this.pending === 0) byId(id).value = String(value)
      setText(byId(`${id}-told`), words(Number(byId(id).value)))
    }
    fill('threshold', watched.threshold, String)
    fill('area', Number((watched.area * 100).toFixed(2)), (value) => `${value} %`)
    if (this.pending === 0 && !isEdited(byId('region')) && byId('region').getAttribute('aria-invalid') !== 'true') byId('region').value = watched.region ?? ''
    const score = motion?.score ?? 0
    const meter = byId('motion-score')
    // The scale ends at four times the trigger's threshold, so that there is room on both sides of its mark.
    const full = Math.min(1, Math.max(0.04, watched.area * 4))
    meter.querySelector('.fill').style.width = `${Math.min(1, score / full) * 100}%`
    meter.querySelector('.limit').style.left = `${Math.min(1, watched.area / full) * 100}%`
    const told = motion ? `${(score * 100).toFixed(1)} % is moving; ${watched.triggers ? 'triggers' : 'would trigger'} at ${Number((watched.area * 100).toFixed(1))} %.` : 'Motion detection is paused.'
    setAttribute(meter, 'aria-valuenow', Number((score * 100).toFixed(1)))
    setAttribute(meter, 'aria-valuetext', told)
    setText(byId('motion-told'), told)
    if (this.from) return
    const part = watched.region && camera ? region(watched.region) : null
    const was = JSON.stringify(this.overlays.region)
    const now = part && {
      x: part[2] / camera.mode.width, y: part[3] / camera.mode.height,
      width: part[0] / camera.mode.width, height: part[1] / camera.mode.height,
    }
    if (JSON.stringify(now) !== was) this.showRegion(now)
  }

  renderLevels({ audio }) {
    const box = byId('levels')
    const levels = audio?.levels ?? []
    while (box.children.length > levels.length) box.lastElementChild.remove()
    while (box.children.length < levels.length) {
      box.append(make(
        'div', { className: 'meter', role: 'meter', 'aria-valuemin': '-60', 'aria-valuemax': '0', 'aria-label': `Level of channel ${box.children.length + 1}` },
        make('div', { className: 'fill' })))
    }
    levels.forEach((peak, channel) => {
      const decibels = peak > 0 ? Math.max(-60, 20 * Math.log10(peak)) : -60
      const meter = box.children[channel]
      meter.firstChild.style.width = percent((decibels + 60) / 60).replace(' ', '')
      setAttribute(meter, 'aria-valuenow', Math.round(decibels))
      setAttribute(meter, 'aria-valuetext', `${Math.round(decibels)} dB`)
    })
  }
}
