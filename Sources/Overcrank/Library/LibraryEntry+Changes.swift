public import Platform
public import SystemPackage
public import Takes

extension LibraryEntry {
  /// Sets the label of the take or photo; `nil` removes it.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` for a label that is not a line of text, `unsupported` for a
  ///   take of a newer version; the take is then unchanged.
  public func setLabel(_ label: String?) throws(OvercrankError) {
    if let photo {
      if let label { try Self.checkLabel(label) }
      return try photo.setLabel(label)
    }
    try Self.setLabel(label, of: [self])
  }

  /// Sets the label of all `takes`, or of none.
  static func setLabel(_ label: String?, of takes: [LibraryEntry]) throws(OvercrankError) {
    if let label { try checkLabel(label) }
    // A recording holds the lock until it ends.
    for entry in takes { _ = try entry.checkedDescription() }
    try withLocks(on: takes) { locked throws(OvercrankError) in
      var written: [LockedTake] = []
      do throws(OvercrankError) {
        for former in locked {
          var take = former.take
          take.label = label
          try take.write(to: former.path, having: former.lock)
          written.append(former)
        }
      } catch {
        for former in written { try? former.take.write(to: former.path, having: former.lock) }
        throw error
      }
    }
  }

  /// Refuses a label that is not a line of 1 to 200 characters.
  ///
  /// - Throws: `OvercrankError` with `outOfRange`.
  public static func checkLabel(_ label: String) throws(OvercrankError) {
    let isLine = label.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isLine, !label.isEmpty, label.count <= 200 else {
      throw OvercrankError(
        .outOfRange,
        "A label must be one line of 1 to 200 characters, without control characters. Choose another, or leave it out."
      )
    }
  }

  /// The files that remain when a take is removed.
  public enum Remainder: Hashable, Sendable {
    /// No files.
    case nothing
    /// The master, and the take file, which has its times.
    case master
    /// The clips, and the take file.
    case clips
  }

  /// Returns the files to delete when the take or photo is removed, the take file or the picture last. Videos
  /// that another take also names stay. The part that its recovery left goes with the master.
  ///
  /// - Parameter remainder: the files to keep.
  /// - Throws: `OvercrankError` with `noInput` if the files to keep do not exist.
  public func files(removedKeeping remainder: Remainder) throws(OvercrankError) -> [FilePath] {
    if remainder == .clips, clips.isEmpty {
      throw OvercrankError(.noInput, "\(path): has no clip to keep. Nothing was deleted.")
    }
    if remainder == .master, master == nil {
      throw OvercrankError(.noInput, "\(path): has no master to keep. Nothing was deleted.")
    }
    switch kind {
    case .photo, .unfinishedPhoto, .unfinishedFile: return files
    default: break
    }
    let removed = videos(removedKeeping: remainder).flatMap(files(ofVideo:))
    return remainder == .nothing ? removed + [path] : removed
  }

  /// Returns the files to delete with a video: before the master, those that its recovery left; none if another take
  /// names the video too.
  func files(ofVideo video: FilePath) -> [FilePath] {
    isShared(video) ? [] : (video == master ? partFiles : []) + [video]
  }

  /// Returns the videos that would be deleted with the take if no other take named them too.
  public func sharedFiles(removedKeeping remainder: Remainder) -> [FilePath] {
    videos(removedKeeping: remainder).filter(isShared)
  }

  private func videos(removedKeeping remainder: Remainder) -> [FilePath] {
    (remainder == .clips ? [] : clips) + (remainder == .master ? [] : [master].compactMap(\.self))
  }

  /// Deletes the files of ``files(removedKeeping:)``. An interrupted call can be repeated.
  ///
  /// Groups no longer name a deleted take; the file of a group without any other take is deleted too.
  ///
  /// - Parameters:
  ///   - remainder: the files to keep.
  ///   - removed: called with each deleted file.
  /// - Returns: the files of the groups that named the take, and have others.
  /// A group file that cannot be read is deleted alone: its takes stay.
  ///
  /// - Throws: `OvercrankError` if the entry is not a readable take or photo, or a file cannot be deleted; with
  ///   `badData` also if a group file that may name the take cannot be read; with `busy`, nothing was deleted: another
  ///   program is using one of its files, or has changed it.
  @discardableResult
  public func remove(
    keeping remainder: Remainder = .nothing, removed: (FilePath) -> Void = { _ in }
  ) throws(OvercrankError) -> [FilePath] {
    try remove(keeping: remainder, of: nil, removed: removed)
  }

