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
  Object.assign(region.style, { maxHeight: '', bottom: '' })
  const [own, bar] = [region, byId('actions')].map((element) => element.getBoundingClientRect())
  const room = innerHeight - bar.bottom - 16
  if (isAtTop || bar.height === 0 || own.right <= bar.left || bar.right <= own.left || room < leastRoom) return
  Object.assign(region.style, { maxHeight: `${room}px`, bottom: '8px' })
}

export function place() {
  const region = byId('notices')
  if (region.children.length === 0) return
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
}

new MutationObserver(place).observe(byId('notices'), { childList: true })
addEventListener('focusin', place)
addEventListener('resize', place)
// Panels scroll by themselves.
addEventListener('scroll', place, { capture: true, passive: true })
