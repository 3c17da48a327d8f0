// The camera's current rate, losses, memory and disk, and the bar that fills up around a trigger.
import { byId, make, setAttribute, setText } from './dom.js'
import { bytes, duration, percent, rate } from './format.js'

const rows = new Map()

function row(key, title, value, isLost = false) {
  let entry = rows.get(key)
  if (!entry) {
    entry = { element: make('div', {}, make('dt', { textContent: title }), make('dd')) }
    rows.set(key, entry)
    byId('status').append(entry.element)
  }
  entry.element.hidden = value === null
  entry.element.classList.toggle('lost', isLost)
  setText(entry.element.lastChild, value ?? '')
}

export function renderStatus(state, liveRate) {
  const { camera, disk, phase } = state
  const captured = camera !== null && ['armed', 'filming', 'gathering'].includes(phase)
  row('claimed', 'Claimed', captured ? rate(camera.mode.fps) : null)
  row('accepted', 'Accepted', captured ? (state.accepted_fps === null ? 'not known yet' : rate(state.accepted_fps)) : null)
  row('measured', 'Measured', captured ? (state.measured_fps === null ? 'not known yet' : rate(state.measured_fps)) : null)
  row('lost', 'Lost frames', camera ? String(state.frames_lost) : null, state.frames_lost > 0)
  row('ring', 'Memory in use', camera && state.ring_fill !== null && state.ring_fill !== undefined ? percent(state.ring_fill) : null)
  const left = disk?.seconds_left
  row('disk', 'Disk', disk ? (left === null || left === undefined ? `${bytes(disk.free_bytes)} free` : `${duration(left * 1e9)} left`) : null)
  row('shown', 'Live picture', captured && liveRate !== null ? `${liveRate} fps` : null)
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
  const text = recording && take ? `${duration(take.duration_ns)}   ${take.written > 0 ? `${take.written} frames` : ''}${take.lost > 0 ? `, ${take.lost} lost` : ''}`.trim() : { saving: 'Saving', starting: 'Starting' }[phase] ?? ''
  badge.hidden = text === ''
  badge.classList.toggle('recording', recording)
  setText(badge, text)
  byId('picture').classList.toggle('recording', recording)
}
