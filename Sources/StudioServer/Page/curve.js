// Speeds and curves in the syntax of `--speed` (docs/speed.md), for the preview and for drawing them. Only
// the studio decides how a text applies to a clip.

/** Seconds within which two times count as equal. */
const close = 5e-6
const slowest = 1 / 10_000
const fastest = 100

/** The speeds through which a dragged point moves. */
export const steps = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64].map((slower) => 1 / slower)

export function parseSpeed(text) {
  const given = text.trim()
  const number = '(\\d+(?:\\.\\d+)?|\\.\\d+)'
  let value
  let parts
  if ((parts = new RegExp(`^${number}\\s*/\\s*${number}$`).exec(given))) value = Number(parts[1]) / Number(parts[2])
  else if ((parts = new RegExp(`^${number}\\s*%$`).exec(given))) value = Number(parts[1]) / 100
  else if ((parts = new RegExp(`^${number}x-slower$`).exec(given))) value = 1 / Number(parts[1])
  else if (new RegExp(`^${number}$`).test(given)) value = Number(given)
  if (value === undefined || !(value >= slowest && value <= fastest)) throw new Error(`"${given}" is not a speed. Write 1/8, 0.125 or 12.5%.`)
  return value
}

function parseTime(text) {
  const parts = /^(-?\d+(?:\.\d+)?|\.\d+)\s*(s|ms|us|min|)$/.exec(text.trim())
  if (!parts) throw new Error(`"${text.trim()}" is not a time. Write 1.2s or 250ms.`)
  return Number(parts[1]) * { '': 1, s: 1, ms: 1e-3, us: 1e-6, min: 60 }[parts[2]]
}

export function formatSpeed(speed) {
  if (speed >= 1) return String(Number(speed.toFixed(4)))
  const slower = 1 / speed
  return Math.abs(slower - Math.round(slower)) < 1e-6 ? `1/${Math.round(slower)}` : String(Number(speed.toPrecision(5)))
}

/** Returns the words for a clip's speed, also in place of a curve's text; `null` is every frame once. */
export function speedTold(text) {
  let curve
  try { curve = Curve.parse(text ?? '') } catch { return text.includes(':') ? 'curve' : text }
  if (curve.isEmpty) return 'every frame once'
  if (curve.constant !== null) return curve.constant === 1 ? 'real time' : text
  const speeds = curve.turns.map(({ speed }) => speed)
  const [fast, slow] = [Math.max(...speeds), Math.min(...speeds)].map(formatSpeed)
  return speeds.length === 0 || fast === slow ? 'curve' : `curve from ${fast} to ${slow}`
}

/** The constant speeds of the menu of a clip's speeds. */
export const choices = [1, 2, 4, 8, 16, 32].map((slower) => formatSpeed(1 / slower))

/** The items of the menu of a clip's speeds; `own` are those behind the speeds. */
export const speedItems = (isAroundTrigger, ...own) => [
  { value: '', text: 'every frame once' }, ...choices.map((text) => ({ value: text, text: speedTold(text) })),
  { value: 'middle', text: isAroundTrigger ? 'slow around the trigger' : 'slow in the middle' }, ...own, { value: 'text', text: 'as in the text' },
]

/** Formats a time in hundred-thousandths of a second, and never rounds up past `longest`. */
const formatTime = (time, longest = Infinity) => `${Number((Math.max(0, time) > longest - close ? Math.floor(longest * 1e5) / 1e5 : Math.max(0, time)).toFixed(5))}s`

/**
 * A constant speed, or points in order of time. Times are seconds from the text's own origin.
 * `points` is `[{time, speed, ease}]`, or `[{time, freeze}]` for a frame that is held.
 */
export class Curve {
  constructor(points = [], constant = null) {
    this.points = points
    this.constant = constant
  }

