import FoundationEssentials
import Overcrank
import Synchronization

/// A folder's takes as the page sees them: by id, with the actions on each.
final class TakeCatalog: Sendable {
  let library: TakeLibrary
  let ids: TakeIDs
  let clips: ClipQueue
  let work: BlockingWork
  /// Whether a file belongs to a take that is kept only until its Motion Photos are made, and is not listed.
  private let isPassing: @Sendable (FilePath) async -> Bool
  /// Called after a take was changed or removed, or a picture of it was written.
  let changed: @Sendable () async -> Void
  let state = Mutex(State())
  /// Held while items are removed: the last take of a group takes the group with it, so each must see what the one
  /// before left.
  let removal = Mutex(())

  struct State {
    /// The items as they were last read.
    var items: [String: LibraryEntry] = [:]
    fileprivate var thumbnails: [String: Thumbnail] = [:]
    /// The archives that can be downloaded, the newest last.
    var zips: [(id: String, zip: ZipDownload)] = []
    var uploads = Uploads()
  }

  fileprivate struct Thumbnail {
    var date: String
    var bytes: [UInt8]
  }

  private static let mostThumbnails = 200
  private static let mostZips = 16
  private static let thumbnailSide = 512

  init(
    _ library: TakeLibrary, ids: TakeIDs, clips: ClipQueue, work: BlockingWork,
    isPassing: @escaping @Sendable (FilePath) async -> Bool, changed: @escaping @Sendable () async -> Void
  ) {
    (self.library, self.ids, self.clips, self.work) = (library, ids, clips, work)
    (self.isPassing, self.changed) = (isPassing, changed)
  }

  /// Returns all takes and photos, newest first; none if the folder does not exist yet.
  ///
  /// A file that is still being written, such as by an armed studio, is not a take yet.
  func all() async throws -> [TakeResponse] {
    let (library, ids) = (library, ids)
    // On a thread that may block: Swift's cooperative threads serve all pages meanwhile.
    let read = try await work.run { () -> [(id: String, entry: LibraryEntry, answer: TakeResponse)] in
      guard library.folder.exists else { return [] }
      return try library.entriesWaiting().filter { $0.partState != .growing }.map { entry in
        let id = ids.id(of: entry.path)
        return (id, entry, TakeResponse(entry, id: id))
      }
    }
    var (items, answers) = ([String: LibraryEntry](), [TakeResponse]())
    for (id, entry, answer) in read where await !isPassing(entry.path) {
      items[id] = entry
      answers.append(answer)
    }
    state.withLock { [items] state in
      state.items = items
      state.thumbnails = state.thumbnails.filter { items[$0.key] != nil }
    }
    return answers
  }

  func take(_ id: String) async throws -> TakeResponse {
    let entry = try await freshItem(id)
    return TakeResponse(try await work.run { entry.notingShared() }, id: id)
  }

  /// Returns the item with this id as it is on the disk now.
  private func freshItem(_ id: String) async throws -> LibraryEntry {
    // Items in the trash have ids too, but are not takes until they are restored.
    guard let path = ids.path(of: id), path.folder == library.folder else {
      throw APIError.notFound("such take")
    }
    let library = library
    guard let found = try await work.run({ library.entry(at: path) }) else {
      throw APIError.notFound("such take")
    }
    state.withLock { $0.items[id] = found }
    return found
  }

  /// Returns the item with this id as it was last read; its files are checked when they are opened.
  private func knownItem(_ id: String) async throws -> LibraryEntry {
    if let item = state.withLock({ $0.items[id] }) { return item }
    return try await freshItem(id)
  }

  /// Returns the take as it is on the disk now.
  private func fresh(_ id: String) async throws -> LibraryEntry { try entry(await freshItem(id)) }

  /// Returns the take as it was last read.
  private func known(_ id: String) async throws -> LibraryEntry { try entry(await knownItem(id)) }

  /// Returns `entry`, a take, after checking that its videos lie in the folder.
  private func entry(_ entry: LibraryEntry) throws(APIError) -> LibraryEntry {
    guard entry.photo == nil else { throw .notFound("take with this id: it is a photo") }
    for video in entry.clips + [entry.master].compactMap(\.self) { try checkIsInside(video) }
    return entry
  }

  /// Refuses a link that leads out of the folder.
  private func checkIsInside(_ video: FilePath) throws(APIError) {
    guard !video.isLinkElsewhere else {
      throw .notFound("\(video.name) in this folder: it is a link to another folder, which is not followed")
    }
  }

