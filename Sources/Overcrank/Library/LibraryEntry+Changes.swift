import FoundationEssentials
import Media
public import Platform
public import SystemPackage
public import Takes

extension LibraryEntry {
  /// Calls the take `label`; `nil` takes its label away.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` for a label that is no line of text, `unsupported` for a take of a
  ///   newer version; the take is as it was then.
  public func setLabel(_ label: String?) throws(OvercrankError) {
    if let label { try Self.checkLabel(label) }
    try change { $0.label = label }
  }

  /// Refuses what is no label: a line of up to 200 characters.
  ///
  /// - Throws: `OvercrankError` with `outOfRange`.
  public static func checkLabel(_ label: String) throws(OvercrankError) {
    let isLine = label.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isLine, !label.isEmpty, label.count <= 200 else {
      throw OvercrankError(
        .outOfRange,
        "A label is one line of at most 200 characters, and not empty. Choose another, or leave it out.")
    }
  }

  /// What stays of a take that is removed.
  public enum Remainder: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// The master, and the take, which tells its times.
    case master
    /// The clips, and the take.
    case clips
  }

  /// The files that go when the take is removed, the take file last. Films that another take names too stay.
  ///
  /// - Parameter remainder: what stays.
  /// - Throws: `OvercrankError` with `noInput` where what is to stay is not there.
  public func files(removedKeeping remainder: Remainder) throws(OvercrankError) -> [FilePath] {
    if remainder == .clips, clips.isEmpty {
      throw OvercrankError(.noInput, "\(path): has no clip that could be kept. Nothing was deleted.")
    }
    if remainder == .master, master == nil {
      throw OvercrankError(.noInput, "\(path): has no master that could be kept. Nothing was deleted.")
    }
    let films = films(removedKeeping: remainder).filter { !isShared($0) }
    return remainder == .nothing ? films + [path] : films
  }

  /// The films that would go with the take if no other named them too.
  public func sharedFiles(removedKeeping remainder: Remainder) -> [FilePath] {
    films(removedKeeping: remainder).filter(isShared)
  }

  private func films(removedKeeping remainder: Remainder) -> [FilePath] {
    (remainder == .clips ? [] : clips) + (remainder == .master ? [] : [master].compactMap(\.self))
  }

  /// Removes the files of ``files(removedKeeping:)``; what was interrupted can be done again.
  ///
  /// - Parameters:
  ///   - remainder: what stays.
  ///   - removed: is told each file that is gone.
  /// - Throws: `OvercrankError` where the entry is no take that can be read, or a file stays; with `busy`, nothing was
  ///   removed: another program makes a clip of one of its films, or has changed the take.
  public func remove(
    keeping remainder: Remainder = .nothing, removed: (FilePath) -> Void = { _ in }
  ) throws(OvercrankError) {
    try remove(keeping: remainder, of: nil, removed: removed)
  }

  /// The same where the take's master is still the file `master`; `nil` asks for none.
  func remove(
    keeping remainder: Remainder, of master: FileIdentity?, removed: (FilePath) -> Void = { _ in }
  ) throws(OvercrankError) {
    let lock = try Take.lock(path)
    defer { lock.release() }
    let take = try changeableTake()
    guard try TakeDescription(path).films == description?.films,
      master == nil || take.has(master, at: path)
    else {
      throw OvercrankError(
        .busy,
        "\(path): another program has changed it just now, so nothing was removed. Look at it, and try again."
      )
    }
    let files = try notingShared().files(removedKeeping: remainder)
    try Self.removing(files) { file throws(OvercrankError) in
      try file.removeFile()
      Thumbnails().remove(of: [file])
      removed(file)
    }
    if remainder != .nothing { try take.forgetting(files).write(to: path, having: lock) }
  }

  /// Removes what is left of a take that cannot be read: the take file, and the master or the part of one. Clips stay,
  /// as nothing tells whose they are.
  ///
  /// - Throws: `OvercrankError` with `busy` where it is being written, `unsupported` for a take of a newer version, and where
  ///   a file stays.
  public func removeRemains() throws(OvercrankError) {
    if description != nil { return try remove() }
    if case .newerTake = kind { return try remove() }
    guard kind != .part else { return try AbandonedPart(of: path.withoutExtension).remove() }
    let master = master.flatMap { isNamedByOthers($0) ? nil : $0 }
    try Self.removing([master].compactMap(\.self).filter { $0 != path } + [path]) {
      file throws(OvercrankError) in
      try file.removeFile()
      if file == master { MasterWriter.removeJournal(of: file) }
    }
    Thumbnails().remove(of: files)
  }

  /// Whether another take of the folder has this film.
  private func isNamedByOthers(_ film: FilePath) -> Bool {
    let others = (try? TakeLibrary(path.folder).entriesWaiting()) ?? []
    return others.contains { $0.path != path && $0.files.contains(film) }
  }

  /// Enters a clip that was made of the take, in place of one of the same name.
  ///
  /// - Throws: `OvercrankError`; the take is as it was then.
  public func enter(_ clip: Take.Clip) throws(OvercrankError) { try enter(clip, madeOf: nil) }

  /// Enters a clip where the take's master is still the file that the clip was made of.
  ///
  /// - Throws: `OvercrankError` with `busy` where another program has replaced the take or its master since; the take is as
  ///   it was then.
  func enter(_ clip: Take.Clip, madeOf master: FileIdentity?) throws(OvercrankError) {
    try change { take throws(OvercrankError) in
      if let master { try take.checkMaster(is: master, at: path) }
      take.enter(clip)
    }
  }

  /// Notes that `files` of the take were moved to `folder`, and removes its file too where nothing is left here and the
  /// take is there.
  ///
  /// - Returns: whether the take's file is gone.
  func noteMoved(_ files: [FilePath], to folder: FilePath) throws(OvercrankError) -> Bool {
    guard !files.isEmpty else { return false }
    let names = Set(files.map(\.name))
    try change { take in
      if let master = take.master, names.contains(master) { take.master = nil }
      for index in take.clips.indices where names.contains(take.clips[index].file) {
        take.clips[index].isMoved = true
      }
    }
    let library = TakeLibrary(path.folder)
    guard let rest = library.entry(at: path), rest.files == [path],
      let moved = TakeLibrary(folder).entry(at: folder.appending(path.name))?.description,
      moved.startedAt == description?.startedAt, moved.frames == description?.frames
    else { return false }
    try rest.remove()
    return true
  }

  /// Changes the take as it is on the disk now.
  ///
  /// - Throws: `OvercrankError`; the take is as it was then.
  private func change(_ body: (inout Take) throws(OvercrankError) -> Void) throws(OvercrankError) {
    let lock = try Take.lock(path)
    defer { lock.release() }
    var take = try changeableTake()
    try body(&take)
    try take.write(to: path, having: lock)
  }

  /// Removes `files` with `body`, one after the other, where no program makes something of one of them.
  ///
  /// - Throws: `OvercrankError` with `busy` where one does: nothing was removed.
  static func removing(
    _ files: [FilePath], _ body: (FilePath) throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    let lock: FileLock
    do throws(OvercrankError) {
      lock = try FileLock(files.filter { !$0.name.hasSuffix(TakeFiles.takeSuffix) }, for: .changing)
    } catch {
      throw OvercrankError(error.code, "\(error) Nothing was deleted.")
    }
    defer { lock.release() }
    for file in files { try body(file) }
  }

  /// Whether another take names this film of it too.
  public func isShared(_ film: FilePath) -> Bool {
    problems.contains { if case .shared(let name, _) = $0 { name == film.name } else { false } }
  }

  /// What its file says, with the number and time of each frame.
  ///
  /// - Throws: `OvercrankError` where it is no take that this version reads.
  public func take() throws(OvercrankError) -> Take {
    _ = try checkedDescription()
    guard let take = try Take.read(from: path) else {
      throw OvercrankError(.noInput, "\(path): is gone.")
    }
    return take
  }

  /// What the beginning of its file says.
  ///
  /// - Throws: `OvercrankError` where it is no take that this version reads.
  func checkedDescription() throws(OvercrankError) -> TakeDescription {
    switch kind {
    case .take(let take): return take
    case .newerTake(let version):
      throw OvercrankError(
        .unsupported,
        "\(path): was written by Overcrank \(version), and this is \(Version.current). Update Overcrank.")
    case .damagedTake(let reason): throw OvercrankError(.badData, reason)
    case .unreadableTake(let error): throw error
    case .takelessMaster:
      throw OvercrankError(
        .noInput,
        "\(path): is a master without a take. Where its journal is there, a take can be made of it.",
        remedy: .recover(path))
    case .part:
      switch partState {
      case .growing:
        throw OvercrankError(
          .busy, "\(path): another program is recording it, or stands by to. Wait for its end.")
      case .empty:
        throw OvercrankError(
          .noInput, "\(path): was prepared for a take that never came, and is empty. It can be removed.")
      case .cutOff, nil:
        throw OvercrankError(
          .noInput, "\(path): is a recording that was cut off. It can be made whole.",
          remedy: .recover(path.withoutExtension))
      }
    }
  }

  /// The take, where writing it anew loses nothing.
  private func changeableTake() throws(OvercrankError) -> Take {
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path.string) {
      throw OvercrankError(
        .cannotCreate,
        "\(path): is a symbolic link, which a changed take would take the place of. Change \(target), where it leads to."
      )
    }
    let take = try take()
    for problem in problems {
      guard case .newer(let version) = problem else { continue }
      throw OvercrankError(
        .unsupported,
        "\(path): was written by Overcrank \(version), and this is \(Version.current), which would lose what it "
          + "does not know. Update Overcrank.")
    }
    return take
  }
}

extension Take {
  /// Refuses a clip of another master than the one that the take at `path` has.
  ///
  /// - Throws: `OvercrankError` with `busy`.
  func checkMaster(is master: FileIdentity, at path: FilePath) throws(OvercrankError) {
    guard has(master, at: path) else {
      throw OvercrankError(
        .busy,
        "\(path): another program has replaced its master meanwhile, so the clip, which shows the former one, is not "
          + "entered.")
    }
  }

  /// Whether the file `master` is that of the take at `path`.
  fileprivate func has(_ master: FileIdentity?, at path: FilePath) -> Bool {
    self.master.flatMap { path.file(named: $0) }.flatMap { FileIdentity($0) } == master
  }

  /// Enters `clip` in place of one of the same name.
  mutating func enter(_ clip: Clip) {
    clips.removeAll { $0.file == clip.file }
    clips.append(clip)
  }

  /// The take without these of its files.
  fileprivate func forgetting(_ files: [FilePath]) -> Take {
    let names = Set(files.map(\.name))
    var take = self
    if let master, names.contains(master) { take.master = nil }
    take.clips.removeAll { names.contains($0.file) }
    return take
  }
}
