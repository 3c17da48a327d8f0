// The notice that a take, a clip or a photo is on the disk: its picture, and what to do with it.
import { fetchFrom, get, post } from './api.js'
import { make, setText } from './dom.js'
import { download } from './download.js'
import { canCopy, copyPath, pathOf as pathOnDisk } from './folder.js'
import { hasClip, kind as kindTold, title, where, whereGroup } from './items.js'
import { attempt, tell } from './notices.js'

const made = new Set(['take_saved', 'clip_ready', 'photo_written'])
const types = { mp4: 'video/mp4', mov: 'video/quicktime', gif: 'image/gif', webp: 'image/webp', apng: 'image/apng', jpg: 'image/jpeg', png: 'image/png', tiff: 'image/tiff' }

/** The path of a clip of a group: of the one in `file`, or of the newest; else of an archive of what its cameras left. */
async function pathInGroup(group, file) {
  const { clips, cameras } = await get(whereGroup(group))
  const clip = clips.find((each) => each.file === file) ?? clips.at(-1)
  if (clip) return `${whereGroup(group)}/clips/${clip.index}.mp4`
  const takes = await Promise.all(cameras.filter((camera) => camera.take).map((camera) => get(where(camera.take))))
  const { id } = await post('/api/zips', { ids: takes.map((take) => take.id), with_masters: !takes.every(hasClip) })
  return `/api/zips/${id}.zip`
}

/** The path of the file that a notice is about, or of the newest one of its group or its item. */
async function pathOf({ id, group, file }, library) {
  // A notice without a file is about all cameras that recorded the moment.
  const whole = group ?? (file ? null : (await library.groups.whose(id))?.id)
  if (whole) return pathInGroup(whole, file)
  const item = await get(where(id))
  if (item.photo) return `${where(id)}/photo`
  const clips = item.clips.filter((clip) => clip.is_there)
  const clip = clips.find((each) => each.file === file) ?? clips.at(-1)
  return clip ? `${where(id)}/clips/${clip.index}.mp4` : `${where(id)}/master`
}

const kindOf = (file) => types[file.split('.').pop().toLowerCase()]

function canShare(file) {
  try {
    return Boolean(navigator.canShare?.({ files: [new File([], file, { type: kindOf(file) })] }))
  } catch { return false }
}

async function share(notice, library) {
  const blob = await (await fetchFrom(await pathOf(notice, library))).blob()
  try {
    await navigator.share({ files: [new File([blob], notice.file, { type: kindOf(notice.file) })] })
  } catch (error) {
    if (error.name !== 'AbortError') throw error
  }
}

async function copy(notice, library) {
  const link = new URL(await pathOf(notice, library), location.href).href
  await navigator.clipboard.writeText(link)
  tell(`The address of ${notice.file} is copied. It opens only with the studio's token.`)
}

/** Shows such a notice; returns whether the notice is one. */
export function tellMade(notice, library) {
  const { kind, message, id, group, file } = notice
  if (!made.has(kind) || !(id || group)) return false
  const box = about(tell(message, kind), notice)
  const name = file ?? message
  const button = (text, work) => make('button', { type: 'button', textContent: text, 'aria-label': `${text}: ${name}`, onclick: work })
  box.made = notice
  const picture = make('img', { alt: '', hidden: true })
  picture.onload = () => { picture.hidden = false }
  if (group) library.groups.thumbnailOf(group, picture)
  else library.thumbnailOf(id, picture)
  const shows = group ? [button('Play', () => library.groups.openGroup(group, file)), button('Edit', () => library.groups.openGroup(group))] : [
    kind === 'clip_ready' || /\.MP\.jpg$/.test(file ?? '') ? button('Play', () => library.openItem(id, true)) : null,
    kind === 'photo_written' ? button('Show', () => library.openItem(id)) : button('Edit', () => library.editWhole(id)),
  ]
  const buttons = [
    ...shows,
    button('Download', () => attempt(async () => download(await pathOf(notice, library)))),
    file && canShare(file) ? button('Share', () => attempt(() => share(notice, library))) : null,
    file && !canShare(file) && navigator.clipboard ? button('Copy link', () => attempt(() => copy(notice, library))) : null,
  ].filter(Boolean)
  box.classList.add('made')
  box.append(picture, make('div', { className: 'row' }, ...buttons))
  const folder = make('small', { textContent: `In ${pathOnDisk()}` })
  // Several notices would hide the page, so only the newest names the folder.
  for (const former of document.querySelectorAll('#notices .where')) former.remove()
  box.append(make('div', { className: 'row where' }, folder, ...(canCopy ? [button('Copy path', () => copyPath(pathOnDisk(file)))] : [])))
  box.append(make('small', { className: 'name' }))
  const settle = settlesNotices([box])
  get('/api/takes').then(settle).catch(() => { /* the file's own name has to do */ })
  return true
}

/** Notes what a notice is about. */
export function about(box, { id, group }) {
  if (id) box.dataset.item = id
  if (group) box.dataset.group = group
  return box
}

/** Calls what was made by the name that it has in the library; returns whether it is still there. */
function name(box, items, groups) {
  const { kind, id, group, file } = box.made
  // A take that is saved may be one of several cameras that recorded the moment.
  const whole = groups.find((each) => each.id === group || (kind === 'take_saved' && each.cameras.some(({ take }) => take === id)))
  const item = whole ?? items.find((each) => each.id === id)
  if (!item || (kind === 'clip_ready' && !item.clips.some((clip) => clip.file === file && clip.is_there !== false))) return false
  const names = whole?.cameras.map((camera) => camera.name) ?? []
  const of = names.length > 1 ? `, of cameras ${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.length === 1 ? `, of camera ${names[0]} alone` : ''
  const called = `\u201c${title(item)}\u201d`
  setText(box.firstChild, kind === 'clip_ready' ? `A clip of ${called} is ready.` : `${whole ? '' : `${kindTold(item)} `}${called} is saved${of}.`)
  setText(box.querySelector('.name'), file ?? (title(item) === item.name ? '' : item.name))
  return true
}

/**
 * Begins to look for notices that are past. The function that it returns takes the items of a list that was requested
 * after this, names what notices are about as the list does, and removes those about what is no longer there, or what is
 * there again. A notice that comes meanwhile may be newer than the list.
 */
export function settlesNotices(boxes = [...document.querySelectorAll('#notices .notice')]) {
  return async (items) => {
    const ofGroups = boxes.some(({ dataset, made: notice }) => dataset.group || notice?.kind === 'take_saved')
    const groups = ofGroups ? await get('/api/groups') : []
    const ids = new Set([...items, ...groups].map(({ id }) => id))
    for (const box of boxes) {
      const { item, group, removed } = box.dataset
      const isGone = [item, group].some((id) => id && !ids.has(id)) || (removed && removed.split(' ').every((id) => ids.has(id)))
      if (isGone || (box.made && !name(box, items, groups))) box.remove()
    }
  }
}
