// How a take is begun by hand: its limit, the countdown, and what the buttons do.
import { post } from './api.js'
import { byId, setText } from './dom.js'
import { bytes, duration } from './format.js'
import { refuseAt } from './told.js'

const store = 'overcrank-countdown'

export class RecordOptions {
  constructor() {
    const countdown = byId('record-countdown')
    countdown.checked = localStorage.getItem(store) === 'on'
    countdown.addEventListener('change', () => localStorage.setItem(store, countdown.checked ? 'on' : 'off'))
    byId('record-limit').addEventListener('change', () => this.check())
    byId('countdown-cancel').addEventListener('click', () => this.cancel())
  }

  /** The take's length in seconds; `null` for no limit, and `NaN` for a text that is no length. */
  get limit() {
    // Many locales use a decimal comma.
    const text = byId('record-limit').value.trim().replace(/ *s$/, '').replace(',', '.')
    if (text === '') return null
    const seconds = /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : NaN
    return seconds > 0 && seconds <= 86_400 ? seconds : NaN
  }

  /** Refuses a text that is no length at its field; returns whether the text is one. */
  check() {
    const isLength = !Number.isNaN(this.limit)
    if (!isLength) refuseAt(byId('record-limit'), '\u201cStop after\u201d takes a number of seconds, such as 5 or 2.5, or nothing. Record does not start with another text.')
    if (this.state) this.render(this.state)
    return isLength
  }

  /** Begins a take, after the countdown if one is wanted. */
  async start() {
    if (!this.check()) {
      byId('record-limit').focus()
      return
    }
    const { limit } = this
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
    if (isEdited !== undefined) this.isEdited = isEdited
    this.state = state
    const isArmed = state.phase === 'armed' && !this.isEdited
    byId('record-options').hidden = !isArmed
    if (!isArmed) return
    const { settings: { pre_ns: pre, post_ns: post, after_trigger: after, label }, disk } = state
    const { limit } = this
    const second = disk?.seconds_left > 0 ? disk.free_bytes / disk.seconds_left : null
    // A review is recorded into memory, which ends it.
    const holds = after === 'review' ? state.ring_seconds ?? null : null
    const record = Number.isNaN(limit) ? 'Record (R) does not start with this \u201cStop after\u201d.'
      : holds !== null && (limit === null || limit >= holds) ? `Record (R) lasts until Stop, or until memory is full, after about ${duration(holds * 1e9)}.`
      : limit > 0 ? `Record (R) stops after ${duration(limit * 1e9)}${second === null ? '' : `, up to ${bytes(limit * second)}`}.`
      : `Record (R) lasts until Stop${second === null ? '' : `, up to ${bytes(second)} a second`}.`
    const kept = [pre > 0 ? `the last ${duration(pre)}` : null, `the next ${duration(post)}`].filter(Boolean).join(' and ')
    setText(byId('action-told'), `${record} Trigger (Space) keeps ${kept}.${label ? ` Takes are labelled \u201c${label}\u201d.` : ''}`)
  }
}
