// The page's entry point: it receives the state, and passes it to each part.
import { Actions } from './actions.js'
import { get, takeAsked } from './api.js'
import { CameraChoice } from './camera.js'
import { asChosen, Cameras, chosenLetter } from './cameras.js'
import { CameraZoom } from './camerazoom.js'
import { Controls } from './controls.js'
import { byId, setAttribute, setText } from './dom.js'
import { SavedTake } from './edited.js'
import { toggleFullScreen } from './fullscreen.js'
import { Keys } from './keys.js'
import { Library } from './library.js'
import { Live } from './live.js'
import { about, tellMade } from './made.js'
import { edited, setEdited } from './marks.js'
import { attempt, forget, forgetAbout, tell } from './notices.js'
import { Overlays } from './overlays.js'
import { Phone } from './phone.js'
import { canDraw, Picture } from './picture.js'
import { Review } from './review.js'
import { follow, onNotice, onState, studio } from './state.js'
import { renderBadge, renderRoll, renderStatus } from './status.js'
import { Settings } from './settings.js'
import { SaveSetup } from './setup.js'
import { interruptions } from './words.js'
import { ViewZoom } from './zoom.js'

const picture = new Picture(byId('live'))
const live = new Live(picture, byId('live-stream'))
const overlays = new Overlays(picture, byId('overlay'))
const cameras = new Cameras(() => {
  zoom.reset()
  settings.drawing(false)
  render()
})
const camera = new CameraChoice()
const controls = new Controls()
const settings = new Settings(picture, overlays)
const review = new Review(picture)
const actions = new Actions(review)
const library = new Library()
const phone = new Phone()
const zoom = new ViewZoom()
const cameraZoom = new CameraZoom(() => controls.load())

const capturing = new Set(['armed', 'filming', 'gathering'])
const phases = {
  no_camera: 'No camera.', starting: 'Starting the camera.', armed: 'Armed.', filming: 'Recording.',
  gathering: 'Triggered: recording into memory.', reviewing: 'Review.', saving: 'Saving.',
  interrupted: 'Interrupted.', failed: 'The camera cannot be used.',
}

const phaseTold = ({ phase, take }) => (phase === 'gathering' && take?.trigger === null ? 'Recording into memory.' : phases[phase] ?? '')

const titles = { filming: 'Recording \u2013 ', gathering: 'Recording \u2013 ', reviewing: 'Review \u2013 ', saving: 'Saving \u2013 ' }

const atLibrary = () => !byId('library').hidden

function view(isLibrary) {
  byId('studio').hidden = isLibrary
  byId('library').hidden = !isLibrary
  document.body.classList.toggle('at-camera', !isLibrary)
  for (const [id, isHere] of [['view-camera', !isLibrary], ['view-library', isLibrary]]) {
    if (isHere) byId(id).setAttribute('aria-current', 'page')
    else byId(id).removeAttribute('aria-current')
  }
  if (isLibrary) review.pause()
  if (studio.state) render()
  // The keyboard follows the view.
  byId(isLibrary ? 'library-title' : 'stage').focus({ preventScroll: true })
}

/** Opens a saved take in the editor, or one of its clips. */
async function edit(id, clip = null) {
  const take = await attempt(() => get(`/api/takes/${encodeURIComponent(id)}`))
  if (!take) return
  review.choose(new SavedTake(take, clip))
  view(false)
}

/** Goes back to the library, with the edited take open. */
async function done() {
  // Escape leaves the full screen first.
  if (document.fullscreenElement) return
  const { take } = review.done()
  view(true)
  await library.openItem(take.id)
  byId('take-edit').focus()
}

/** Opens the take again that was edited before a reload. */
async function editAgain() {
  const id = edited()
  if (id === null) return
  const take = await get(`/api/takes/${encodeURIComponent(id)}`).catch(() => null)
  // The user may have chosen another one in the meantime.
  if (edited() !== id || review.isSaved) return
  if (take?.has_master) {
    review.choose(new SavedTake(take))
    view(false)
  } else setEdited(null)
}

