// The folder of the library, and the paths of its files on the studio's machine.
import { byId, setText } from './dom.js'
import { attempt, tell } from './notices.js'
import { studio } from './state.js'

/** Whether the browser lets a page write to the clipboard, which it does on this machine and with HTTPS. */
export const canCopy = Boolean(navigator.clipboard)

/** The path of a file in the library's folder, or of the folder itself. */
export function pathOf(file = null) {
  const { folder } = studio.state
  return file ? `${folder.replace(/\/$/, '')}/${file}` : folder
}

export const copyPath = (path) => attempt(async () => {
  await navigator.clipboard.writeText(path)
  tell('The path is copied.')
})

export class Folder {
  constructor() {
    byId('folder-copy').hidden = !canCopy
    byId('folder-copy').addEventListener('click', () => copyPath(pathOf()))
  }

  render({ folder }) { setText(byId('folder-told'), folder) }
}
