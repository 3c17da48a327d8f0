// The camera's controls: sliders, switches, menus, buttons.
import { get } from './api.js'
import { chosenLetter, ofChosen } from './cameras.js'
import { byId, make, setAttribute, setOptions, setText } from './dom.js'
import { Sender } from './sender.js'
import { controlTitle, controlTooltip, controlValue, menuItems } from './words.js'

const looksEvery = 3000
const stopsPerDoubling = 6

/** Returns the values of a slider for shutter times: evenly spaced by ratio, and including every bound. */
function shutterStops({ minimum, maximum, step, frame_limit: limit, default: usual }) {
  const low = Math.max(minimum, step)
  const stops = new Set([minimum, maximum])
  for (let value = low; value < maximum; value *= 2 ** (1 / stopsPerDoubling)) {
    stops.add(Math.min(maximum, minimum + Math.round((value - minimum) / step) * step))
  }
  for (const value of [limit, usual]) if (value !== null && value >= minimum && value <= maximum) stops.add(value)
  return [...stops].sort((a, b) => a - b)
}

const first = ['exposure', 'gain', 'white_balance', 'focus', 'zoom']

function rank({ name }) {
  const place = first.findIndex((word) => name.includes(word))
  return place < 0 ? first.length : place
}

class Control {
  constructor(control, changed) {
    this.name = control.name
    this.changed = changed
    this.sender = new Sender(control.name, (answer) => { if (!this.sender.wanted) this.render(answer); changed() })
    this.sender.failed = () => this.render(this.control)
    this.element = this.build(control)
    this.render(control)
  }

  get isHeld() { return this.sender.isBusy || this.isDragged === true }

  build(control) {
    const { kind } = control
    const title = controlTitle(control)
    if (kind === 'button') {
      this.input = make('button', { type: 'button', textContent: title, onclick: () => this.sender.send(1) })
      return this.input
    }
    if (kind === 'boolean') {
      this.input = make('input', { type: 'checkbox', role: 'switch', onchange: () => this.sender.send(this.input.checked ? 1 : 0) })
      return make('label', { className: 'switch' }, this.input, ` ${title}`)
    }
    if (kind === 'menu') {
      this.input = make('select', { onchange: () => this.sender.send(Number(this.input.value)) })
      setOptions(this.input, [{ items: menuItems(control) }])
      return make('label', { className: 'field' }, title, this.input)
    }
    this.input = make('input', { type: 'range', 'aria-label': title })
    this.told = make('output')
    this.tick = make('span', { className: 'tick', hidden: true })
    this.limitTold = make('span', { className: 'hint tick-told' })
    this.input.addEventListener('input', () => {
      this.isDragged = true
      this.tellValue(this.value)
      this.sender.send(this.value)
    })
    this.input.addEventListener('change', () => { this.isDragged = false })
    this.input.addEventListener('blur', () => { this.isDragged = false })
    return make(
      'label', { className: 'slider' }, make('span', { textContent: title }), this.told,
      make('span', { className: 'track' }, this.input, this.tick), this.limitTold)
  }

  get value() { return this.stops ? this.stops[Number(this.input.value)] : Number(this.input.value) }

  tellValue(value) {
    const words = controlValue(this.control, value)
    setText(this.told, words)
    setAttribute(this.input, 'aria-valuetext', words)
  }

  render(control) {
    this.control = control
    const { kind, value } = control
    setAttribute(this.element, 'title', controlTooltip(control))
    this.input.disabled = !control.is_active || control.is_read_only
    if (kind === 'boolean') this.input.checked = value !== 0 && value !== false
    if (kind === 'menu') this.input.value = String(value)
    if (kind !== 'integer') return
    if (control.unit === '100us') {
      const stops = shutterStops(control)
      if (!stops.includes(value)) stops.push(value)
      this.stops = stops.sort((a, b) => a - b)
      Object.assign(this.input, { min: 0, max: this.stops.length - 1, step: 1 })
      this.input.value = String(this.stops.indexOf(value))
    } else {
      Object.assign(this.input, { min: control.minimum, max: control.maximum, step: Math.max(1, control.step) })
      this.input.value = String(value)
    }
    this.tellValue(value)
    this.renderLimit(control)
  }

  /** Marks the longest exposure that keeps the rate. */
  renderLimit({ frame_limit: limit, minimum, maximum }) {
    const has = limit !== null && limit !== undefined && limit < maximum
    this.tick.hidden = !has
    if (!has) {
      setText(this.limitTold, '')
      return
    }
    const part = this.stops ? this.stops.indexOf(limit) / Math.max(1, this.stops.length - 1) : (limit - minimum) / (maximum - minimum)
    // A slider's thumb is about 16 px wide, so its centre moves from 8 px after the start to 8 px before the
    // end.
    this.tick.style.left = `calc(7px + ${Math.min(1, Math.max(0, part))} * (100% - 16px))`
    setText(this.limitTold, `Up to ${controlValue(this.control, limit)} keeps the full rate.`)
  }
}

export class Controls {
  constructor() {
    this.controls = new Map()
    byId('panel-controls').addEventListener('toggle', () => this.load())
    setInterval(() => this.load(), looksEvery)
  }

  render(state) {
    const camera = state.camera ? `${chosenLetter() ?? ''} ${state.camera.id} ${state.camera.mode.text}` : null
    if (camera === this.camera) return
    this.camera = camera
    this.load()
  }

  async load() {
    if (!byId('panel-controls').open || document.hidden || this.isLoading) return
    this.isLoading = true
    const { camera } = this
    const list = camera ? await get(`/api/controls${ofChosen()}`).catch(() => null) : []
    this.isLoading = false
    if (camera !== this.camera) this.load()
    else if (list) this.show(list)
  }

  show(unsorted) {
    // The controls that users set first come first; the others stay in the driver's order.
    const list = unsorted.toSorted((a, b) => rank(a) - rank(b))
    const names = this.camera && `${chosenLetter() ?? ''} ${list.map((control) => `${control.name} ${control.kind}`).join()}`
    if (names !== this.names) {
      this.names = names
      this.controls = new Map(list.map((control) => [control.name, new Control(control, () => this.load())]))
      const elements = [...this.controls.values()].map((control) => control.element)
      byId('controls').replaceChildren(...(elements.length > 0 ? elements : [make('p', { className: 'hint', textContent: this.camera ? 'This camera has no controls.' : 'No camera is in use.' })]))
      return
    }
    for (const control of list) {
      const shown = this.controls.get(control.name)
      if (!shown.isHeld) shown.render(control)
    }
  }
}