  func label(_ id: String, _ label: String?) async throws -> TakeResponse {
    let entry = try await freshItem(id)
    try await work.run { try entry.setLabel(label) }
    await changed()
    return try await take(id)
  }

  func remove(_ id: String) async throws {
    _ = try await takeAway(id) { try $0.removeRemains() }
  }

  /// Moves a take or photo to the trash, and returns its id there.
  func moveToTrash(_ id: String) async throws -> String {
    let trash = Trash(of: library)
    return ids.id(of: try await takeAway(id) { try trash.add($0.notingShared()) })
  }

  private func takeAway<Value: Sendable>(
    _ id: String, _ body: @escaping @Sendable (LibraryEntry) throws -> Value
  ) async throws -> Value {
    let item = try await freshItem(id)
    return try await takeAway(
      [item.path], orSay: "A clip of this take is being made. Remove the take afterwards."
    ) { try body(item) }
  }

  /// Removes files by `body`, unless a clip of one of them is being made.
  func takeAway<Value: Sendable>(
    _ paths: [FilePath], orSay reason: String, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    guard !paths.contains(where: clips.holds) else { throw APIError.notNow(reason) }
    let value = try await work.run { try self.removal.withLock { _ in try body() } }
    for path in paths { forget(path, ids.id(of: path)) }
    await changed()
    return value
  }

  /// Forgets an item whose file was at `path`.
  func forget(_ path: FilePath, _ id: String) {
    ids.forget(path)
    state.withLock { state in
      state.items[id] = nil
      state.thumbnails[id] = nil
    }
  }

  /// Deletes clip `index` of a take.
  func removeClip(_ id: String, _ index: Int) async throws -> TakeResponse {
    let entry = try await fresh(id)
    guard let clips = entry.description?.clips, clips.indices.contains(index) else {
      throw APIError.notFound("clip \(index)")
    }
    try await work.run { try entry.removeClip(named: clips[index].file) }
    await changed()
    return try await take(id)
  }

  func thumbnail(_ id: String) async throws -> [UInt8] {
    let item = try await knownItem(id)
    if let known = state.withLock({ $0.thumbnails[id] }), known.date == item.date { return known.bytes }
    let bytes: [UInt8]
    if let photo = item.photo {
      bytes = try await work.run {
        do { return try photo.picture(fitting: Self.thumbnailSide).encoded(as: .jpeg) } catch {
          throw APIError.notFound("thumbnail of this photo")
        }
      }
    } else {
      let entry = try entry(item)
      bytes = try await work.run {
        var pictures = try TakePictures(entry, allowingClip: true)
        return try pictures.picture(pictures.keyIndex, fitting: Self.thumbnailSide).encoded(as: .jpeg)
      }
    }
    state.withLock { state in
      if state.thumbnails.count >= Self.mostThumbnails { state.thumbnails.removeAll() }
      state.thumbnails[id] = Thumbnail(date: item.date, bytes: bytes)
    }
    return bytes
  }

  /// Returns the file of a photo, or of picture `index` of a burst, and its media type.
  func photo(_ id: String, _ index: Int = 0) async throws -> (file: InputFile, type: String) {
    guard let photo = try await knownItem(id).photo else {
      throw APIError.notFound("photo with this id: it is a take")
    }
    let pictures = photo.pictures
    guard pictures.indices.contains(index) else { throw APIError.notFound("picture \(index)") }
    return (try await work.run { try InputFile(pictures[index]) }, PhotoResponse(photo).type)
  }

  /// Returns the file of a Live Photo's video.
  func photoVideo(_ id: String) async throws -> InputFile {
    guard let video = try await knownItem(id).photo?.video else {
      throw APIError.notFound("video of a photo")
    }
    return try await work.run { try InputFile(video) }
  }

  /// Returns the numbers and times of the frames of the master.
  func frames(_ id: String) async throws -> StudioReviewFrames {
    let entry = try await known(id)
    return try await work.run {
      let pictures = try TakePictures(entry)
      let zero = pictures.time(of: pictures.triggerIndex ?? 0)
      return StudioReviewFrames(
        sequence: pictures.sequences,
        time: (0..<pictures.frameCount).map { (pictures.time(of: $0) - zero).wholeNanoseconds })
    }
  }

  /// Returns frame `index` of the master as a JPEG, at most `width` pixels wide.
  func frame(_ id: String, _ index: Int, width: Int) async throws -> [UInt8] {
    let entry = try await known(id)
    return try await work.run {
      var pictures = try TakePictures(entry)
      guard index < pictures.frameCount else { throw APIError.notFound("frame \(index)") }
      return try pictures.picture(index, width: width).encoded(as: .jpeg)
    }
  }

