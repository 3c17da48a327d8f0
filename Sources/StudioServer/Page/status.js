// The camera's current rate, losses, memory and disk, and the bar that fills up around a trigger.
import { byId, make, setAttribute, setText } from './dom.js'
import { bytes, duration, frames, percent, rate } from './format.js'

const rows = new Map()

/** The free bytes below which a disk is almost full, while no rate tells how long it lasts. */
const least = 1e8

/** Shows a figure; among the details if `isDetail`. */
function row(key, title, value, { warns = false, isDetail = false } = {}) {
  let entry = rows.get(key)
  if (!entry) {
    entry = { element: make('div', {}, make('dt', { textContent: title }), make('dd')) }
    rows.set(key, entry)
    byId(isDetail ? 'status-details' : 'status').append(entry.element)
  }
  entry.element.hidden = value === null
  entry.element.classList.toggle('warning', warns)
  setText(entry.element.lastChild, value ?? '')
}

export function renderStatus(state, liveRate) {
  const { camera, disk, phase } = state
  const captured = camera !== null && ['armed', 'filming', 'gathering'].includes(phase)
  const told = (fps) => (captured ? (fps === null ? 'not known yet' : rate(fps)) : null)
  const { frames_lost: lost } = state
  const left = disk?.seconds_left ?? null
  const isLow = disk ? (left === null ? disk.free_bytes < least : left < 30) : false
  row('measured', 'Measured rate', told(state.measured_fps))
  row('lost', 'Lost frames', camera ? (lost > 0 ? `\u26a0 ${lost}` : 'none') : null, { warns: lost > 0 })
  row('disk', 'Disk', disk ? `${isLow ? '\u26a0 almost full, ' : ''}${left === null ? `${bytes(disk.free_bytes)} free` : `${duration(left * 1e9)} left`}` : null, { warns: isLow })
  row('ring', 'Memory in use', camera && state.ring_fill !== null && state.ring_fill !== undefined ? percent(state.ring_fill) : null)
  row('claimed', 'Claimed rate', captured ? rate(camera.mode.fps) : null, { isDetail: true })
  row('accepted', 'Accepted rate', told(state.accepted_fps), { isDetail: true })
  row('free', 'Free on the disk', disk ? bytes(disk.free_bytes) : null, { isDetail: true })
  row('shown', 'Live picture', captured && liveRate !== null ? `${liveRate} fps` : null, { isDetail: true })
  byId('status-more').hidden = !captured
  const clip = state.clips[0]
  row('clips', state.clips.length > 1 ? 'Clips' : 'Clip', clip ? `${percent(clip.fraction)} done${state.clips.length > 1 ? `, ${state.clips.length - 1} waiting` : ''}` : null)
}

export function renderRoll(state) {
  const { settings, take, phase } = state
  const shown = ['armed', 'filming', 'gathering'].includes(phase)
  byId('standby').hidden = !shown
  if (!shown) return
  const recording = phase === 'filming' || phase === 'gathering'
  const open = recording && (take?.trigger ?? null) === null
  const pre = settings.pre_ns
  const post = settings.post_ns
  const bar = byId('roll')
  bar.hidden = open || pre + post === 0
  byId('roll-pre').style.flex = `${Math.max(pre, 1)} 0 0`
  byId('roll-post').style.flex = `${Math.max(post, 1)} 0 0`
  byId('roll-pre').hidden = pre === 0
  byId('roll-post').hidden = post === 0
  // From its first frame to its last, a full pre-roll is one frame interval short.
  const whole = 0.97
  const held = recording || state.held_ns >= pre * whole ? 1 : state.held_ns / pre
  const came = recording && take && post > 0 ? Math.min(1, Math.max(0, (take.duration_ns - Math.min(pre, take.duration_ns)) / post)) : 0
  byId('roll-pre-fill').style.width = `${held * 100}%`
  byId('roll-post-fill').style.width = `${came * 100}%`
  setAttribute(bar, 'aria-label', recording ? 'Post-roll' : 'Pre-roll')
  setAttribute(bar, 'aria-valuenow', Math.round((recording ? came : held) * 100))
  if (recording) setText(byId('roll-text'), take ? `${duration(take.duration_ns)}${open ? '' : ` of ${duration(pre + post)}`}` : '')
  else if (pre === 0) setText(byId('roll-text'), 'No pre-roll')
  else setText(byId('roll-text'), held < 1 ? `Pre-roll ${duration(Math.min(state.held_ns, pre))} of ${duration(pre)}` : `Pre-roll of ${duration(pre)} is ready`)
}

export function renderBadge(state) {
  const badge = byId('badge')
  const { take, phase } = state
  const recording = phase === 'filming' || phase === 'gathering'
  const facts = recording && take ? [duration(take.duration_ns), take.written > 0 && frames(take.written), take.lost > 0 && `${take.lost} lost`] : []
  const text = facts.length > 0 ? facts.filter(Boolean).join(', ') : { saving: 'Saving', starting: 'Starting' }[phase] ?? ''
  badge.hidden = text === ''
  badge.classList.toggle('recording', recording)
  setText(badge, text)
  byId('picture').classList.toggle('recording', recording)
}