/** Opens the item that the address names by its name or id; says in the library if there is none. */
async function openAsked() {
  const asked = takeAsked()
  if (!asked) return false
  const items = await attempt(() => get('/api/takes'))
  if (!items) return true
  const name = asked.match(/^\/takes\/(.+)$/)?.[1]
  const item = items.find((each) => each.id === name || each.name === name)
  if (item) library.openItem(item.id)
  else {
    view(true)
    tell(`There is no take or photo \u201c${name ?? asked}\u201d in this library. It may have been removed or renamed.`, 'error')
  }
  return true
}

/** Returns the text in place of a missing picture, or `null` if none is needed. */
function message(state) {
  if (studio.connection === 'no_token') return 'This address has no valid token. Open the address that \u201covercrank studio\u201d printed.'
  if (studio.connection === 'ended') return 'The studio has ended or does not respond. Start \u201covercrank studio\u201d again and open the address that it prints.'
  if (!state || studio.connection === 'connecting') return 'Connecting to the studio.'
  // An edited take needs no camera.
  if (review.isSaved) return null
  if (state.phase === 'no_camera') {
    // The message may end with the remedy of the command line.
    return `${state.problem?.message.replace(/ Plug one in, .*/, '') ?? 'No camera is connected.'} Plug in a camera, and it appears here. To try the studio without one, use the simulated camera.`
  }
  if (state.phase === 'failed') return state.problem?.message ?? phases.failed
  if (state.phase === 'interrupted') {
    const { interruption } = state
    const next = interruption?.waits_for_resume ? 'Press Resume when it is ready.' : 'The studio continues when the camera is back.'
    return `${interruption?.message ?? interruptions[interruption?.reason] ?? phases.interrupted} ${next}`
  }
  if (state.phase === 'starting') return phases.starting
  return state.problem?.message ?? null
}

function renderMessage(state) {
  const text = message(state)
  byId('message').hidden = text === null
  setText(byId('message-text'), text ?? '')
  const choosing = studio.connection === 'open' && (state?.phase === 'no_camera' || state?.phase === 'failed')
  const buttons = choosing ? camera.buttons() : []
  const box = byId('message-actions')
  const key = buttons.map((button) => button.textContent).join()
  if (box.dataset.key !== key) {
    box.dataset.key = key
    box.replaceChildren(...buttons)
  }
}

let lostTold = null

/** Says by a notice that the studio is gone, or refuses the token, where the picture's message is not in sight. */
function tellLost() {
  const lost = ['no_token', 'ended'].includes(studio.connection) ? studio.connection : null
  if (!lost) forget('connection')
  const { top, bottom } = byId('message').getBoundingClientRect()
  const isSeen = byId('message').checkVisibility() && bottom > 0 && top < innerHeight
  if (lost === lostTold || (lost && isSeen)) return
  lostTold = lost
  if (lost) tell(message(studio.state), 'connection')
}

/** Moves the camera's own zoom, if the live picture is shown and the camera has one. */
const zoomCamera = (by) => live.isOn && cameraZoom.move(by)

/** Zooms with the keyboard: the timeline of a review, or the live picture. */
function zoomStep(way) {
  if (atLibrary()) return false
  if (review.isOpen) review.timeline.zoomBy(2 ** way)
  else if (!zoomCamera(way)) zoom.zoomBy(2 ** (way / 2))
  return true
}

/** Takes away notices that the state shows to be past, also if the page missed their end. */
function forgetPast(phase) {
  if (studio.connection !== before.connection && studio.connection === 'open') forget('refused')
  if (before.phase === 'interrupted' && phase !== 'interrupted') forget('interrupted')
  if (studio.state.cameras.every(({ problem }) => problem === null)) forget('camera_failed')
  Object.assign(before, { phase, connection: studio.connection })
}

const before = {}
let capturedBefore = null
let zoomed = null

