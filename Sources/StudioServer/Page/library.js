// Takes and photos on the disk: view them, play their clips, make further clips, remove them.
import { fetchFrom, get, patch, post, remove, ticketed } from './api.js'
import { clipItem, isAnimation } from './clips.js'
import { Compare, comparable, leftOut } from './compare.js'
import { byId, make, setAttribute, setText } from './dom.js'
import { download } from './download.js'
import { Filter } from './filter.js'
import { Folder } from './folder.js'
import { bytes, duration, frames as framesTold } from './format.js'
import { Frames } from './frames.js'
import { Groups } from './groups.js'
import { date, kind, lossTold, photoKind, title, told, where } from './items.js'
import { Last } from './last.js'
import { appended } from './mp4.js'
import { attempt, refuse, sure, tell } from './notices.js'
import { Selection } from './selection.js'
import { accept } from './told.js'
import { Trash } from './trash.js'
import { Upload } from './upload.js'

export class Library {
  constructor() {
    this.thumbnails = new Map()
    this.takes = []
    this.number = null
    this.filter = new Filter(() => this.show(this.takes))
    this.selection = new Selection(() => this.load())
    this.last = new Last(this)
    this.trash = new Trash()
    this.upload = new Upload(this)
    this.compare = new Compare()
    this.folder = new Folder()
    this.groups = new Groups(this)
    byId('library').addEventListener('keydown', (event) => this.pressed(event))
    byId('take-play').addEventListener('click', () => this.playNewest())
    byId('take-close').addEventListener('click', () => this.close())
    byId('take-index').addEventListener('input', (event) => this.showFrame(Number(event.target.value)))
    byId('take-back').addEventListener('click', () => this.stepFrame(-1))
    byId('take-on').addEventListener('click', () => this.stepFrame(1))
    byId('take-still').addEventListener('click', () => this.madeOfFrame('stills'))
    byId('take-motion-photo').addEventListener('click', () => this.madeOfFrame('motion-photos'))
    byId('take-new-clip').addEventListener('submit', (event) => {
      event.preventDefault()
      attempt(() => post(`${where(this.open)}/clips`, { speed: byId('take-speed').value.trim() || null }), byId('take-speed'))
    })
    byId('take-label-form').addEventListener('submit', async (event) => {
      event.preventDefault()
      await attempt(() => patch(where(this.open), { label: byId('take-label-text').value.trim() || null }), byId('take-label-text'))
      this.load()
    })
    byId('take-edit').addEventListener('click', () => this.onEdit?.(this.open))
    byId('take-group').addEventListener('click', () => this.groups.view.show(this.groups.of(this.open).group))
    byId('take-master').addEventListener('click', () => this.download(`${where(this.open)}/master`))
    byId('take-remove').addEventListener('click', () => this.removeOpen())
  }

  get isShown() { return !byId('library').hidden }

  render(state) {
    if (this.number !== state.library) {
      this.isOld = true
      this.number = state.library
    }
    this.last.render(state)
    this.folder.render(state)
    this.groups.render(state)
    if (this.isShown && this.isOld) this.load()
    const making = state.clips.find((clip) => clip.take === this.open)
    byId('take-progress').hidden = !making
    if (making) byId('take-progress').value = making.fraction
  }

  async load() {
    this.isOld = false
    if (this.isLoading) {
      this.isOld = true
      return
    }
    this.isLoading = true
    // Not with `attempt`: its success would take away the reason why a removal was refused.
    const takes = await get('/api/takes').catch((error) => { refuse(error) })
    if (takes) {
      // The groups are called as these are.
      this.takes = takes
      await this.groups.load()
    }
    this.isLoading = false
    if (takes) this.show(takes)
    if (this.isOld && takes) this.load()
  }

