// Downloads: the browser loads each file by itself, with a ticket.
import { ticketed } from './api.js'
import { make } from './dom.js'

export async function download(path) {
  const link = make('a', { href: await ticketed(path, 'download=1&'), download: '', hidden: true })
  document.body.append(link)
  link.click()
  link.remove()
}
