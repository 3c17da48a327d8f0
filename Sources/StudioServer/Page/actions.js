// The buttons for recording; each is shown while it applies.
import { post } from './api.js'
import { byId, setText } from './dom.js'
import { attempt, sure } from './notices.js'
import { RecordOptions } from './record.js'
import { studio } from './state.js'

const commands = {
  'do-stop': '/api/stop', 'do-trigger': '/api/trigger', 'do-review': '/api/stop',
  'do-resume': '/api/resume', 'do-arm': '/api/arm', 'do-photo': '/api/photo', 'do-motion-photo': '/api/motion-photo',
}

const photos = ['do-photo', 'do-motion-photo']

/** Returns the ids of the buttons that apply in a state. */
function meaningful(state, review) {
  // A saved take is edited whatever the camera does.
  if (review.isSaved) return ['do-in', 'do-out', 'do-save', 'do-done']
  switch (state.phase) {
    case 'armed': return ['do-record', 'do-trigger', ...photos]
    case 'filming': return (state.take?.trigger ?? null) === null ? ['do-stop', ...photos] : ['do-stop', 'do-trigger', ...photos]
    // The frames in memory are not a take yet, so no Motion Photo can be made of them.
    case 'gathering': return [state.take && state.take.trigger !== null ? 'do-review' : 'do-stop', 'do-photo']
    case 'reviewing': return ['do-in', 'do-out', 'do-save', 'do-arm']
    case 'interrupted': return state.interruption?.waits_for_resume ? ['do-resume'] : []
    default: return []
  }
}

export class Actions {
  constructor(review) {
    this.review = review
    for (const [id, path] of Object.entries(commands)) {
      byId(id).addEventListener('click', async () => {
        const question = id === 'do-arm' ? review.unsaved : null
        if (question && !(await sure(question, 'Discard'))) return
        attempt(() => post(path))
      })
    }
    this.options = new RecordOptions()
    byId('do-record').addEventListener('click', () => attempt(() => this.options.start()))
    byId('do-in').addEventListener('click', () => review.markIn())
    byId('do-out').addEventListener('click', () => review.markOut())
    byId('do-save').addEventListener('click', () => review.save())
    this.review = review
  }

  render(state) {
    const shown = new Set(studio.connection === 'open' ? meaningful(state, this.review) : [])
    const bar = byId('actions')
    const hadFocus = bar.contains(document.activeElement)
    for (const button of bar.querySelectorAll('button')) button.hidden = !shown.has(button.id)
    // If the focused button is hidden, the focus stays in the bar.
    if (hadFocus && document.activeElement.hidden !== false) bar.querySelector('button:not([hidden])')?.focus()
    this.options.render(state, this.review.isSaved)
    const count = state.photos_in_progress
    byId('photos').hidden = count === 0
    setText(byId('photos'), count === 1 ? '1 photo is being written' : `${count} photos are being written`)
  }

  /** Clicks the first of these buttons that is shown. */
  press(...ids) {
    const id = ids.find((name) => !byId(name).hidden)
    if (id && !byId('studio').hidden) byId(id).click()
    return id !== undefined
  }
}
