// The picture on the whole screen. The browser's own Escape leaves it.
import { byId, setText } from './dom.js'
import { tell } from './notices.js'

export async function toggleFullScreen() {
  try {
    if (document.fullscreenElement) await document.exitFullscreen()
    else await byId('picture').requestFullscreen()
  } catch {
    tell('This browser does not show the picture in full screen.', 'error')
  }
}

byId('full-screen').addEventListener('click', toggleFullScreen)
document.addEventListener('fullscreenchange', () => {
  setText(byId('full-screen'), document.fullscreenElement ? 'Leave full screen' : 'Full screen')
})
