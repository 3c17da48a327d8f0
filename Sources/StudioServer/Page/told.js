// The reason why a field's text was refused, below the field: a notice elsewhere would be far from it, or cover it.
import { make, setAttribute, setText } from './dom.js'
import { place } from './place.js'

const idOf = (field) => `${field.id}-refused`

/** Marks a field, and shows the reason until the field is edited. */
export function refuseAt(field, reason) {
  const id = idOf(field)
  let line = document.getElementById(id)
  if (!line) {
    line = make('p', { id, className: 'refused', role: 'alert' })
    const label = field.closest('.field')
    // In a row, the reason has a line of its own below all fields.
    if (label.parentElement.matches('.row, .pair, #record-options')) label.parentElement.append(line)
    else label.after(line)
    const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)
    setAttribute(field, 'aria-describedby', [...others, id].join(' '))
    field.addEventListener('input', () => accept(field), { once: true })
  }
  setText(line, `\u26a0 ${reason}`)
  setAttribute(field, 'aria-invalid', true)
  place()
}

/** Takes the mark and the reason away. */
export function accept(field) {
  const id = idOf(field)
  const rest = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((other) => other && other !== id)
  if (rest.length > 0) setAttribute(field, 'aria-describedby', rest.join(' '))
  else field.removeAttribute('aria-describedby')
  document.getElementById(id)?.remove()
  setAttribute(field, 'aria-invalid', false)
}
