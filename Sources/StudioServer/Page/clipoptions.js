// The options of a saved take's clip beside its part and its speed.
import { byId, setOptions } from './dom.js'
import { stages } from './clips.js'
import { accept } from './told.js'

/** The field of each option, by the API's name. */
const fields = { for: 'clip-for', crop: 'clip-crop', scale: 'clip-scale', text: 'clip-text', order: 'clip-order', format: 'clip-format' }

/** The options that are stages in a clip's description. */
const staged = ['crop', 'scale', 'text', 'order']

const crops = [['', 'whole picture'], ['9:16', '9:16 (phone)'], ['1:1', '1:1 (square)'], ['4:5', '4:5'], ['16:9', '16:9']]

/** The purpose whose settings a clip has, as far as its description tells. */
function purpose({ under, codec, preset } = {}) {
  if (codec === 'prores') return 'edit'
  if (under === 10_000_000) return 'chat'
  return preset === 'slow' ? 'web' : ''
}

export class ClipOptions {
  /** `changed` is called when the user changes an option. */
  constructor(changed) {
    this.offer('')
    for (const id of Object.values(fields)) {
      byId(id).addEventListener('change', () => {
        accept(byId(id))
        changed()
      })
    }
  }

  /** Fills the menu of crops, which may have one more. */
  offer(crop) {
    const items = crops.map(([value, text]) => ({ value, text }))
    setOptions(byId('clip-crop'), [{ items: crops.some(([value]) => value === crop) ? items : [...items, { value: crop, text: crop }] }])
  }

  /** The chosen options, as the API wants them. */
  get chosen() {
    const all = Object.entries(fields).map(([name, id]) => [name, byId(id).value.trim()])
    return Object.fromEntries(all.filter(([, value]) => value !== ''))
  }

  /** Shows options; those that are missing are not chosen. */
  show(options = {}) {
    this.offer(options.crop ?? '')
    for (const [name, id] of Object.entries(fields)) {
      byId(id).value = options[name] ?? ''
      accept(byId(id))
    }
    if (Object.keys(options).length > 0) byId('clip-options').open = true
  }

  /** The options of a clip, by its description. */
  static of(clip) {
    const described = stages(clip)
    const render = clip?.spec?.render
    const format = ['gif', 'webp', 'apng'].includes(render?.codec) ? render.codec : ''
    const all = { for: purpose(render), ...Object.fromEntries(staged.map((name) => [name, described[name]])), format }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => typeof value === 'string' && value !== ''))
  }

  /** A sentence about what the page cannot take over from a clip; empty if it takes over all. */
  static left(clip) {
    const known = new Set(['develop', ...staged])
    const left = Object.keys(stages(clip)).filter((name) => !known.has(name))
    return left.length === 0 ? '' : `Not taken over from ${clip.file}: ${left.join(', ').replaceAll('_', ' ')}.`
  }

  /** The field that a refusal is about; `null` if it is about none of these. */
  static field(error) {
    const name = /^"([a-z]+)"/.exec(error.message)?.[1]
    return fields[name] ? byId(fields[name]) : null
  }
}