function render() {
  const { state } = studio
  renderMessage(state)
  tellLost()
  setAttribute(document.body, 'data-phase', state && studio.connection === 'open' ? state.phase : studio.connection)
  document.title = `${studio.connection === 'open' ? titles[state?.phase] ?? '' : ''}Overcrank studio`
  document.body.classList.toggle('unknown', !state)
  if (!state) return
  forgetPast(state.phase)
  setText(byId('phase-told'), studio.connection === 'open' ? phaseTold(state) : byId('message-text').textContent)
  const edits = review.isSaved || state.review !== null
  const captures = capturing.has(state.phase) && studio.connection === 'open' && !review.isSaved
  cameras.render(state, !edits)
  const own = asChosen(state)
  const entry = state.cameras.find(({ letter }) => letter === chosenLetter())
  const turn = review.chosen?.turn ?? entry?.camera.turn ?? { rotate: state.settings.rotate, mirror: state.settings.mirror }
  if (turn.rotate !== picture.turn.rotate || turn.mirror !== picture.turn.mirror) {
    picture.turn = turn
    review.frames?.redraw()
    live.turnStream(turn)
  }
  if (captures && own.camera) picture.shape(own.camera.mode.width, own.camera.mode.height)
  live.modeWidth = own.camera?.mode.width ?? 1920
  overlays.modeWidth = own.camera?.mode.width ?? 0
  live.watch(chosenLetter())
  if (captures && !atLibrary() && (entry?.problem ?? null) === null) live.start()
  else live.stop()
  // An old picture must not look like the current one.
  if (capturedBefore && !captures && !picture.isEmpty && !edits) {
    picture.clear()
  }
  capturedBefore = captures
  byId('review').hidden = !edits
  byId('panel-clip').hidden = !edits
  document.body.classList.toggle('reviewing', edits)
  document.body.classList.toggle('editing-saved', review.isSaved)
  setText(byId('view-camera'), review.isSaved ? 'Edit' : state.phase === 'reviewing' || state.phase === 'saving' ? 'Review' : 'Live')
  review.render(state)
  if (review.source !== zoomed) {
    // Another picture is shown whole at first.
    zoomed = review.source
    zoom.reset()
  }
  camera.render(own)
  cameraZoom.render(own)
  controls.render(own)
  // Motion is detected in the picture of the first camera.
  settings.render(entry && entry !== state.cameras[0] ? { ...state, camera: null } : state)
  renderRoll(state)
  renderBadge(own)
  renderStatus(own, live.isOn && canDraw ? live.rate : null)
  actions.render(state)
  library.render(state)
}

const inReview = (work) => () => (review.isOpen && !atLibrary() ? work() : false)

/** Steps through the frames of a review, or moves a zoomed live picture. */
function arrow(event, x, y) {
  if (atLibrary()) return false
  if (review.isOpen && y === 0) return review.step(event.shiftKey ? 10 * x : x)
  return zoom.step(x, y)
}

