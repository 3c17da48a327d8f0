// The words for an item of the library: its title, its kind, its time.
import { duration, frames as framesTold } from './format.js'

export const where = (id) => `/api/takes/${encodeURIComponent(id)}`

export const whereGroup = (id) => `/api/groups/${encodeURIComponent(id)}`

export const photoKind = ({ is_motion: isMotion, has_video: hasVideo, pictures }) => (isMotion ? 'Motion Photo' : hasVideo ? 'Live Photo' : pictures > 1 ? `Burst of ${pictures} photos` : 'Photo')

const kinds = { newer: 'Written by a newer version', damaged: 'Damaged', unfinished: 'Unfinished' }

export const kind = (item) => (item.photo ? photoKind(item.photo) : kinds[item.kind] ?? 'Take')

/** The day of an item in local time, such as "2026-11-12"; empty if its date is not known. */
export function day(text) {
  const when = new Date(text)
  if (Number.isNaN(when.getTime())) return ''
  return [when.getFullYear(), when.getMonth() + 1, when.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** "Today", "Yesterday", or "12 Nov 2026". */
export function dayTold(text, now = new Date()) {
  const when = new Date(text)
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (day(when) === day(now)) return 'Today'
  if (day(when) === day(yesterday)) return 'Yesterday'
  return when.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
}

/** "Today 21:53", "Yesterday 08:12", or "12 Nov 2026, 08:12". */
export function date(text, now = new Date()) {
  const when = new Date(text)
  if (Number.isNaN(when.getTime())) return text ?? 'unknown time'
  const time = [when.getHours(), when.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
  const told = dayTold(when, now)
  return /^[TY]/.test(told) ? `${told} ${time}` : `${told}, ${time}`
}

/** The words that a person gave an item: its label, or a name that is not made of the time; `null` if there are none. */
const given = ({ label, name }) => label || (/^overcrank-\d{8}T\d/.test(name) ? null : name)

export const title = (item) => given(item) || (item.date ? date(item.date) : item.name)

export const hasClip = (item) => item.clips.some((clip) => clip.is_there)

/** What a card says below its title. */
export const told = (item) => [
  given(item) && item.date ? date(item.date) : null,
  kind(item),
  item.photo || item.duration_ns === null ? null : duration(item.duration_ns),
  item.photo ? null : item.mode?.text,
].filter(Boolean).join(', ')

/** Whether a take has a trigger: Record, and a trigger without a pre-roll, only begin it. */
export const hasTrigger = (take) => (take?.trigger_ns ?? 0) > 0

/** A sentence about lost frames, or `null` if none are lost. */
export const lossTold = (item) => (item.lost > 0 ? `${framesTold(item.lost)} lost` : null)

/** Such as "2 takes and 1 photo". */
export function count(items) {
  const photos = items.filter((item) => item.photo).length
  const takes = items.length - photos
  return [
    takes > 0 ? (takes === 1 ? '1 take' : `${takes} takes`) : null,
    photos > 0 ? (photos === 1 ? '1 photo' : `${photos} photos`) : null,
  ].filter(Boolean).join(' and ')
}

/** What tells where the frames of several cameras lie in time, by the group file's names. */
const signs = { stamps: 'timestamps', flash: 'flashes', clap: 'claps', trigger: 'the trigger' }

/** How the cameras of a group were aligned, and how far that may be off: at least a microsecond, as no clock is exact. */
export function aligned({ cameras }) {
  const by = [...new Set(cameras.flatMap((camera) => camera.by))].map((sign) => signs[sign] ?? sign).join(', ')
  const bounds = cameras.slice(1).map((camera) => camera.uncertainty_ns)
  const bound = bounds.length === 0 || bounds.includes(null) ? null : Math.max(1000, ...bounds)
  return [by && `aligned by ${by}`, bound === null ? null : `give or take ${(bound / 1e6).toFixed(3)} ms`].filter(Boolean).join(', ')
}
