// The marks of edited takes, kept by the browser while its page is open, so that a reload loses nothing. They
// never leave the browser.

import { token } from './api.js'

const store = 'overcrank-marks'
const editedStore = 'overcrank-edited'
const mostKept = 20

/** Returns the identity of what is edited: a take in memory belongs to one run of the studio, which has its own token. */
const which = ({ key, isSaved }) => JSON.stringify(isSaved ? key : [token(), ...key])

/** All kept marks, newest last, as `[[identity, marks]]`. */
function all() {
  try {
    const entries = JSON.parse(sessionStorage.getItem(store))
    return Array.isArray(entries) ? entries : []
  } catch {
    return []
  }
}

/** Returns the kept marks of a source, or `null` if there are none. */
export const kept = (source) => all().find(([of]) => of === which(source))?.[1] ?? null

export function keep(source, marks) {
  const own = which(source)
  const others = all().filter(([of]) => of !== own)
  sessionStorage.setItem(store, JSON.stringify([...others, [own, marks]].slice(-mostKept)))
}

/** The id of the saved take that is edited, which a reload opens again; `null` for none. */
export const edited = () => sessionStorage.getItem(editedStore)

export function setEdited(id) {
  if (id === null) sessionStorage.removeItem(editedStore)
  else sessionStorage.setItem(editedStore, id)
}
