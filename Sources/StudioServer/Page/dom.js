// Helpers for the page's elements.

export const byId = (id) => document.getElementById(id)

/** Creates an element with these properties and children. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role' || name === 'for') element.setAttribute(name, value)
    else element[name] = value
  }
  element.append(...children)
  return element
}

/** Sets text only if it changed, to avoid needless announcements and layout. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value)
}

/**
 * Fills a select, and keeps the choice if it still exists. `groups` is `[{title, items: [{value, text, title}]}]`; an item's `title` is its
 * tooltip.
 */
export function setOptions(select, groups) {
  const key = JSON.stringify(groups)
  if (select.dataset.options === key) return
  select.dataset.options = key
  select.replaceChildren(
    ...groups.flatMap(({ title, items }) => {
      const options = items.map(({ value, text, title: tooltip = '' }) => make('option', { value, textContent: text, title: tooltip }))
      return title ? [make('optgroup', { label: title }, ...options)] : options
    }))
}

/** Returns whether the user is typing in this element, so that its text must not be replaced. */
export const isEdited = (element) => document.activeElement === element && element.matches('input[type=text]')
