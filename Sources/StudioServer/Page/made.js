// The notice that a take, a clip or a photo is on the disk: its picture, and what to do with it.
import { fetchFrom, get, post } from './api.js'
import { make } from './dom.js'
import { download } from './download.js'
import { canCopy, copyPath, pathOf as pathOnDisk } from './folder.js'
import { hasClip, where, whereGroup } from './items.js'
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
  const box = tell(message, kind)
  const name = file ?? message
  const button = (text, work) => make('button', { type: 'button', textContent: text, 'aria-label': `${text}: ${name}`, onclick: work })
  if (id) box.dataset.item = id
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
  if (file && !message.includes(file)) box.append(make('small', { textContent: file }))
  return true
}

/**
 * Begins to look for notices that are past. The function that it returns takes the items of a list that was requested
 * after this, and removes the notices about items that are no longer there, or that are there again. A notice that
 * comes meanwhile may be newer than the list.
 */
export function forgetsMade() {
  const boxes = [...document.querySelectorAll('#notices .notice')]
  return (ids) => {
    for (const box of boxes) {
      const { item, removed } = box.dataset
      if ((item && !ids.has(item)) || (removed && removed.split(' ').every((id) => ids.has(id)))) box.remove()
    }
  }
}
