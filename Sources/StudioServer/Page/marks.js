// What a person has marked in a review, kept by the browser for as long as its page is open, so that a reload loses
// nothing. It never leaves the browser.

import { token } from './api.js'

const store = 'overcrank-marks'

/** Which review it is: the studio counts them from 1, and each studio has a token of its own. */
const which = ({ id, count, frames }) => JSON.stringify([token(), id, count ?? frames])

/** What was kept of this review; `null` where nothing was. */
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