  /// Does the same if the take's master is still the file `master`; `nil` skips this check.
  @discardableResult
  func remove(
    keeping remainder: Remainder, of master: FileIdentity?, removed: (FilePath) -> Void = { _ in }
  ) throws(OvercrankError) -> [FilePath] {
    try Self.remove([self], keeping: remainder, of: master, removed: removed)
  }

  /// Deletes the files of `entries`, and those of the group whose takes they are: see ``takeAway(_:in:keeping:of:_:)``.
  ///
  /// - Returns: the files of the other groups that named the takes, and have others.
  static func remove(
    _ entries: [LibraryEntry], in group: StoredGroup? = nil, keeping remainder: Remainder,
    of master: FileIdentity? = nil, removed: (FilePath) -> Void
  ) throws(OvercrankError) -> [FilePath] {
    if remainder == .nothing { for entry in entries { try entry.checkCanBeForgotten() } }
    var groups: [FilePath] = []
    func forget() throws(OvercrankError) {
      groups = []
      for entry in entries {
        for other in try entry.forgetInGroups(but: group?.path, removed: removed)
        where !groups.contains(other) {
          groups.append(other)
        }
      }
    }
    var isNamed = remainder == .nothing
    var isDiskFull = false
    try takeAway(entries, in: group, keeping: remainder, of: master) { file throws(OvercrankError) in
      if isNamed {
        isNamed = false
        // Before any file, so that an interrupted call can be repeated.
        do throws(OvercrankError) { try forget() } catch {
          guard error.code == .inputOutput else { throw error }
          isDiskFull = true
        }
      }
      try file.removeFile()
      Thumbnails().remove(of: [file])
      removed(file)
    }
    // Only now there is room for the changed group.
    if isDiskFull { try forget() }
    return groups
  }

  /// Takes the files of ``files(removedKeeping:)`` out of the library with `disposal`, one after the other, if they
  /// are still those of this entry.
  func takeAway(
    keeping remainder: Remainder = .nothing, _ disposal: (FilePath) throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    try Self.takeAway([self], keeping: remainder, disposal)
  }

  /// Does the same with the files of several entries, and those of the group whose takes they are: all of them, or
  /// none. The clips of the group come first, and its file last, so that an interrupted call can be repeated.
  ///
  /// - Parameters:
  ///   - group: the group; `nil` if the entries are not all the takes of one.
  ///   - master: the master of a single take, if that must still be this file.
  static func takeAway(
    _ entries: [LibraryEntry], in group: StoredGroup? = nil, keeping remainder: Remainder = .nothing,
    of master: FileIdentity? = nil, _ disposal: (FilePath) throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    if let entry = entries.first, entry.photo != nil || entry.isDamagedGroup {
      return try entry.takeAwayUnchanged(entry.files(removedKeeping: remainder), disposal)
    }
    try withLocks(on: entries) { locked throws(OvercrankError) in
      for (entry, now) in zip(entries, locked) {
        guard try TakeDescription(entry.path).videos == entry.description?.videos,
          master == nil || now.take.has(master, at: entry.path)
        else { throw entry.changedMeanwhile }
      }
      var files = try group?.files(removedKeeping: remainder) ?? []
      if group == nil {
        for entry in entries { files += try entry.notingShared().files(removedKeeping: remainder) }
      }
      try removing(files, changing: entries.map(\.path), disposal)
      guard remainder != .nothing else { return }
      for now in locked { try now.take.forgetting(files).write(to: now.path, having: now.lock) }
      try group?.forget(files)
    }
  }

  /// Whether it is a group file that cannot be read.
  public var isDamagedGroup: Bool { if case .damagedGroup = kind { true } else { false } }

  /// Takes away `files` of a photo, or of remains, one after the other, if the entry is still the same.
  private func takeAwayUnchanged(
    _ files: [FilePath], _ disposal: (FilePath) throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    var isFirst = true
    try Self.removing(files) { file throws(OvercrankError) in
      guard !isFirst || TakeLibrary(path.folder).entry(at: path) == self else { throw changedMeanwhile }
      isFirst = false
      try disposal(file)
    }
  }

