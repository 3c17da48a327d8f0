// The studio's HTTP API (docs/studio-api.md): the token, requests, tickets.

const store = 'overcrank-token'

/** The item that the address names after `#`, such as "/takes/drop"; `null` if it names none. */
let asked = null

/** Moves the token out of the address, so that it is neither shown nor bookmarked. Returns whether there was one. */
function takeToken() {
  const given = location.hash.slice(1)
  if (!given) return false
  history.replaceState(null, '', location.pathname + location.search)
  if (given.startsWith('/')) {
    asked = given
    return false
  }
  sessionStorage.setItem(store, given)
  return true
}
takeToken()
addEventListener('hashchange', () => { if (takeToken()) location.reload() })

/** Returns what the address names after `#`, once. */
export function takeAsked() {
  const given = asked
  asked = null
  try { return given && decodeURIComponent(given) } catch { return given }
}

export const token = () => sessionStorage.getItem(store) ?? ''

/** An error response of the studio. */
export class Refusal extends Error {
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The error if no studio answers at its address. */
export class Unreachable extends Error {
  constructor() { super('The studio does not respond.') }
}

/** Returns the response; throws a `Refusal` if its status is not a success. */
export async function fetchFrom(path, { method = 'GET', body, signal, range } = {}) {
  const headers = { Authorization: `Bearer ${token()}` }
  if (range) headers.Range = range
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  let response
  try {
    response = await fetch(path, {
      method, headers, signal, cache: 'no-store', body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Unreachable()
  }
  if (response.ok) return response
  let told
  try { told = (await response.json()).error } catch { /* no JSON: the status has to do */ }
  throw new Refusal(response.status, told?.code ?? 'unknown', told?.message ?? `The studio answered with status ${response.status}.`)
}

async function json(response) {
  const text = await response.text()
  return text === '' ? null : JSON.parse(text)
}

export const get = async (path) => json(await fetchFrom(path))
export const post = async (path, body) => json(await fetchFrom(path, { method: 'POST', body }))
export const put = async (path, body) => json(await fetchFrom(path, { method: 'PUT', body }))
export const patch = async (path, body) => json(await fetchFrom(path, { method: 'PATCH', body }))
export const remove = async (path, body) => json(await fetchFrom(path, { method: 'DELETE', body }))

/**
 * Returns the address of a resource that an element loads by itself, because an element cannot send the
 * token.
 */
export async function ticketed(path, query = '') {
  const { ticket } = await post('/api/tickets', { path })
  return `${path}?${query}ticket=${encodeURIComponent(ticket)}`
}
