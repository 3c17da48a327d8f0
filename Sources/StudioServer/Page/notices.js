// Events in words, shown for as long as it takes to read them.
import { Unreachable } from './api.js'
import { byId, make, setText } from './dom.js'
import { accept, refuseAt } from './told.js'
import './place.js'

const troubles = new Set(['frame_failed', 'photo_failed', 'clip_failed', 'take_failed', 'mode_refused', 'interrupted', 'camera_failed', 'memory_full', 'connection', 'error', 'refused'])
const shownFor = 8000
const mostAtOnce = 4

/**
 * Shows a message, and returns its element; one about a problem stays until it is dismissed. `buttons` is
 * `[{text, act}]`; the message goes when one is pressed.
 */
export function tell(message, kind = 'told', buttons = []) {
  const region = byId('notices')
  const same = [...region.children].find((notice) => notice.firstChild.textContent === message)
  same?.remove()
  const trouble = troubles.has(kind)
  const notice = make('div', { className: trouble ? 'notice trouble' : 'notice' }, make('p', { textContent: message }))
  notice.dataset.kind = kind
  for (const { text, act } of buttons) {
    notice.append(make('button', { type: 'button', textContent: text, 'aria-label': `${text}: ${message}`, onclick: () => { notice.remove(); act() } }))
  }
  notice.append(make('button', { type: 'button', className: 'dismiss', textContent: '\u00d7', title: 'Dismiss', 'aria-label': `Dismiss: ${message}`, onclick: () => notice.remove() }))
  region.append(notice)
  while (region.children.length > mostAtOnce) region.firstElementChild.remove()
  if (!trouble) {
    const go = () => (notice.matches(':hover, :focus-within') ? setTimeout(go, 1000) : notice.remove())
    setTimeout(go, shownFor)
  }
  return notice
}

/** Removes messages of a kind that are no longer true. */
export function forget(kind) {
  for (const notice of [...byId('notices').children]) if (notice.dataset.kind === kind) notice.remove()
}

/** Removes messages of a kind about an item, or a group. */
export function forgetAbout(kind, id) {
  for (const notice of [...byId('notices').children]) if (notice.dataset.kind === kind && [notice.dataset.item, notice.dataset.group].includes(id)) notice.remove()
}

/** The API's message may begin with a key, which is meant for programs. */
const plain = ({ message }) => message.replace(/^"[a-z_]+"(: | is invalid: )/, '')

/** Shows the studio's reason for a refusal. What failed for one item of several stays until it is dismissed. */
export function refuse(error, before = '') {
  tell(before + plain(error), before ? 'error' : 'refused')
}

/**
 * Runs an action that the studio may refuse, and shows the reason until another action succeeds: below `field`, if the
 * action is about what the user typed there; a function of the error may choose it. Returns the action's result, or `undefined`.
 */
export async function attempt(work, field = null) {
  try {
    const given = await work()
    forget('refused')
    if (field && typeof field !== 'function') accept(field)
    return given
  } catch (error) {
    const at = typeof field === 'function' ? field(error) : field
    if (at && !(error instanceof Unreachable)) refuseAt(at, plain(error))
    else refuse(error)
    return undefined
  }
}

/**
 * Asks for confirmation before something is lost for good; `yes` is the label of the button that confirms.
 */
export function sure(question, yes = 'Remove') {
  const dialog = byId('ask')
  setText(byId('ask-text'), question)
  setText(byId('ask-yes'), yes)
  dialog.returnValue = 'no'
  dialog.showModal()
  byId('ask-no').focus()
  return new Promise((resolve) => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true }))
}
