// Videos of other programs, such as a phone's, become takes: files that the user chooses, or drops on the page.
import { post, Refusal, token } from './api.js'
import { byId, setText } from './dom.js'
import { bytes } from './format.js'
import { refuse, tell } from './notices.js'

export class Upload {
  /** `library` shows what was added. */
  constructor(library) {
    this.library = library
    this.waiting = []
    byId('add-videos').addEventListener('click', () => byId('add-files').click())
    byId('add-files').addEventListener('change', (event) => {
      this.add(event.target.files)
      // The same file can be chosen again.
      event.target.value = ''
    })
    byId('add-cancel').addEventListener('click', () => {
      this.waiting = []
      this.request?.abort()
    })
    // Without these, the browser would leave the page to show the file.
    addEventListener('dragover', (event) => { if (event.dataTransfer.types.includes('Files')) event.preventDefault() })
    addEventListener('drop', (event) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      this.add(event.dataTransfer.files)
    })
  }

  async add(files) {
    this.waiting.push(...files)
    if (this.isAdding) return
    this.isAdding = true
    byId('adding').hidden = false
    for (let file = this.waiting.shift(); file; file = this.waiting.shift()) {
      try {
        await this.addOne(file)
      } catch (error) {
        const name = `${file.name}: `
        // The studio's reason begins with the name.
        if (error.message?.startsWith(name)) error.message = error.message.slice(name.length)
        refuse(error, `${file.name} was not added: `)
      }
    }
    this.isAdding = false
    if (document.activeElement === byId('add-cancel')) byId('add-videos').focus()
    byId('adding').hidden = true
  }

  async addOne(file) {
    this.show(file, 0)
    // The studio refuses before anything is sent what it can.
    const { id } = await post('/api/uploads', { name: file.name, bytes: file.size })
    const take = await this.send(file, id)
    if (!take) return
    tell(`${file.name} is in the library.`, 'added', [
      { text: 'Edit', act: () => this.library.onEdit?.(take.id) }, { text: 'Show', act: () => this.library.openItem(take.id) },
    ])
  }

  show(file, part) {
    byId('add-progress').value = part
    setText(byId('adding-told'), part < 1 ? `Adding ${file.name}, ${bytes(file.size)}` : `Reading ${file.name}`)
  }

  /** Sends the file, and returns the take; `null` if the user cancels. `fetch` does not tell how much was sent. */
  send(file, id) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      this.request = request
      request.open('PUT', `/api/uploads/${encodeURIComponent(id)}`)
      request.setRequestHeader('Authorization', `Bearer ${token()}`)
      request.upload.onprogress = ({ loaded, total }) => this.show(file, total > 0 ? loaded / total : 0)
      request.onabort = () => resolve(null)
      request.onerror = () => reject(new Error('The studio closed the connection. See whether the disk is full, and try again.'))
      request.onload = () => {
        let answer
        try { answer = JSON.parse(request.responseText) } catch { /* no JSON: the status has to do */ }
        if (request.status === 200 && answer) resolve(answer)
        else reject(new Refusal(request.status, answer?.error?.code, answer?.error?.message ?? `The studio answered with status ${request.status}.`))
      }
      request.send(file)
    })
  }
}
