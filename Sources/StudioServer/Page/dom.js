// The few things that each part of the page does with its elements.

export const byId = (id) => document.getElementById(id)

/** Makes an element with these properties and children. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role' || name === 'for') element.setAttribute(name, value)
    else element[name] = value
  }
  element.append(...children)
  return element
}

/** Sets text only where it changed, so that nothing is announced or laid out for no reason. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value)
}

/** Fills a select; the choice stays where it is still there. `groups` is `[{title, items: [{value, text}]}]`. */
export function setOptions(select, groups) {
  const key = JSON.stringify(groups)
  if (select.dataset.options === key) return
  select.dataset.options = key
  select.replaceChildren(
    ...groups.flatMap(({ title, items }) => {
      const options = items.map(({ value, text }) => make('option', { value, textContent: text }))
      return title ? [make('optgroup', { label: title }, ...options)] : options
    }))
}

/** Whether a person is in the middle of typing here, so that nothing may be written over it. */
export const isEdited = (element) => document.activeElement === element && element.matches('input[type=text]')