  show(takes) {
    this.takes = takes
    byId('library-empty').hidden = takes.length > 0
    this.filter.offer(takes)
    const shown = takes.filter((take) => this.filter.passes(take))
    byId('library-filter').hidden = takes.length === 0
    byId('filter-empty').hidden = takes.length === 0 || shown.length > 0
    const [focused] = ['take', 'select', 'whole'].flatMap((key) => {
      const id = document.activeElement?.dataset[key]
      return id ? [`[data-${key}="${CSS.escape(id)}"]`] : []
    })
    for (const [id, address] of this.thumbnails) {
      if (!takes.some((take) => take.id === id)) {
        URL.revokeObjectURL(address)
        this.thumbnails.delete(id)
      }
    }
    byId('takes').replaceChildren(...shown.map((take) => make('li', {}, this.card(take), this.selection.box(take), ...this.groups.link(take))))
    this.selection.follow(takes, shown)
    this.groups.show()
    if (focused) byId('takes').querySelector(focused)?.focus()
    if (!this.open) return
    const take = takes.find((entry) => entry.id === this.open)
    if (take) this.showTake(take)
    else this.close()
  }

  card(take) {
    const picture = make('img', { alt: '' })
    this.thumbnail(take, picture)
    const camera = this.groups.of(take.id)?.camera.name
    const card = make(
      'button', { type: 'button', className: 'card', 'aria-expanded': String(take.id === this.open), onclick: () => this.choose(take) },
      picture, make('span', { className: 'name', textContent: title(take) }), make('span', { className: 'told', textContent: `${camera ? `Camera ${camera}, ` : ''}${told(take)}` }))
    if (lossTold(take)) card.append(make('span', { className: 'loss', textContent: `\u26a0 ${lossTold(take)}` }))
    card.dataset.take = take.id
    return card
  }

  async thumbnail(take, picture) {
    const kept = this.thumbnails.get(take.id)
    if (kept) {
      picture.src = kept
      return
    }
    // One after the other: a library may have hundreds, and the user's own requests come first.
    this.queue = (this.queue ?? Promise.resolve()).then(async () => {
      if (!picture.isConnected) return
      try {
        const response = await fetchFrom(`${where(take.id)}/thumbnail.jpg`)
        const address = URL.createObjectURL(await response.blob())
        this.thumbnails.set(take.id, address)
        picture.src = address
      } catch { /* a take without a picture is shown without one */ }
    })
  }

  choose(take) {
    this.close(false)
    this.open = take.id
    byId('library').classList.add('open')
    byId('take').hidden = false
    byId('take-label-text').value = take.label ?? ''
    byId('take-speed').value = ''
    for (const id of ['take-label-text', 'take-speed']) accept(byId(id))
    this.showTake(take)
    for (const card of byId('takes').querySelectorAll('.card')) card.setAttribute('aria-expanded', String(card.dataset.take === take.id))
    this.frames?.close()
    this.frames = null
    const hasFrames = take.has_master && take.written > 0
    if (hasFrames) {
      const canvas = byId('take-frame')
      this.frames = new Frames(take.written, (index) => `${where(take.id)}/frames/${index}.jpg?width=960`, (frame, index) => {
        Object.assign(canvas, { width: frame.width, height: frame.height })
        canvas.getContext('2d').drawImage(frame, 0, 0)
        canvas.dataset.frame = index
        canvas.setAttribute('aria-label', `Frame ${index} of the take`)
      })
    }
    // The pictures of a burst are stepped through as a take's frames are.
    this.burst = take.photo?.pictures > 1 ? take : null
    byId('take-steps').hidden = !hasFrames && !this.burst
    byId('take-frame').hidden = !hasFrames
    byId('take-photo').hidden = true
    byId('take-photo').removeAttribute('src')
    byId('take-unshown').hidden = true
    setText(byId('take-index-name'), this.burst ? 'Photo of the burst' : 'Frame')
    setAttribute(byId('take-index'), 'aria-label', byId('take-index-name').textContent)
    for (const [id, way] of [['take-back', 'Previous'], ['take-on', 'Next']]) setAttribute(byId(id), 'aria-label', `${way} ${this.burst ? 'photo' : 'frame'}`)
    byId('take-index').max = (this.burst ? take.photo.pictures : take.written ?? 1) - 1
    byId('take-index').value = '0'
    if (hasFrames || this.burst) this.showFrame(0)
    else this.showPhoto(take)
    byId('take-title').focus()
  }

