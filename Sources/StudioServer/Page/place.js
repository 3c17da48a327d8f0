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

export function place() {
  const region = byId('notices')
  if (region.children.length === 0) return
  const boxes = kept(region)
  const covered = (isAtTop) => {
    region.classList.toggle('at-top', isAtTop)
    const own = region.getBoundingClientRect()
    // The one that matters most comes first.
    const at = boxes.findIndex((box) => meets(own, box))
    return at < 0 ? Infinity : at
  }
  const [bottom, top] = [covered(false), covered(true)]
  region.classList.toggle('at-top', top > bottom)
}

new MutationObserver(place).observe(byId('notices'), { childList: true })
addEventListener('focusin', place)
addEventListener('resize', place)
// Panels scroll by themselves.
addEventListener('scroll', place, { capture: true, passive: true })
