// The page's address as a QR code, which a phone's camera opens.
import { get } from './api.js'
import { byId, setText } from './dom.js'

const scale = 6
// A reader needs this many light modules around the code.
const margin = 4

export class Phone {
  constructor() {
    byId('open-phone').addEventListener('click', () => byId('phone').showModal())
  }

  /** Offers the code, if other machines can reach the studio. */
  async start() {
    const told = await get('/api/address').catch(() => null)
    if (!told?.code) return
    this.draw(told.code)
    setText(byId('phone-address'), told.address.replace(/#.*/, ''))
    byId('open-phone').hidden = false
  }

  draw(rows) {
    const canvas = byId('phone-code')
    const side = (rows.length + 2 * margin) * scale
    Object.assign(canvas, { width: side, height: side })
    const context = canvas.getContext('2d')
    // Dark on light in every theme: not all readers know the reverse.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, side, side)
    context.fillStyle = '#000'
    rows.forEach((row, y) => [...row].forEach((module, x) => {
      if (module === '1') context.fillRect((x + margin) * scale, (y + margin) * scale, scale, scale)
    }))
  }
}