  /** The address of the photo, or of the picture of a burst that is shown. */
  get photoPath() { return this.burst ? `${where(this.open)}/photos/${byId('take-index').value}` : `${where(this.open)}/photo` }

  async showPhoto({ id, photo, name }, index = 0) {
    if (!photo) {
      this.tellUnshown(null, 'There is no frame to show.')
      return
    }
    if (photo.type === 'image/tiff') {
      this.tellUnshown(photo.file)
      return
    }
    const address = await attempt(() => ticketed(this.photoPath))
    // The user may have gone on meanwhile.
    if (!address || this.open !== id || (this.burst && Number(byId('take-index').value) !== index)) return
    this.showPicture(address, photo.file, `${photoKind(photo)} ${name}${this.burst ? `, ${index + 1} of ${photo.pictures}` : ''}`)
  }

  showFrame(index) {
    this.hideVideo()
    setText(byId('take-frame-told'), this.burst ? `${index + 1} of ${this.burst.photo.pictures}` : `${index} (0 to ${byId('take-index').max})`)
    if (this.burst) {
      this.showPhoto(this.burst, index)
      return
    }
    byId('take-photo').hidden = true
    byId('take-unshown').hidden = true
    byId('take-frame').hidden = false
    this.frames?.want(index)
  }

  stepFrame(by) {
    const slider = byId('take-index')
    // A slider keeps its value within its ends.
    slider.value = String(Number(slider.value) + by)
    this.showFrame(Number(slider.value))
  }

  showTake(take) {
    setText(byId('take-title'), title(take))
    const clips = byId('take-clips')
    const key = JSON.stringify([take.clips, take.photo])
    if (clips.dataset.key !== key || clips.dataset.take !== take.id) {
      clips.dataset.key = key
      clips.dataset.take = take.id
      clips.replaceChildren(...take.clips.filter((clip) => clip.is_there).flatMap((clip) => {
        const path = `${where(take.id)}/clips/${clip.index}.mp4`
        return [clipItem(clip, {
          Play: () => this.playClip(path, clip),
          ...(take.has_master && take.written > 0 ? { Edit: () => this.onEdit?.(take.id, clip) } : {}),
          Download: () => this.download(path),
          Delete: () => this.removeClip(take, clip),
        })]
      }))
      if (comparable(take).length > 1) {
        clips.append(make('li', {}, make('button', { type: 'button', textContent: 'Compare clips', onclick: () => this.compareClips() })))
      } else if (take.clips.filter((clip) => clip.is_there).length > 1) {
        clips.append(make('li', {}, make('p', { className: 'hint', textContent: leftOut(take) })))
      }
      if (take.photo) clips.append(make('li', {}, make('button', { type: 'button', className: take.photo.is_motion || take.photo.has_video ? '' : 'main', textContent: 'Download photo', onclick: () => this.download(this.photoPath) })))
      if (take.photo?.has_video) clips.append(make('li', {}, make('button', { type: 'button', textContent: 'Download video', onclick: () => this.download(`${where(take.id)}/video`) })))
    }
    const whole = this.groups.of(take.id)
    byId('take-group').hidden = !whole
    byId('take-edit').hidden = !(take.has_master && take.written > 0)
    byId('take-play').hidden = !take.photo?.is_motion && !take.photo?.has_video && !take.clips.some((clip) => clip.is_there)
    byId('take-frame-actions').hidden = !take.has_master
    byId('take-new-clip').hidden = !take.has_master
    byId('take-master').hidden = !take.has_master
    byId('take-label-form').hidden = take.kind !== 'take' && take.kind !== 'photo'
    const facts = take.photo ? [
      ['Taken', date(take.date)],
      ['Kind', kind(take)],
      ['Size', bytes(take.bytes)],
      [take.photo.pictures > 1 ? 'First file' : 'File', take.photo.file],
      ...(take.problems.length > 0 ? [['Problems', take.problems.join(' ')]] : []),
    ] : [
      ['Recorded', `${date(take.date)}, ${take.camera ?? 'unknown camera'}`],
      ['Mode', take.mode?.text ?? 'unknown'],
      ['Length', take.duration_ns === null ? 'unknown' : `${duration(take.duration_ns)}, ${framesTold(take.written)}`],
      ['Lost frames', take.losses.length > 0 ? take.losses.join(', ') : take.lost > 0 ? framesTold(take.lost) : take.duration_ns === null ? 'unknown' : 'none'],
      ['Size', take.bytes === null ? 'unknown' : bytes(take.bytes)],
      ['Name', take.name],
      ...(whole ? [['Group', `camera ${whole.camera.name} of ${whole.group.name}`]] : []),
      ...(take.problems.length > 0 ? [['Problems', take.problems.join(' ')]] : []),
    ]
    byId('take-facts').replaceChildren(...facts.flatMap(([name, value]) => [make('dt', { textContent: name }), make('dd', { textContent: value })]))
  }