  private var changedMeanwhile: OvercrankError {
    OvercrankError(
      .busy,
      "\(path): another program has just changed it, so nothing was removed. Check it, and try again."
    )
  }

  /// Deletes the remains of a take that cannot be read: the take file, and the master or its part file; or those of a
  /// photo, of a take or group file that was being written, or a damaged group file. Clips stay, as they cannot be attributed.
  ///
  /// - Throws: `OvercrankError` with `busy` if it is being written, `unsupported` for a take of a newer
  ///   version, and if a file cannot be deleted.
  public func removeRemains() throws(OvercrankError) {
    switch kind {
    case .take, .newerTake, .photo:
      try remove()
      return
    case .unreadablePhoto(let error): throw error
    case .unfinishedPhoto: return try removeUnfinishedPhoto()
    case .part, .unfinishedFile: return try AbandonedPart(of: path.withoutExtension).remove()
    case .damagedTake, .unreadableTake, .takelessMaster, .damagedGroup: break
    }
    try checkCanBeForgotten()
    let master = master.flatMap { isNamedByOthers($0) ? nil : $0 }
    try takeAwayUnchanged([master].compactMap(\.self).filter { $0 != path } + [path]) {
      file throws(OvercrankError) in
      let hasItsJournal = file == master && AbandonedPart.hasOwnJournal(of: file)
      try file.removeFile()
      if hasItsJournal { MasterWriter.removeJournal(of: file) }
    }
    Thumbnails().remove(of: files)
    if TakeFiles.isTake(path.name) { _ = try forgetInGroups() }
  }

  /// Returns whether another take in the folder names this video.
  private func isNamedByOthers(_ video: FilePath) -> Bool {
    let others = (try? TakeLibrary(path.folder).entriesWaiting()) ?? []
    return others.contains { $0.path != path && $0.files.contains(video) }
  }

  /// Adds a clip to the take, replacing one of the same name.
  ///
  /// - Throws: `OvercrankError`; the take is then unchanged.
  public func enter(_ clip: Take.Clip) throws(OvercrankError) { try enter(clip, madeOf: nil) }

  /// Adds a clip if the take's master is still the file that the clip was made of.
  ///
  /// - Throws: `OvercrankError` with `busy` if another program has replaced the take or its master since; the
  ///   take is then unchanged.
  func enter(_ clip: Take.Clip, madeOf master: FileIdentity?) throws(OvercrankError) {
    try change { take throws(OvercrankError) in
      if let master { try take.checkMaster(is: master, at: path) }
      take.clips.enter(clip)
    }
  }

  /// Deletes the parts of its clips that were cut off while they were made; such a clip can be made again.
  public func removeUnfinishedClips() {
    for part in TakeLibrary(path.folder).unfinishedClips(ofTake: path) {
      // One that is being written again is kept.
      try? AbandonedPart(of: part.withoutExtension).remove()
    }
  }

  /// Deletes clip `name` of the take; its file stays if another take names it too.
  ///
  /// - Throws: `OvercrankError` with `noInput` if the take has no such clip; with `busy`, nothing was deleted: another
  ///   program is using the clip.
  public func removeClip(named name: String) throws(OvercrankError) {
    let lock = try Take.lock(path)
    defer { lock.release() }
    let take = try changeableTake()
    guard take.clips.contains(where: { $0.file == name }) else {
      throw OvercrankError(.noInput, "\(path): has no clip \(name).")
    }
    let file = clips.first { $0.name == name }
    if let file, !notingShared().isShared(file) {
      try Self.removing([file], changing: [path]) { file throws(OvercrankError) in try file.removeFile() }
      Thumbnails().remove(of: [file])
    }
    try take.forgetting([file ?? path.beside(name)]).write(to: path, having: lock)
  }

