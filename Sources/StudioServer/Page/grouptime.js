// The moments of a group: what each of its cameras saw at one of them.

/** The lost frames in one gap that get moments of their own; more only make the gap coarser. */
const mostLost = 1000

/** The last of increasing times that is not after a moment; -1 if there is none. */
export function lastAt(times, moment) {
  let [low, high] = [-1, times.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (times[middle] <= moment) low = middle
    else high = middle - 1
  }
  return low
}

/** The frame that a trigger fell into: the latest at or before it. Times of a master may be rounded. */
export const triggerFrame = (times, trigger) => Math.max(0, lastAt(times, trigger + 10_000))

/** The number of frames that a camera lost behind one. */
export function lostBehind({ sequence, time_ns: times }, index) {
  return sequence.length !== times.length || index + 1 >= times.length ? 0 : Math.max(0, sequence[index + 1] - sequence[index] - 1)
}

/** The moments of a camera's frames, also of those that it lost. */
export function moments(camera) {
  const { time_ns: times } = camera
  return times.flatMap((time, index) => {
    const lost = Math.min(mostLost, lostBehind(camera, index))
    return Array.from({ length: lost + 1 }, (_, step) => (step === 0 ? time : time + ((times[index + 1] - time) * step) / (lost + 1)))
  })
}

/**
 * What a camera saw at a moment: `{state: 'before' | 'after', by}` with the nanoseconds to its start or since its end, or
 * `{state: 'shown' | 'lost', index}` with the frame that was being exposed, or that is held in place of a lost one.
 */
export function seen(camera, moment) {
  const { time_ns: times, end_ns: end } = camera
  const index = lastAt(times, moment)
  if (index < 0) return { state: 'before', by: (times[0] ?? moment) - moment }
  if (moment >= end) return { state: 'after', by: moment - end }
  const lost = lostBehind(camera, index)
  const isLost = lost > 0 && moment - times[index] >= (0.999 * (times[index + 1] - times[index])) / (lost + 1)
  return { state: isLost ? 'lost' : 'shown', index }
}
