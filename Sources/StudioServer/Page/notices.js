// What happened, in words, for as long as it takes to read.
import { byId, make } from './dom.js'

const troubles = new Set(['photo_failed', 'clip_failed', 'take_failed', 'mode_refused', 'interrupted', 'error'])
const shownFor = 8000
const mostAtOnce = 4

/** Shows a message; troubles stay until they are dismissed. */
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

/** Takes messages of a kind away that are true no more. */
export function forget(kind) {
  for (const notice of [...byId('notices').children]) if (notice.dataset.kind === kind) notice.remove()
}

/** Does something that the studio may refuse, and tells why it did. Returns what it gave, or `undefined`. */
export async function attempt(work) {
  try {
    return await work()
  } catch (error) {
    tell(error.message, 'error')
    return undefined
  }
}
