// The place of the notices: at the bottom, or at the top where they would cover what they are about or what is in use.
import { byId } from './dom.js'

const fields = 'input, select, textarea, [role=slider], [role=application]'

const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** The boxes that must stay free. */
function kept(region) {
  const { activeElement: used } = document
  return [
    ...[...region.children].map((notice) => notice.about),
    used?.matches(fields) ? used : null,
    ...document.querySelectorAll('.refused'),
    byId('actions'),
  ].filter((element) => element?.checkVisibility?.()).map((element) => element.getBoundingClientRect())
}

/** The least room below the recording buttons in which notices can be read, in pixels. */
const leastRoom = 140

/** Keeps notices at the bottom of a phone below the recording buttons, if there is room: they scroll. */
function limit(region, isAtTop) {
  const [own, bar] = [region, byId('actions')].map((element) => element.getBoundingClientRect())
  const room = innerHeight - bar.bottom - 16
  const isBelow = !isAtTop && bar.height > 0 && own.left < bar.right && bar.left < own.right && room >= leastRoom
  Object.assign(region.style, isBelow ? { maxHeight: `${room}px`, bottom: '8px' } : { maxHeight: '', bottom: '' })
}

export function place() {
  const region = byId('notices')
  if (region.children.length === 0) return
  const { scrollTop } = region
  const boxes = kept(region)
  const covered = (isAtTop) => {
    region.classList.toggle('at-top', isAtTop)
    limit(region, isAtTop)
    const own = region.getBoundingClientRect()
    // The one that matters most comes first.
    const at = boxes.findIndex((box) => meets(own, box))
    return at < 0 ? Infinity : at
  }
  const [bottom, top] = [covered(false), covered(true)]
  region.classList.toggle('at-top', top > bottom)
  limit(region, top > bottom)
  region.scrollTop = scrollTop
}

new MutationObserver((changes) => {
  place()
  // Where they scroll, the newest is in sight.
  if (changes.some(({ addedNodes }) => addedNodes.length > 0)) byId('notices').scrollTop = byId('notices').scrollHeight
}).observe(byId('notices'), { childList: true })
addEventListener('focusin', place)
addEventListener('resize', place)
// Panels scroll by themselves, and so do the notices, which stay then.
addEventListener('scroll', ({ target }) => { if (target !== byId('notices')) place() }, { capture: true, passive: true })