  close(movesFocus = true) {
    this.groups.view.close()
    if (!this.open) return
    const card = byId('takes').querySelector(`[data-take="${CSS.escape(this.open)}"]`)
    this.open = null
    this.frames?.close()
    this.frames = null
    const video = byId('take-video')
    video.pause()
    video.removeAttribute('src')
    video.load()
    video.hidden = true
    byId('take').hidden = true
    byId('library').classList.remove('open')
    card?.setAttribute('aria-expanded', 'false')
    if (movesFocus) card?.focus()
  }

  /** Shows the library with this item open. */
  async openItem(id, plays = false) {
    byId('view-library').click()
    const takes = await attempt(() => get('/api/takes'))
    if (!takes) return
    const item = takes.find((take) => take.id === id)
    this.takes = takes
    if (item && !this.filter.passes(item)) this.filter.clear()
    else this.show(takes)
    if (!item) {
      tell('It is no longer in the library.')
      return
    }
    this.choose(item)
    if (plays) this.playNewest()
  }

  /** Shows a take with the others of its group, or as `openItem` does. */
  async openWhole(id) {
    const group = await this.groups.whose(id)
    if (group) this.groups.openGroup(group.id)
    else this.openItem(id)
  }

  /** Edits a take with the others of its group, or alone. */
  async editWhole(id) {
    const group = await this.groups.whose(id)
    if (group) this.groups.openGroup(group.id)
    else this.onEdit(id)
  }

  /** Arrow keys change the open item, except in a control that uses them itself. */
  pressed(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input:not([type=checkbox]), select, video')) return
    if (this.step(by)) event.preventDefault()
  }

  /** Loads an item's picture at once. */
  async thumbnailOf(id, picture) {
    try {
      const blob = await (await fetchFrom(`${where(id)}/thumbnail.jpg`)).blob()
      const address = URL.createObjectURL(blob)
      picture.addEventListener('load', () => URL.revokeObjectURL(address), { once: true })
      picture.src = address
    } catch { /* an item without a picture is shown without one */ }
  }

  compareClips() {
    byId('take-video').pause()
    this.compare.open(this.takes.find((take) => take.id === this.open))
  }

  /** Plays the video of a Motion Photo, which is behind the picture in its file, and then shows the picture again. */
  async playMotion({ id, photo }) {
    const file = await attempt(async () => (await fetchFrom(`${where(id)}/photo`)).arrayBuffer())
    if (!file || this.open !== id) return
    const start = appended(file)
    if (start === null) {
      tell(`${photo.file} has no video.`, 'error')
      return
    }
    const address = URL.createObjectURL(new Blob([file.slice(start)], { type: 'video/mp4' }))
    this.playVideo(address, false, photo.file)
    this.showPhotoAfterVideo(id)
    byId('take-video').onemptied = () => URL.revokeObjectURL(address)
  }

