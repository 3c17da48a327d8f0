// The options of a clip of a saved take, or of a group, beside its part and its speed.
import { byId, setOptions } from './dom.js'
import { stages } from './clips.js'
import { accept } from './told.js'

/** The options by the API's names, which end the ids of their fields. */
const names = ['for', 'crop', 'scale', 'text', 'order', 'format']

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
  /** `changed` is called when the user changes an option; `prefix` begins the ids of the fields. */
  constructor(changed, prefix = 'clip') {
    this.prefix = prefix
    this.changed = changed
    this.offer('')
    for (const name of names) {
      this.field(name).addEventListener('change', () => {
        accept(this.field(name))
        changed()
      })
    }
  }

  field(name) { return byId(`${this.prefix}-${name}`) }

  /** Fills the menu of crops, which may have one more. */
  offer(crop) {
    const items = crops.map(([value, text]) => ({ value, text }))
    setOptions(this.field('crop'), [{ items: crops.some(([value]) => value === crop) ? items : [...items, { value: crop, text: crop }] }])
  }

  /** Chooses a crop that need not be in the menu. */
  crop(text) {
    this.offer(text)
    this.field('crop').value = text
    accept(this.field('crop'))
    this.changed()
  }

  /** The chosen options, as the API wants them. */
  get chosen() {
    const all = names.map((name) => [name, this.field(name).value.trim()])
    return Object.fromEntries(all.filter(([, value]) => value !== ''))
  }

  /** Shows options; those that are missing are not chosen. */
  show(options = {}) {
    this.offer(options.crop ?? '')
    for (const name of names) {
      this.field(name).value = options[name] ?? ''
      accept(this.field(name))
    }
    if (Object.keys(options).length > 0) this.field('options').open = true
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
  fieldOf(error) {
    const name = /^"([a-z]+)"/.exec(error.message)?.[1]
    return names.includes(name) ? this.field(name) : null
  }

  /** Goes to a field that was refused: it may be far from the button, or folded away. */
  static show(field) {
    const folded = field?.closest('details')
    if (folded) folded.open = true
    field?.focus()
  }
}
