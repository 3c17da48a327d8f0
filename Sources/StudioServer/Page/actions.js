// The buttons for recording; each is shown while it applies.
import { post } from './api.js'
import { aboutChosen, chosenLetter } from './cameras.js'
import { byId, setText } from './dom.js'
import { attempt, sure } from './notices.js'
import { RecordOptions } from './record.js'
import { studio } from './state.js'

const commands = {
  'do-stop': '/api/stop', 'do-trigger': '/api/trigger', 'do-review': '/api/stop',
  'do-resume': '/api/resume', 'do-arm': '/api/arm', 'do-photo': '/api/photo', 'do-motion-photo': '/api/motion-photo',
}

const store = 'overcrank-photo-light'

/** The times for which the screen is white before a photo, so that the exposure settles, and after it, in milliseconds. */
const [litBefore, litAfter] = [500, 300]

const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time) })

/** Takes a photo: if the switch is on, in the camera's light, or, if it has none, in that of this screen. */
async function photo() {
  if (!byId('photo-light').checked) return post(commands['do-photo'], aboutChosen())
  try {
    return await post(commands['do-photo'], aboutChosen({ light: true }))
  } catch (error) {
    if (error.status !== 404) throw error
  }
  const screen = byId('screen-light')
  screen.hidden = false
  try {
    await pause(litBefore)
    return await post(commands['do-photo'], aboutChosen())
  } finally {
    await pause(litAfter)
    screen.hidden = true
  }
}

/** The time in which a second click belongs to the first, in milliseconds. */
const doubleClick = 500

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
        attempt(() => (id === 'do-photo' ? photo() : post(path)))
      })
    }
    const light = byId('photo-light')
    light.checked = localStorage.getItem(store) === 'on'
    light.addEventListener('change', () => localStorage.setItem(store, light.checked ? 'on' : 'off'))
    // The second click of a double click would reach the button that took the place of the first.
    byId('actions').addEventListener('click', (event) => {
      const button = event.target.closest('button')?.id
      const isSecond = event.detail > 1 && button !== this.first
      if (event.detail > 0 && (isSecond || event.target.closest('[aria-disabled=true]'))) {
        event.preventDefault()
        event.stopImmediatePropagation()
      } else if (event.detail > 0) [this.clicked, this.first] = [performance.now(), button]
    }, { capture: true })
    this.options = new RecordOptions()
    byId('do-record').addEventListener('click', () => attempt(() => this.options.start()))
    byId('do-in').addEventListener('click', () => review.markIn())
    byId('do-out').addEventListener('click', () => review.markOut())
    byId('do-save').addEventListener('click', () => review.save())
  }

  render(state) {
    const shown = new Set(studio.connection === 'open' ? meaningful(state, this.review) : [])
    // It is of one camera, and several record together.
    if (chosenLetter() !== null) shown.delete('do-motion-photo')
    const bar = byId('actions')
    const hadFocus = bar.contains(document.activeElement)
    const buttons = [...bar.querySelectorAll('button:not(#last)')]
    const before = buttons.filter((button) => !button.hidden).map(({ id }) => id).join()
    for (const button of buttons) button.hidden = !shown.has(button.id)
    const now = buttons.filter((button) => !button.hidden).map(({ id }) => id).join()
    if (before !== now && performance.now() - (this.clicked ?? -Infinity) < 2 * doubleClick) this.guard(buttons)
    // If the focused button is hidden, the focus stays in the bar.
    if (hadFocus && document.activeElement.hidden !== false) bar.querySelector('button:not([hidden])')?.focus()
    this.options.render(state, this.review.isSaved)
    const count = state.photos_in_progress
    byId('photos').hidden = count === 0
    setText(byId('photos'), count === 1 ? '1 photo is being written' : `${count} photos are being written`)
  }

  /** Makes the bar deaf to the pointer for as long as a double click may last. */
  guard(buttons) {
    for (const button of buttons) button.setAttribute('aria-disabled', 'true')
    clearTimeout(this.guarded)
    this.guarded = setTimeout(() => { for (const button of buttons) button.removeAttribute('aria-disabled') }, doubleClick)
  }

  /** Clicks the first of these buttons that is shown. */
  press(...ids) {
    const id = ids.find((name) => !byId(name).hidden)
    if (id && !byId('studio').hidden) byId(id).click()
    return id !== undefined
  }
}
