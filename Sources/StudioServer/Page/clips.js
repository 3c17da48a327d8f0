// A take's clips in words, and the pictures and videos that they are.
import { speedTold } from './curve.js'
import { bytes, duration } from './format.js'
import { date } from './items.js'

const formats = { mp4: 'MP4', m4v: 'MP4', mov: 'MOV', mkv: 'MKV', gif: 'GIF', webp: 'WebP', apng: 'APNG', png: 'APNG' }
const animations = new Set(['GIF', 'WebP', 'APNG'])

/** The format of a clip, by its file's name. */
export const format = ({ file }) => formats[file.split('.').pop().toLowerCase()] ?? ''

/** Whether browsers show a clip as a picture rather than as a video. */
export const isAnimation = (clip) => animations.has(format(clip))

/** The stages that the description of a clip names, as one object; none if there is no clip. */
export const stages = (clip) => Object.assign({}, ...(clip?.spec?.render?.stages ?? []))

/** The words for an order, as the menu of the clip's options has them. */
const orderWords = (order) => order && document.querySelector(`#clip-order option[value="${CSS.escape(order)}"]`)?.textContent

const seconds = (ns) => `${(ns / 1e9).toFixed(2)} s`

/** The part of the take that a clip shows. */
function part({ spec }) {
  if (!spec?.part) return null
  const { start_ns: start, end_ns: end } = spec.part
  if (start === 0 && end === null) return 'whole take'
  return `${seconds(start)} to ${end === null ? 'the end' : seconds(end)}`
}

/** The facts that tell a clip apart from the take's others: how it was made, and then its file. */
export function facts(clip) {
  const { crop, scale, text, order } = stages(clip)
  const made = [speedTold(clip.speed), part(clip), orderWords(order), crop && `crop ${crop}`, scale && `size ${scale}`, text && `\u201c${text}\u201d`]
  const file = [format(clip), clip.duration_ns === null ? null : duration(clip.duration_ns), clip.bytes === null ? null : bytes(clip.bytes), clip.date && date(clip.date)]
  return [made, file].map((words) => words.filter(Boolean).join(', '))
}
