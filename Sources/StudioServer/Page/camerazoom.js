// The camera's own zoom, which the wheel over the live picture moves smoothly.
import { get } from './api.js'
import { chosenLetter, ofChosen } from './cameras.js'
import { byId, setText } from './dom.js'
import { Sender } from './sender.js'

const steps = 20
/** The seconds from one end of the zoom to the other. */
const travel = 2
const shownFor = 2000

export class CameraZoom {
  /** `changed` is called after each movement. */
  constructor(changed) {
    this.control = null
    this.camera = null
    this.target = null
    this.by = 0
    this.isLoading = false
    this.changed = changed
  }

  get isThere() { return this.control !== null }

  render({ camera }) {
    const id = camera ? `${chosenLetter() ?? ''} ${camera.id}` : null
    if (id === this.camera) return
    this.camera = id
    this.control = null
    this.isLoading = false
    this.target = null
    this.exact = null
    this.sender = null
    this.by = 0
    if (id !== null) this.loadFirst()
  }

  /** Whether the camera has a zoom is not known yet: the wheel's notches wait until it is. */
  async loadFirst() {
    const { camera } = this
    this.isLoading = true
    await this.load()
    if (camera !== this.camera) return
    this.isLoading = false
    if (this.by !== 0) this.go()
  }

  async load() {
    const { camera } = this
    const list = await get(`/api/controls${ofChosen()}`).catch(() => [])
    if (camera !== this.camera) return
    this.control = list.find(({ name, kind, is_active: isActive, is_read_only: isFixed, minimum, maximum }) =>
      name === 'zoom_absolute' && kind === 'integer' && isActive && !isFixed && maximum > minimum) ?? null
  }

  /** Moves by notches of a wheel. Returns whether the camera has a zoom, or may have one. */
  move(by) {
    if (!this.isThere && !this.isLoading) return false
    this.by += by
    if (!this.isMoving && !this.isLoading) this.go()
    return true
  }

  async go() {
    this.isMoving = true
    // Another page, or the slider of the control, may have moved it.
    if (this.target === null) {
      await this.load()
      this.target = this.control?.value ?? null
    }
    this.isMoving = false
    const { by } = this
    this.by = 0
    if (this.target === null) return
    const { name, minimum, maximum, step } = this.control
    const whole = maximum - minimum
    const least = Math.max(1, step)
    this.exact = Math.min(maximum, Math.max(minimum, (this.exact ?? this.target) + (by * whole) / steps))
    this.target = minimum + Math.round((this.exact - minimum) / least) * least
    this.sender ??= new Sender(name, () => this.changed())
    this.sender.send(this.target, Math.max(0.001, whole / travel))
    this.tell()
  }

  tell() {
    const told = byId('camera-zoom-told')
    const { minimum, maximum } = this.control
    told.hidden = false
    setText(told, `Camera zoom ${this.target} (${minimum} to ${maximum})`)
    clearTimeout(this.later)
    this.later = setTimeout(() => {
      told.hidden = true
      this.target = null
      this.exact = null
      this.changed()
    }, shownFor)
  }
}
