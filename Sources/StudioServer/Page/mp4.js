// The boxes of an MP4: where the video of a Motion Photo begins, and how many frames a clip has.
import { fetchFrom } from './api.js'

const word = (view, at) => String.fromCharCode(...[0, 1, 2, 3].map((byte) => view.getUint8(at + byte)))

/** Returns the boxes between two places as `[{type, from, to}]`, where `from` is the first byte of the content. */
function boxes(view, start, end) {
  const found = []
  for (let at = start; at + 8 <= end;) {
    let [size, head] = [view.getUint32(at), 8]
    if (size === 1 && at + 16 <= end) [size, head] = [Number(view.getBigUint64(at + 8)), 16]
    if (size === 0) size = end - at
    if (size < head) break
    found.push({ type: word(view, at + 4), from: at + head, to: at + size })
    at += size
  }
  return found
}

/** Returns the place at which a JPEG's appended MP4 begins, or `null` if there is none: its boxes end where the file does. */
export function appended(buffer) {
  const [bytes, view] = [new Uint8Array(buffer), new DataView(buffer)]
  for (let at = bytes.indexOf(0x66); at >= 4; at = bytes.indexOf(0x66, at + 1)) {
    if (at + 4 > bytes.length || word(view, at) !== 'ftyp') continue
    const all = boxes(view, at - 4, bytes.length)
    if (all.at(-1)?.to === bytes.length && all.some(({ type }) => type === 'moov')) return at - 4
  }
  return null
}

/** Returns the content of the box at a path of types. */
function inside(view, box, ...path) {
  return path.reduce((outer, type) => outer && boxes(view, outer.from, Math.min(outer.to, view.byteLength)).find((each) => each.type === type), box)
}

/** Returns the number of frames of a video track, and how many it has per second. */
function frames(view, track) {
  const media = inside(view, track, 'mdia')
  const handler = inside(view, media, 'hdlr')
  if (!handler || word(view, handler.from + 8) !== 'vide') return null
  const header = inside(view, media, 'mdhd')
  const isLong = view.getUint8(header.from) === 1
  const scale = view.getUint32(header.from + (isLong ? 20 : 12))
  const length = isLong ? Number(view.getBigUint64(header.from + 24)) : view.getUint32(header.from + 16)
  const count = view.getUint32(inside(view, media, 'minf', 'stbl', 'stsz').from + 8)
  return count > 0 && length > 0 ? { count, rate: (count * scale) / length } : null
}

/** Reads the number of a clip's frames and their rate from its header; `null` if they are not there. */
export async function clipFrames(path) {
  const read = async (from, count) => new DataView(await (await fetchFrom(path, { range: `bytes=${from}-${from + count - 1}` })).arrayBuffer())
  // Overcrank writes the header first; the loop skips what another program put before it.
  for (let at = 0, look = 0; look < 8; look += 1) {
    const head = await read(at, 16)
    const [first] = boxes(head, 0, head.byteLength)
    if (!first) return null
    if (first.type === 'moov') {
      const view = await read(at, first.to)
      const [movie] = boxes(view, 0, view.byteLength)
      for (const track of boxes(view, movie.from, view.byteLength)) {
        const found = track.type === 'trak' && frames(view, track)
        if (found) return found
      }
      return null
    }
    at += first.to
  }
  return null
}
