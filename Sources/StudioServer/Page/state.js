// The studio's state, from a stream of server-sent events. The stream is read with `fetch`, because
// `EventSource` cannot send the token.
import { fetchFrom, Refusal } from './api.js'

const listeners = new Set()
const noticeListeners = new Set()
const silence = 40_000
const longestWait = 8000
// A browser opens at most six connections to one address for all its pages, so a hidden page gives up its
// own.
const hiddenFor = 30_000

/** The newest state, and the state of the connection: `connecting`, `open`, `ended`, `no_token`. */
export const studio = { state: null, connection: 'connecting' }

export const onState = (listener) => listeners.add(listener)
export const onNotice = (listener) => noticeListeners.add(listener)

function changed() { for (const listener of listeners) listener(studio.state, studio.connection) }

function connection(name) {
  if (studio.connection === name) return
  studio.connection = name
  changed()
}

function take(event, data) {
  if (event === 'state') {
    studio.state = JSON.parse(data)
    studio.connection = 'open'
    changed()
  } else if (event === 'notice') {
    const notice = JSON.parse(data)
    for (const listener of noticeListeners) listener(notice)
  }
}

/** Reads one stream to its end, and aborts it after a long silence: the studio sends something every 15 s. */
async function read() {
  const stop = new AbortController()
  let watch
  let leave
  const looked = () => {
    clearTimeout(leave)
    if (document.hidden) leave = setTimeout(() => stop.abort(), hiddenFor)
  }
  document.addEventListener('visibilitychange', looked)
  const heard = () => { clearTimeout(watch); watch = setTimeout(() => stop.abort(), silence) }
  try {
    heard()
    const response = await fetchFrom('/api/events', { signal: stop.signal })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      heard()
      const blocks = (rest + value).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop()
      for (const block of blocks) {
        let event = 'message'
        const data = []
        for (const line of block.split('\n')) {
          if (line.startsWith('event:')) event = line.slice(6).trim()
          else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
        }
        if (data.length > 0) take(event, data.join('\n'))
      }
    }
  } finally {
    clearTimeout(watch)
    clearTimeout(leave)
    document.removeEventListener('visibilitychange', looked)
  }
}

function seen() {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    const looked = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', looked)
      resolve()
    }
    document.addEventListener('visibilitychange', looked)
  })
}

/** Keeps the stream open for as long as the page is open, and waits longer after each failure. */
export async function follow() {
  let wait = 250
  for (;;) {
    await seen()
    const before = studio.state
    try {
      await read()
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) {
        connection('no_token')
        return
      }
    }
    if (studio.state !== before) wait = 250
    connection(wait < 1000 ? 'connecting' : 'ended')
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(longestWait, wait * 2)
  }
}
