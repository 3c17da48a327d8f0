// The marks in a review, kept by the browser while its page is open, so that a reload loses nothing. They
// never leave the browser.

import { token } from './api.js'

const store = 'overcrank-marks'

/** Returns the identity of a review: a studio counts its reviews from 1, and has its own token. */
const which = ({ id, count, frames }) => JSON.stringify([token(), id, count ?? frames])

/** Returns the kept marks of this review, or `null` if there are none. */
export function kept(review) {
  try {
    const entry = JSON.parse(sessionStorage.getItem(store))
    return entry?.of === which(review) ? entry.marks : null
  } catch {
    return null
  }
}

export function keep(review, marks) {
  sessionStorage.setItem(store, JSON.stringify({ of: which(review), marks }))
}
