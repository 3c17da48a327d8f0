// Events in words, shown for as long as it takes to read them.
import { byId, make, setText } from './dom.js'

const troubles = new Set(['photo_failed', 'clip_failed', 'take_failed', 'mode_refused', 'interrupted', 'error', 'refused'])
const shownFor = 8000
const mostAtOnce = 4

/** Shows a message; one about a problem stays until it is dismissed. */
export function tell(message, kind = 'told') {
  const region = byId('notices')
  const same = [...region.children].find((notice) => notice.firstChild.textContent === message)
  same?.remove()
  const trouble = troubles.has(kind)
  const notice = make('div', { className: trouble ? 'notice trouble' : 'notice' }, make('p', { textContent: message }))
  notice.dataset.kind = kind
  notice.append(make('button', { type: 'button', textContent: 'Dismiss', 'aria-label': `Dismiss: ${message}`, onclick: () => notice.remove() }))
  region.append(notice)
  while (region.children.length > mostAtOnce) region.firstElementChild.remove()
  if (!trouble) {
    const go = () => (notice.matches(':hover, :focus-within') ? setTimeout(go, 1000) : notice.remove())
    setTimeout(go, shownFor)
  }
}

/** Removes messages of a kind that are no longer true. */
export function forget(kind) {
  for (const notice of [...byId('notices').children]) if (notice.dataset.kind === kind) notice.remove()
}

/** Shows the studio's reason for a refusal. */
export function refuse(error) {
  // The API's message may begin with a key, which is meant for programs.
  tell(error.message.replace(/^"[a-z_]+": /, ''), 'refused')
}

/**
 * Runs an action that the studio may refuse, and shows the reason until another action succeeds. Returns the
 * action's result, or `undefined`.
 */
export async function attempt(work) {
  try {
    const given = await work()
    forget('refused')
    return given
  } catch (error) {
    refuse(error)
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
