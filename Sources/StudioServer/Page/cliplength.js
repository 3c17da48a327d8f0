// How long a clip plays, before it is made.

/** The frames a second of a clip, as the studio chooses them. `interval` is the nanoseconds from frame to frame of its source. */
function clipRate(curve, interval, format) {
  const once = curve.constant !== null && interval > 0 ? (curve.constant * 1e9) / interval : 30
  const usual = once > 23.9 && once < 60.1 ? once : 30
  const most = { gif: 25, apng: 25, webp: 30 }[format]
  return most === undefined ? usual : usual / Math.ceil(usual / most)
}

/**
 * Returns the seconds for which a clip plays that shows the frames at `times`, each until the next, and the last until `end`, in
 * seconds as the curve counts them. A curve without a speed stands for `once`, at which every frame is shown once. `options`
 * are those of the clip.
 */
export function clipLength({ times, end, curve, once, interval, options: { order, format } }) {
  const length = times.reduce((sum, time, place) => sum + ((times[place + 1] ?? end) - time) / (curve.isEmpty ? once : curve.speedAt(time)), 0)
    + curve.points.reduce((sum, { time, freeze = 0 }) => sum + (time >= times[0] && time <= times.at(-1) ? freeze : 0), 0)
  // A clip has whole frames. The way back repeats neither the last one nor the first.
  const rate = clipRate(curve, interval, format)
  const count = Math.max(1, Math.round(length * rate))
  return (order === 'bounce' ? Math.max(1, 2 * count - 2) : count) / rate
}
