// Numbers in readable form.

export const seconds = (ns) => ns / 1e9

/** Formats nanoseconds: `1.25 s`, `2 min 5 s`, `3 h 20 min`. */
export function duration(ns) {
  const s = ns / 1e9
  if (s < 60) return `${s.toFixed(s < 10 ? 2 : 1)} s`
  const minutes = Math.floor(s / 60)
  if (minutes < 60) return `${minutes} min ${Math.floor(s % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Formats a time relative to the trigger, always with its sign. */
export const fromTrigger = (ns) => `${ns < 0 ? '\u2212' : '+'}${(Math.abs(ns) / 1e9).toFixed(4)} s`

export function bytes(count) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let unit = 0
  let value = count
  while (value >= 999.5 && unit < 4) { value /= 1000; unit += 1 }
  if (count === 1) return '1 byte'
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

export const rate = (fps) => `${Number(fps.toFixed(fps < 100 ? 2 : 1))} fps`

/** Formats an exposure in seconds as a shutter time: `1/500 s`, `0.5 s`. */
export function shutter(s) {
  if (s <= 0) return '0 s'
  if (s > 0.3) return `${Number(s.toFixed(2))} s`
  const part = 1 / s
  return `1/${part < 10 ? Number(part.toFixed(1)) : Math.round(part)} s`
}

export const percent = (part) => `${Math.round(part * 100)} %`

export const frames = (count) => (count === 1 ? '1 frame' : `${count} frames`)
