// Saves the camera, its mode and the settings as a setup of the command line.
import { post, Refusal } from './api.js'
import { byId } from './dom.js'
import { attempt, sure, tell } from './notices.js'

export class SaveSetup {
  constructor() {
    byId('save-setup').addEventListener('submit', (event) => {
      event.preventDefault()
      this.save(byId('setup-name').value.trim())
    })
  }

  async save(name) {
    const isSaved = await attempt(async () => {
      try {
        await post('/api/setups', { name })
      } catch (error) {
        const exists = error instanceof Refusal && error.status === 422 && error.message.includes('already')
        if (!exists) throw error
        if (!(await sure(`There is a setup \u201c${name}\u201d already. Replace it?`, 'Replace'))) return false
        await post('/api/setups', { name, replace: true })
      }
      return true
    }, byId('setup-name'))
    if (isSaved) tell(`The setup \u201c${name}\u201d is saved.`)
  }
}