  /// Marks `files` of the take as moved to `folder`, and deletes the take file if nothing else is left here
  /// and the take is there.
  ///
  /// - Returns: whether the take file was deleted.
  func noteMoved(_ files: [FilePath], to folder: FilePath) throws(OvercrankError) -> Bool {
    guard !files.isEmpty else { return false }
    let names = Set(files.map(\.name))
    try change { take in
      if let master = take.master, names.contains(master) { take.master = nil }
      take.clips.noteMoved(names)
    }
    let library = TakeLibrary(path.folder)
    guard let rest = library.entry(at: path), rest.files == [path],
      let moved = TakeLibrary(folder).entry(at: folder.appending(path.name))?.description,
      moved.startedAt == description?.startedAt, moved.frames == description?.frames
    else { return false }
    // Its groups still name it: their files move with the last of their takes.
    try rest.takeAway { file throws(OvercrankError) in
      try file.removeFile()
      Thumbnails().remove(of: [file])
    }
    return true
  }

  /// A take as it is on the disk now, which no other program changes.
  private struct LockedTake {
    let path: FilePath
    let take: Take
    let lock: FileLock
  }

  /// Calls `body` with all `takes`, in this order, while no other program changes one.
  ///
  /// - Throws: `OvercrankError`, also if one of them cannot be read or rewritten.
  private static func withLocks(
    on takes: [LibraryEntry], _ body: ([LockedTake]) throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    var locks: [FileLock] = []
    defer { for lock in locks { lock.release() } }
    var locked: [LockedTake] = []
    for entry in takes {
      let lock = try Take.lock(entry.path)
      locks.append(lock)
      locked.append(LockedTake(path: entry.path, take: try entry.changeableTake(), lock: lock))
    }
    try body(locked)
  }

  /// Changes the take as it is on the disk now.
  ///
  /// - Throws: `OvercrankError`; the take is then unchanged.
  private func change(_ body: (inout Take) throws(OvercrankError) -> Void) throws(OvercrankError) {
    try Self.withLocks(on: [self]) { locked throws(OvercrankError) in
      for former in locked {
        var take = former.take
        try body(&take)
        try take.write(to: former.path, having: former.lock)
      }
    }
  }

  /// Deletes `files` with `body`, one after the other, if no program is using any of them, and all may be removed.
  ///
  /// - Parameter changed: files that are replaced afterwards.
  /// - Throws: `OvercrankError` with `busy` or `noPermission` otherwise: nothing was deleted.
  static func removing(
    _ files: [FilePath], changing changed: [FilePath] = [], _ body: (FilePath) throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    let lock: FileLock
    do throws(OvercrankError) {
      lock = try FileLock(files.filter { !$0.name.hasSuffix(TakeFiles.takeSuffix) }, for: .changing)
      for file in files + changed { try file.checkMayBeRemoved() }
    } catch {
      throw OvercrankError(error.code, "\(error) Nothing was deleted.")
    }
    defer { lock.release() }
    for file in files { try body(file) }
  }

  /// Returns whether another take also names this video.
  public func isShared(_ video: FilePath) -> Bool {
    problems.contains { if case .shared(let name, _) = $0 { name == video.name } else { false } }
  }

  /// Returns the take, if rewriting it loses nothing.
  private func changeableTake() throws(OvercrankError) -> Take {
    try path.checkIsNoLink()
    let take = try take()
    for problem in problems {
      guard case .newer(let version) = problem else { continue }
      throw OvercrankError(
        .unsupported,
        "\(path): was written by Overcrank \(version), and this is \(Version.current), which would lose what "
          + "it cannot read. Update Overcrank.")
    }
    return take
  }
}

extension Take {
  /// Refuses a clip whose master is not that of the take at `path`.
  ///
  /// - Throws: `OvercrankError` with `busy`.
  func checkMaster(is master: FileIdentity, at path: FilePath) throws(OvercrankError) {
    guard has(master, at: path) else {
      throw OvercrankError(
        .busy,
        "\(path): another program has replaced its master in the meantime, so the clip, which shows the "
          + "previous one, is not added.")
    }
  }

  /// Returns whether the file `master` is that of the take at `path`.
  fileprivate func has(_ master: FileIdentity?, at path: FilePath) -> Bool {
    self.master.flatMap { path.file(named: $0) }.flatMap { FileIdentity($0) } == master
  }

  /// Returns the take without these files.
  fileprivate func forgetting(_ files: [FilePath]) -> Take {
    let names = Set(files.map(\.name))
    var take = self
    if let master, names.contains(master) { take.master = nil }
    take.clips.forget(names)
    return take
  }
}
