// How a take is begun by hand: its limit, the countdown, and what the buttons do.
import { post } from './api.js'
import { byId, setAttribute, setText } from './dom.js'
import { bytes, duration } from './format.js'
import { refuseAt } from './told.js'

const store = 'overcrank-countdown'

export class RecordOptions {
  constructor() {
    const countdown = byId('record-countdown')
    countdown.checked = localStorage.getItem(store) === 'on'
    countdown.addEventListener('change', () => localStorage.setItem(store, countdown.checked ? 'on' : 'off'))
    byId('record-limit').addEventListener('input', () => setAttribute(byId('record-limit'), 'aria-invalid', Number.isNaN(this.limit)))
    byId('countdown-cancel').addEventListener('click', () => this.cancel())
  }

  /** The take's length in seconds; `null` for no limit, and `NaN` for a text that is no length. */
  get limit() {
    const text = byId('record-limit').value.trim().replace(/ *s$/, '')
    if (text === '') return null
    const seconds = /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : NaN
    return seconds > 0 && seconds <= 86_400 ? seconds : NaN
  }

  /** Begins a take, after the countdown if one is wanted. */
  async start() {
    const { limit } = this
    if (Number.isNaN(limit)) {
      byId('record-limit').focus()
      refuseAt(byId('record-limit'), '\u201cStop after\u201d takes a number of seconds, such as 5 or 2.5, or nothing.')
      return
    }
    if (byId('record-countdown').checked && !(await this.counted(3))) return
    await post('/api/record', limit === null ? undefined : { duration_ns: Math.round(limit * 1e9) })
  }

  /** Counts down; `false` if it was cancelled. */
  async counted(seconds) {
    if (this.isCounting) return false
    this.isCounting = true
    byId('countdown').hidden = false
    byId('countdown-cancel').focus()
    for (let left = seconds; left > 0 && this.isCounting; left -= 1) {
      setText(byId('countdown-told'), String(left))
      await new Promise((resolve) => { this.wake = resolve; setTimeout(resolve, 1000) })
    }
    byId('countdown').hidden = true
    const isDone = this.isCounting
    this.isCounting = false
    return isDone
  }

  /** Cancels the countdown; `false` if there is none. */
  cancel() {
    if (!this.isCounting) return false
    this.isCounting = false
    this.wake()
    byId('do-record').focus()
    return true
  }

  render(state, isEdited) {
    const isArmed = state.phase === 'armed' && !isEdited
    byId('record-options').hidden = !isArmed
    if (!isArmed) return
    const { settings: { pre_ns: pre, post_ns: post }, disk } = state
    const { limit } = this
    const second = disk?.seconds_left > 0 ? disk.free_bytes / disk.seconds_left : null
    const record = limit > 0
      ? `Record (R) stops after ${duration(limit * 1e9)}${second === null ? '' : `, ${bytes(limit * second)}`}.`
      : `Record (R) lasts until Stop${second === null ? '' : `, ${bytes(second)} a second`}.`
    const kept = [pre > 0 ? `the last ${duration(pre)}` : null, `the next ${duration(post)}`].filter(Boolean).join(' and ')
    setText(byId('action-told'), `${record} Trigger (Space) keeps ${kept}.`)
  }
}