  /// Returns the file of clip `index`.
  func clip(_ id: String, _ index: Int) async throws -> InputFile {
    let path = try await clipPath(id, index)
    return try await work.run { try InputFile(path) }
  }

  private func clipPath(_ id: String, _ index: Int) async throws -> FilePath {
    if let listed = try await known(id).clip(index) { return listed }
    // The clip may be newer than the last listing.
    guard let made = try await fresh(id).clip(index) else { throw APIError.notFound("clip \(index)") }
    return made
  }

  func master(_ id: String) async throws -> InputFile {
    let entry = try await known(id)
    guard let master = entry.master else { throw APIError.notFound("master for this take") }
    return try await work.run { try InputFile(master) }
  }

  /// Prepares an archive of the clips and photos of these items, and returns its id and its layout.
  ///
  /// A group counts as its takes and its own clips; so do all takes of one.
  ///
  /// - Parameter withMasters: whether masters, take files and group files are in it too.
  /// - Throws: ``APIError`` if there is no such item, or one has nothing to download.
  func makeZip(_ ids: [String], withMasters: Bool) async throws -> (id: String, layout: ZipLayout) {
    let library = library
    let selection = TakeExport(to: library.folder, withMasters ? .all : .clips)
    var (items, named) = ([LibraryEntry](), [StoredGroup]())
    for id in ids {
      if let path = self.ids.path(of: id), GroupVideo.isNamed(by: path) {
        let group = try await storedGroup(id)
        named.append(group)
        items += try await work.run { group.takes }
      } else {
        items.append(try await freshItem(id))
      }
    }
    let takes = Set(items.map(\.path))
    let groups = try await work.run { [named] () -> [(group: StoredGroup, files: [FilePath])] in
      let entries = library.folder.exists ? try library.entriesWaiting() : []
      let present = Set(entries.map(\.path))
      let all = library.groups
      return all.filter { group in
        let own = present.intersection(group.takeFiles)
        return named.contains(group) || !own.isEmpty && takes.isSuperset(of: own)
      }.map { (group: $0, files: $0.clips(listed: entries, among: all) + (withMasters ? [$0.path] : [])) }
    }
    var (files, known) = ([FilePath](), Set<FilePath>())
    for item in items {
      let own = item.kind == .part ? [] : selection.files(of: item)
      // The clips of a group may be all that there is of its takes.
      let isOfGroup = groups.contains { $0.group.takeFiles.contains(item.path) && !$0.files.isEmpty }
      guard !own.isEmpty || isOfGroup else {
        throw APIError.refused("\(item.name): has no clip to download.")
      }
      // Takes may share a clip, and a group may be named beside its takes.
      files += own.filter { known.insert($0).inserted }
    }
    files += groups.flatMap(\.files).filter { known.insert($0).inserted }
    guard !files.isEmpty else { throw APIError.refused("The group has no clip to download.") }
    let zip = try await work.run { [files] in try ZipDownload(of: files) }
    let id = String(Token().text.prefix(16))
    state.withLock { state in
      if state.zips.count >= Self.mostZips { state.zips.removeFirst() }
      state.zips.append((id, zip))
    }
    return (id, zip.layout)
  }

  /// Returns the content of an archive that was prepared.
  func zip(_ id: String) throws(APIError) -> Response.Body {
    guard let zip = state.withLock({ $0.zips.first { $0.id == id }?.zip }) else {
      throw .notFound("such archive. Ask for it again")
    }
    return .sized(zip.layout.length) { [work] in try await zip.write(to: $0, work) }
  }

  /// Queues a clip of the frames from `first` to `last`, both included.
  func makeClip(_ id: String, _ render: RenderSpec, first: Int?, last: Int?) async throws {
    let entry = try await fresh(id)
    let span = try await work.run {
      let pictures = try TakePictures(entry)
      let (first, last) = (first ?? 0, last ?? pictures.frameCount - 1)
      let span = try pictures.span(first, last, counting: render.speed == nil)
      let step = pictures.time(of: pictures.frameCount - 1) / max(1, pictures.frameCount - 1)
      try render.speed?.check(until: pictures.time(of: last) + step, of: "the marked part")
      return span
    }
    try clips.add(ClipQueue.Job(take: entry.path, spec: ClipSpec(render, of: span)))
  }

  /// Cancels the clips of a take that wait or are being made.
  func cancelClips(_ id: String) async throws {
    guard clips.cancel(try await known(id).path) else {
      throw APIError.notNow("No clip of this take is waiting or being made.")
    }
  }