  /** Parses a text. An empty text shows every frame once: it is a curve without a speed. */
  static parse(text) {
    const given = text.trim()
    if (given === '') return new Curve()
    if (!given.includes(':')) return new Curve([], parseSpeed(given))
    const points = given.split('\n').flatMap((line) => line.replace(/#.*/, '').split(',')).map((part) => part.trim()).filter((part) => part !== '')
      .map((part) => {
        const parts = /^(ease\s+)?([^:]+):(.*)$/.exec(part)
        if (!parts) throw new Error(`"${part}" is not a point. Write a time and a speed, such as 1.2s:1/8.`)
        const time = parseTime(parts[2])
        const freeze = /^\s*freeze\s+(.*)$/.exec(parts[3])
        if (freeze) return { time, freeze: parseTime(freeze[1]) }
        return { time, speed: parseSpeed(parts[3]), ease: parts[1] !== undefined }
      })
    if (points.some((point, index) => index > 0 && point.time < points[index - 1].time)) throw new Error('The points must be in order of time.')
    return new Curve(points)
  }

  /**
   * Whether a part is to be slow around a trigger rather than in its middle: the part has it, and something before it. Record
   * triggers at a take's first frame, where nothing has happened yet.
   */
  static isAround(trigger, from, to) { return trigger !== null && trigger > from + 0.05 * (to - from) && trigger <= to }

  /**
   * The usual curve of the part from `from` to `to`: real time, gently to slow motion around a time in it, and back. Without
   * room before or after that time, the part begins or ends in slow motion.
   */
  static slowAround(at, from, to) {
    const most = 0.3 * (to - from)
    const [before, after] = [Math.min(most, at - from), Math.min(most, to - at)]
    const slow = (time, ease = false) => ({ time, speed: 1 / 8, ease })
    return [
      ...(before > close ? [{ time: at - before, speed: 1, ease: false }, slow(at - before / 3, true)] : [slow(from)]),
      ...(after > close ? [slow(at + after / 3), { time: at + after, speed: 1, ease: true }] : [slow(to)]),
    ]
  }

  get isEmpty() { return this.points.length === 0 && this.constant === null }

  get turns() { return this.points.filter((point) => point.freeze === undefined) }

  /** Returns the same curve with its times shifted by `offset`. */
  shifted(offset) {
    return new Curve(this.points.map((point) => ({ ...point, time: point.time + offset })), this.constant)
  }

  speedAt(time) {
    if (this.constant !== null) return this.constant
    const { turns } = this
    if (turns.length === 0) return 1
    if (time <= turns[0].time) return turns[0].speed
    for (let index = 1; index < turns.length; index += 1) {
      const [from, to] = [turns[index - 1], turns[index]]
      if (time >= to.time) continue
      const part = (time - from.time) / (to.time - from.time)
      return from.speed + (to.speed - from.speed) * (to.ease ? part * part * (3 - 2 * part) : part)
    }
    return turns.at(-1).speed
  }

  /** Returns the text of all points, with times from this curve's own origin. */
  whole() {
    if (this.constant !== null) return formatSpeed(this.constant)
    return this.points.map((point) => (point.freeze === undefined
      ? `${point.ease ? 'ease ' : ''}${formatTime(point.time)}:${formatSpeed(point.speed)}`
      : `${formatTime(point.time)}:freeze ${formatTime(point.freeze)}`)).join(', ')
  }

  /** Returns the number of points outside a part. */
  beyond(start, end) { return this.points.filter((point) => point.time < start - close || point.time > end + close).length }

  /**
   * Returns the text for the part from `start` to `end`, with times relative to `start`. Points outside are
   * left out, and a change that crosses a border begins or ends there with the speed of that moment.
   */
  text(start = 0, end = Infinity) {
    if (this.constant !== null) return formatSpeed(this.constant)
    if (this.points.length === 0) return ''
    const isInside = (point) => point.time >= start - close && point.time <= end + close
    const { turns } = this
    const inside = this.points.filter(isInside)
    const before = turns.findLast((point) => point.time < start - close)
    const after = turns.find((point) => point.time > end + close)
    const first = turns.find(isInside)
    const last = turns.findLast(isInside)
    const words = []
    const turn = (time, speed, eased = false) => words.push(`${eased ? 'ease ' : ''}${formatTime(time - start, end - start)}:${formatSpeed(speed)}`)
    // A section of an eased change is not itself an eased change, so it is written in pieces.
    const pieces = (from, to) => { for (let piece = 1; piece < 16; piece += 1) { const time = from + ((to - from) * piece) / 16; turn(time, this.speedAt(time)) } }
    if (before || (!first && turns.length > 0)) turn(start, this.speedAt(start))
    if (before && first?.ease) pieces(start, first.time)
    for (const point of inside) {
      if (point.freeze !== undefined) words.push(`${formatTime(point.time - start, end - start)}:freeze ${formatTime(point.freeze)}`)
      else turn(point.time, point.speed, point.ease && !(before && point === first))
    }
    if (after && (before || last)) {
      const from = last?.time ?? start
      if (after.ease) pieces(from, end)
      if (end - from > close) turn(end, this.speedAt(end))
    }
    return inside.length === 0 && words.length === 1 ? formatSpeed(this.speedAt(start)) : words.join(', ')
  }
}