const keys = new Keys([
  { keys: [' '], told: 'Space', means: 'Trigger; in review, play or pause', act: () => (review.isOpen ? inReview(() => review.toggle())() : actions.press('do-trigger')) },
  { keys: ['r'], told: 'R', means: 'Record or stop', act: () => actions.press('do-stop', 'do-review', 'do-record') },
  { keys: ['p'], told: 'P', means: 'Photo', act: () => actions.press('do-photo') },
  { keys: ['m'], told: 'M', means: 'Motion Photo', act: () => actions.press('do-motion-photo') },
  { keys: ['i'], told: 'I', means: 'Mark in', act: () => actions.press('do-in') },
  { keys: ['o'], told: 'O', means: 'Mark out', act: () => actions.press('do-out') },
  { keys: ['s'], told: 'S', means: 'Save clip', act: () => actions.press('do-save') },
  { keys: ['a'], told: 'A', means: 'Arm again', act: () => actions.press('do-arm') },
  { keys: ['arrowleft'], told: '\u2190', means: 'Previous frame; with Shift, 10 frames back', repeats: true, act: (event) => arrow(event, -1, 0) },
  { keys: ['arrowright'], told: '\u2192', means: 'Next frame; with Shift, 10 frames forward', repeats: true, act: (event) => arrow(event, 1, 0) },
  { keys: ['arrowup'], told: '\u2191', means: 'Move a zoomed view up; in a live picture, \u2190 and \u2192 move it sideways', repeats: true, act: (event) => arrow(event, 0, -1) },
  { keys: ['arrowdown'], told: '\u2193', means: 'Move a zoomed view down', repeats: true, act: (event) => arrow(event, 0, 1) },
  { keys: ['home'], told: 'Home', means: 'Go to the in mark', act: inReview(() => review.move('playhead', review.first)) },
  { keys: ['end'], told: 'End', means: 'Go to the out mark', act: inReview(() => review.move('playhead', review.last)) },
  { keys: ['t'], told: 'T', means: 'Go to the trigger', act: inReview(() => review.move('playhead', review.trigger ?? 0)) },
  { keys: ['j'], told: 'J', means: 'Play backwards; press again to double the speed', act: inReview(() => review.shuttle(-1)) },
  { keys: ['k'], told: 'K', means: 'Pause', act: inReview(() => review.pause()) },
  { keys: ['l'], told: 'L', means: 'Play; press again to double the speed', act: inReview(() => review.shuttle(1)) },
  { keys: ['c'], told: 'C', means: 'Add a point to the speed curve', act: inReview(() => review.addPoint()) },
  { keys: ['+'], told: '+', means: 'Zoom in: the camera, if it has a zoom, or else the view; in review, the timeline', repeats: true, act: () => zoomStep(1) },
  { keys: ['-'], told: '\u2212', means: 'Zoom out', repeats: true, act: () => zoomStep(-1) },
  { keys: ['z'], told: 'Z', means: 'Zoom the view of the picture in; with Shift, out', repeats: true, act: (event) => (atLibrary() ? false : zoom.zoomBy(2 ** (event.shiftKey ? -1 / 2 : 1 / 2))) },
  { keys: ['0'], told: '0', means: 'Reset the zoom of the view', act: () => (atLibrary() ? false : zoom.reset()) },
  { keys: ['f'], told: 'F', means: 'Full screen; Esc leaves it', act: () => (atLibrary() ? false : toggleFullScreen()) },
  { keys: ['v'], told: 'V', means: 'Open or leave the library', act: () => view(!atLibrary()) },
  { keys: ['escape'], told: 'Esc', means: 'Close the take, end the edit, or stop drawing a region', act: () => (atLibrary() ? library.close() : review.isSaved ? done() : actions.options.cancel() || settings.drawing(false)) },
  { keys: ['?'], told: '?', means: 'Show this list', act: () => keys.open() },
])

byId('view-camera').addEventListener('click', () => view(false))
byId('view-library').addEventListener('click', () => view(true))
byId('do-done').addEventListener('click', done)
new SaveSetup()
library.onEdit = edit
review.onGone = () => {
  review.done()
  if (atLibrary()) render()
  else view(true)
}
camera.onCameras = () => renderMessage(studio.state)
if (!canDraw) overlays.refuse()
zoom.onWheel = zoomCamera
zoom.onResized = () => review.sharpen()
overlays.onSwitched = () => { live.fullSize = overlays.on('loupe') }
onNotice((notice) => {
  const { kind, message: text, id, group } = notice
  if (kind === 'interruption_ended') forget('interrupted')
  if (kind === 'interrupted') {
    forget('interruption_ended')
    // The live picture's place says so itself.
    if (!atLibrary() && !review.isSaved) return
  }
  if (kind === 'photo_written') forget('photo_failed')
  if (kind === 'clip_ready') {
    forget('making')
    // The clip's notice offers all that the take's does.
    for (const former of ['take_saved', 'clip_failed']) forgetAbout(former, group ?? id)
  }
  if (tellMade(notice, library)) return
  // The page tells a refused mode beside its choice, where the user made it.
  if (kind === 'mode_refused' && text === byId('mode-told').textContent) return
  if (kind === 'clip_failed') forget('making')
  const box = about(tell(text, kind), notice)
  if (kind === 'mode_refused') box.about = byId('mode')
})
let isFirst = true
onState(() => {
  render()
  if (isFirst && studio.state) {
    isFirst = false
    phone.start()
    openAsked().then((isOpen) => { if (!isOpen) editAgain() })
  }
})
addEventListener('hashchange', () => { if (studio.state) openAsked() })
// A wide screen has room for all panels beside the picture.
if (matchMedia('(min-width: 900px)').matches) for (const panel of document.querySelectorAll('#panels details')) panel.open = true
document.body.classList.add('at-camera')
render()
follow()