  /// A choice of one of a take's frames.
  enum Place: Sendable {
    case frame(Int)
    case time(Duration)
    /// The trigger's frame, or the middle one if there is none.
    case key

    fileprivate func index(in pictures: borrowing TakePictures) throws -> Int {
      switch self {
      case .frame(let index):
        guard index < pictures.frameCount else { throw APIError.notFound("frame \(index)") }
        return index
      case .time(let time): return try pictures.index(at: time)
      case .key: return pictures.keyIndex
      }
    }
  }

  /// Writes a frame beside the take, and returns the file's name.
  func still(_ id: String, _ place: Place) async throws -> String {
    let entry = try await fresh(id)
    return try await changing { [work] in
      try await work.run {
        var pictures = try TakePictures(entry)
        let index = try place.index(in: pictures)
        let bytes = try pictures.still(index, as: .jpeg, isTagged: true)
        var file = try OutputFile(
          entry.path.beside("\(entry.name)-frame-\(index).jpg").free, replacing: false)
        let name = file.path.name
        try file.write(bytes)
        try file.commit()
        return name
      }
    }
  }

  /// Writes a frame and the video around it beside the take, and returns the file's name.
  func motionPhoto(_ id: String, _ place: Place) async throws -> String {
    let entry = try await fresh(id)
    return try await changing { [work] in
      let index = try await work.run { try place.index(in: TakePictures(entry)) }
      let path = entry.path.beside("\(entry.name)-frame-\(index)\(MotionPhotoFile.suffix)").free
      return try await MotionPhoto.make(ofFrame: index, in: entry, to: path).path.name
    }
  }

  /// Runs `body`, and notes a change of the takes even if it fails.
  private func changing(_ body: () async throws -> String) async throws -> String {
    let name: Result<String, any Error>
    do { name = .success(try await body()) } catch { name = .failure(error) }
    await changed()
    return try name.get()
  }
}

extension TakePictures {
  /// Returns frame `index`, at most `width` pixels wide.
  fileprivate mutating func picture(_ index: Int, width: Int) throws(OvercrankError) -> Picture {
    let (across, down) = stillSize
    // The side of the square around a picture is the picture's longer side.
    let side = across >= down || across == 0 ? width : width * down / across
    return try picture(index, fitting: max(1, side))
  }

  /// Returns the span that shows the frames from `first` to `last`, both included.
  ///
  /// Videos store times to the microsecond. If each frame is shown once, the span begins and ends between two
  /// frames. Otherwise each moment shows the last frame captured before it, so the span begins just after a
  /// frame.
  ///
  /// - Parameter counts: whether each frame is shown once.
  /// - Throws: ``APIError`` if there are no such frames.
  fileprivate borrowing func span(_ first: Int, _ last: Int, counting counts: Bool) throws(APIError)
    -> ClipSpan
  {
    guard first <= last else {
      throw .badRequest("The part ends before it begins: first is \(first), last is \(last).")
    }
    guard first >= 0, last < frameCount else {
      throw .badRequest("The take has only frames 0 to \(frameCount - 1).")
    }
    guard first > 0 || last < frameCount - 1 else { return .whole }
    let (start, end) = (time(of: first), last < frameCount - 1 ? time(of: last + 1) : nil)
    guard counts else { return ClipSpan(start: first > 0 ? start + .microseconds(2) : .zero, end: end) }
    return ClipSpan(
      start: first > 0 ? (time(of: first - 1) + start) / 2 : .zero, end: end.map { (time(of: last) + $0) / 2 }
    )
  }
}

extension LibraryEntry {
  /// Returns the file of the take's clip `index`, or `nil` if there is none.
  fileprivate func clip(_ index: Int) -> FilePath? {
    guard let clips = description?.clips, clips.indices.contains(index) else { return nil }
    return self.clips.first { $0.name == clips[index].file }
  }
}

extension SpeedCurve {
  /// Refuses points after `end`, where the clip is over and they would have no visible effect.
  ///
  /// - Parameter what: the part that ends there, for the message.
  func check(until end: Duration, of what: String) throws(StudioError) {
    let late =
      points.first { $0.time > end }.map { "\($0)" } ?? freezes.first { $0.time > end }.map { "\($0)" }
    guard let late else { return }
    throw StudioError(
      .badRequest,
      "The curve's point \(late) is after the end of \(what), at \(end.inSeconds.decimal(places: 3)) s. "
        + "Move it earlier, or remove it.")
  }
}
