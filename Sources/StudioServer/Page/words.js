// Words for people: photographers' words for a camera's controls, with the driver's own names in the
// tooltips, and the reasons for an interruption.
import { shutter } from './format.js'

/** Titles by the name that `--set` takes. Older kernels have other names for some controls. */
const titles = new Map(Object.entries({
  auto_exposure: 'Auto exposure', exposure_auto: 'Auto exposure',
  exposure_time_absolute: 'Shutter', exposure_absolute: 'Shutter',
  exposure_dynamic_framerate: 'Lower rate in low light', exposure_auto_priority: 'Lower rate in low light',
  auto_exposure_bias: 'Exposure compensation', exposure_metering_mode: 'Metering',
  gain_automatic: 'Auto gain', analogue_gain: 'Analogue gain', digital_gain: 'Digital gain',
  iso_sensitivity: 'ISO', iso_sensitivity_auto: 'Auto ISO',
  white_balance_automatic: 'Auto white balance', white_balance_temperature_auto: 'Auto white balance',
  white_balance_temperature: 'White balance', white_balance_auto_preset: 'White balance preset',
  focus_absolute: 'Focus', focus_automatic_continuous: 'Autofocus', focus_auto: 'Autofocus',
  auto_focus_start: 'Focus once', auto_focus_stop: 'Stop focusing', iris_absolute: 'Aperture',
  zoom_absolute: 'Zoom', pan_absolute: 'Pan', tilt_absolute: 'Tilt',
  power_line_frequency: 'Flicker reduction', backlight_compensation: 'Backlight compensation',
  horizontal_flip: 'Flip horizontally', vertical_flip: 'Flip vertically',
  image_stabilization: 'Image stabilization', wide_dynamic_range: 'Wide dynamic range',
}))

/** Choices by the driver's name. */
const choices = new Map(Object.entries({
  'Auto Mode': 'Auto', 'Manual Mode': 'Manual', 'Shutter Priority Mode': 'Shutter priority',
  // A webcam's aperture is fixed, so this is its only automatic mode.
  'Aperture Priority Mode': 'Auto', Disabled: 'Off',
}))

/** Returns a control's title; the driver's for a control without words here. */
export const controlTitle = ({ name, title }) => titles.get(name) ?? title

/** Returns a control's tooltip: the driver's name, and the option of the command line. */
export function controlTooltip({ name, title, value }) {
  return `${title} (--set ${name}${value === null ? '' : `=${value}`})`
}

/** Returns the choices of a menu. Two choices never have the same words. */
export function menuItems({ menu }) {
  const items = menu ?? []
  const words = items.map(({ title }) => choices.get(title) ?? title)
  return items.map(({ value, title }, index) => {
    const isUnique = words.filter((word) => word === words[index]).length === 1
    return { value, text: isUnique ? words[index] : title, title }
  })
}

/** Returns a control's value with its unit. */
export function controlValue({ name, unit }, value) {
  if (unit === '100us') return shutter(value / 10_000)
  return name === 'white_balance_temperature' ? `${value} K` : String(value)
}

/** The reasons for an interruption, by the API's name. */
export const interruptions = {
  unplugged: 'The camera was unplugged.', taken: 'Another program is using the camera.',
  driver_error: 'The camera\u2019s driver failed.', suspended: 'The computer was suspended.',
  silent: 'The camera is not sending frames.',
}
