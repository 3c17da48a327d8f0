// Sends the values of a control of the camera.
import { put } from './api.js'
import { ofChosen } from './cameras.js'
import { refuse } from './notices.js'

/** Sends only the newest value, one request at a time, however fast a slider is dragged. */
export class Sender {
  constructor(name, answered) {
    this.name = name
    this.answered = answered
    this.camera = ofChosen()
  }

  get isBusy() { return this.sending === true }

  /** With a `rate`, the camera moves there by that many of the control's units a second. */
  async send(value, rate) {
    this.wanted = rate === undefined ? { value } : { value, rate }
    if (this.sending) return
    this.sending = true
    while (this.wanted) {
      const body = this.wanted
      this.wanted = null
      try {
        this.answered(await put(`/api/controls/${encodeURIComponent(this.name)}${this.camera}`, body))
      } catch (error) {
        refuse(error)
        this.failed?.()
      }
    }
    this.sending = false
  }
}