  /** Plays the video of a Live Photo, which is in a file of its own, and then shows the picture again. */
  async playLive({ id, photo }) {
    const address = await attempt(() => ticketed(`${where(id)}/video`))
    if (!address || this.open !== id) return
    this.playVideo(address, false, photo.file.replace(/\.[^.]*$/, '.mov'))
    this.showPhotoAfterVideo(id)
  }

  showPhotoAfterVideo(id) {
    const video = byId('take-video')
    video.onended = () => {
      if (this.open !== id) return
      video.hidden = true
      byId('take-photo').hidden = false
    }
  }

  /** Plays the newest clip of the open take, or the open Motion Photo or Live Photo. */
  playNewest() {
    const item = this.takes.find((take) => take.id === this.open)
    if (item?.photo?.has_video) {
      this.playLive(item)
      return
    }
    if (item?.photo?.is_motion) {
      this.playMotion(item)
      return
    }
    const clip = item?.clips.findLast((each) => each.is_there)
    if (clip) this.playClip(`${where(this.open)}/clips/${clip.index}.mp4`, clip)
  }

  /** Opens the next or previous item of the list. Returns whether an item is open. */
  step(by) {
    if (!this.open) return false
    const { shown } = this.selection
    const next = shown[shown.findIndex((take) => take.id === this.open) + by]
    if (next) this.choose(next)
    return true
  }

  async playClip(path, clip) {
    const id = this.open
    const address = await attempt(() => ticketed(path))
    if (!address || this.open !== id) return
    if (isAnimation(clip)) {
      this.hideVideo()
      this.showPicture(address, clip.file, `Clip ${clip.file}`)
    } else this.playVideo(address, true, clip.file)
  }

  /** Shows a picture in place of the frame and the video. */
  showPicture(address, file, told) {
    const picture = byId('take-photo')
    const id = this.open
    byId('take-frame').hidden = true
    byId('take-unshown').hidden = true
    picture.onerror = () => { if (this.open === id) this.tellUnshown(file) }
    picture.alt = told
    picture.src = address
    picture.hidden = false
  }

  /** Says that a file cannot be shown: browsers know neither TIFF nor ProRes, and it may be damaged. */
  tellUnshown(file, told = `The browser cannot show ${file}. Download it.`) {
    for (const each of ['take-photo', 'take-video', 'take-frame']) byId(each).hidden = true
    byId('take-unshown').hidden = false
    setText(byId('take-unshown'), told)
  }

  hideVideo() {
    byId('take-video').pause()
    byId('take-video').hidden = true
  }

  playVideo(address, loops, file) {
    const video = byId('take-video')
    const id = this.open
    for (const each of ['take-frame', 'take-photo', 'take-unshown']) byId(each).hidden = true
    video.onerror = () => { if (this.open === id && !video.hidden) this.tellUnshown(file) }
    video.onended = null
    video.onemptied = null
    video.hidden = false
    video.src = address
    video.loop = loops
    video.play().catch(() => { /* a browser may wait for one more click: its own button is there */ })
  }

  download(path) { return attempt(() => download(path)) }

  async removeClip(take, clip) {
    if (!(await sure(`Delete ${clip.file}? This cannot be undone.`, 'Delete'))) return
    await attempt(() => remove(`${where(take.id)}/clips/${clip.index}`))
    this.load()
  }

  async madeOfFrame(what) {
    const answer = await attempt(() => post(`${where(this.open)}/${what}`, { frame: Number(byId('take-index').value) }))
    if (answer) tell(`${answer.file} is saved.`)
  }

  async removeOpen() {
    const take = this.takes.find((entry) => entry.id === this.open)
    if (!take) return
    if (!Trash.takes(take) && !(await sure(`Remove \u201c${title(take)}\u201d? This cannot be undone.`))) return
    this.close()
    const place = await attempt(() => Trash.remove(take))
    const told = place && tell(`\u201c${title(take)}\u201d is in the trash.`, 'removed', [{ text: 'Undo', act: () => attempt(() => Trash.restore(place)) }])
    if (told) told.dataset.removed = take.id
    this.load()
  }
}
