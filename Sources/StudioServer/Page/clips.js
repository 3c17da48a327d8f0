// The clips of a take or a group in words, in a list, and the pictures and videos that they are.
import { speedTold } from './curve.js'
import { make } from './dom.js'
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

/** The words for an order or a layout, as its menu has them. */
const choiceTold = (menu, value) => value && document.querySelector(`#${menu} option[value="${CSS.escape(value)}"]`)?.textContent

const seconds = (ns) => `${(ns / 1e9).toFixed(2)} s`

/** The part of the take, or of the time that the cameras of a group have in common, that a clip shows. */
function part({ spec }) {
  if (!spec?.part) return null
  const { start_ns: start, end_ns: end } = spec.part
  if (start === 0 && end === null) return spec.render?.layout ? 'all of the common time' : 'whole take'
  return `${seconds(start)} to ${end === null ? 'the end' : seconds(end)}`
}

/** How a clip was made, which tells it apart from the others; its name if that is not known. */
export function madeTold(clip) {
  // Only that of a group may be listed nowhere.
  if (clip.speed === null) return clip.file
  const { crop, scale, text, order } = stages(clip)
  const made = [speedTold(clip.speed), choiceTold('group-layout', clip.spec?.render?.layout)?.toLowerCase(), part(clip), choiceTold('clip-order', order), crop && `crop ${crop}`, scale && `size ${scale}`, text && `\u201c${text}\u201d`]
  return made.filter(Boolean).join(', ')
}

/** A clip in a menu: how it was made, the kind of its file, and its name. */
export const clipTold = (clip) => [madeTold(clip), format(clip), clip.file].filter(Boolean).join(', ')

/** The facts about a clip's file. */
const fileTold = (clip) => [
  format(clip), clip.duration_ns === null ? null : duration(clip.duration_ns), clip.bytes === null ? null : bytes(clip.bytes), clip.date && date(clip.date),
].filter(Boolean).join(', ')

/** The item of a clip in a list, with buttons of these names and what they do. */
export function clipItem(clip, acts) {
  const words = [['made', madeTold(clip)], ['hint', fileTold(clip)]].map(([className, textContent]) => make('span', { className, textContent }))
  const buttons = Object.entries(acts).map(([textContent, onclick]) => make('button', { type: 'button', textContent, 'aria-label': `${textContent} clip ${clip.file}`, onclick }))
  return make('li', {}, make('p', { className: 'grow', title: clip.file }, ...words), ...buttons)
}
