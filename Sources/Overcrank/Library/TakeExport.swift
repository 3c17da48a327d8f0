import Media
public import Platform
public import SystemPackage
public import Takes

/// Copies takes to another disk, or moves them there.
///
/// A copy counts once it has been read back from its disk and compared. Only then may what it was made
/// of go. Whatever interrupts an export, every file is whole at one place at least, and a second export
/// finishes the rest.
public struct TakeExport: Hashable, Sendable {
  /// What of a take is exported.
  public enum Selection: String, Hashable, Sendable {
    /// Clips, master and take.
    case all
    /// The clips alone.
    case clips
    /// The master, and the take, which tells its times.
    case masters
  }

  /// The folder that it goes to.
  public var destination: FilePath
  /// What of each take.
  public var selection: Selection
  /// Whether the originals are removed once their copies count.
  public var moves: Bool

  /// An export of all of each take, or of what is chosen.
  public init(to destination: FilePath, _ selection: Selection = .all, moving moves: Bool = false) {
    self.destination = destination
    self.selection = selection
    self.moves = moves
  }

  /// How an export goes on.
  public struct Progress: Hashable, Sendable {
    /// The file that is copied or compared.
    public var file: FilePath
    /// What is done with it.
    public var step: VerifiedCopy.Step
    /// Bytes done of all takes: each counts once when it is copied, and once when it is compared.
    public var done: Int64
    /// How many that will be.
    public var total: Int64
  }

  /// What became of one take.
  public struct Outcome: Sendable {
    /// What was asked for.
    public let export: TakeExport
    /// The take, as it was before.
    public let entry: LibraryEntry
    /// Its files whose copies count.
    public internal(set) var copied: [VerifiedCopy] = []
    /// The originals that are gone.
    public internal(set) var removed: [FilePath] = []
    /// Films that stayed although their take was moved, as another take names them too.
    public internal(set) var shared: [FilePath] = []
    /// Why not all of it could be done; `nil` where all was.
    public internal(set) var failure: OvercrankError?

    /// Whether all that was asked for was done.
    public var isComplete: Bool { failure == nil }
    /// Bytes whose copies count.
    public var bytes: Int64 { copied.reduce(0) { $0.adding(clamping: $1.size) } }
  }
}

extension TakeExport {
  /// Exports `entries`, one after the other; a failure of one is no reason not to export the next.
  ///
  /// - Parameters:
  ///   - entries: the takes.
  ///   - isStopped: is asked often; `true` ends the export. What was being copied leaves nothing behind.
  ///   - progress: is told how far it is, after each megabyte.
  /// - Returns: what became of each, in order.
  public func run(
    _ entries: [LibraryEntry], isStopped: () -> Bool = { false }, progress: (Progress) -> Void = { _ in }
  ) -> [Outcome] {
    var meter = Progress(file: destination, step: .copying, done: 0, total: 0)
    meter.total = entries.flatMap { files(of: $0) }.reduce(0) {
      $0.adding(clamping: size(of: $1).multiplied(clamping: 2))
    }
    return entries.map { entry in
      var outcome = Outcome(export: self, entry: entry)
      do throws(OvercrankError) {
        try export(entry, &outcome) { path, step, count in
          meter.file = path
          meter.step = step
          meter.done = meter.done.adding(clamping: count)
          progress(meter)
          return !isStopped()
        }
      } catch {
        outcome.failure = error
      }
      return outcome
    }
  }

  private func size(of path: FilePath) -> Int64 { (try? Stat(path)).map { Int64($0.size) } ?? 0 }

  /// The files of a take that are exported, the take file last: where that is, the take is whole.
  private func files(of entry: LibraryEntry) -> [FilePath] {
    switch selection {
    case .all: entry.files
    case .clips: entry.clips
    case .masters: [entry.master].compactMap(\.self) + [entry.path]
    }
  }

  private func export(
    _ entry: LibraryEntry, _ outcome: inout Outcome, tell: (FilePath, VerifiedCopy.Step, Int64) -> Bool
  ) throws(OvercrankError) {
    try checkDestination()
    // Its files are known by what it says.
    if entry.kind != .takelessMaster { _ = try entry.checkedDescription() }
    let files = files(of: entry)
    guard !files.isEmpty else {
      throw OvercrankError(.noInput, "\(entry.path): has no clip to export.")
    }
    // Nothing is replaced while it is copied, nor copied while it changes. Takes are changed in no time.
    let lock = try FileLock(files.filter { !$0.name.hasSuffix(TakeFiles.takeSuffix) }, for: .reading)
    defer { lock.release() }
    for file in files {
      let target = destination.appending(file.name)
      var copy: VerifiedCopy?
      if tell(file, .copying, 0) {
        do throws(OvercrankError) {
          copy = try VerifiedCopy(of: file, at: target, progress: { tell(file, $0, $1) })
        } catch {
          // It has changed since it was copied, where films of it were moved.
          if file == entry.path, error.code == .cannotCreate, try tells(target, of: entry) { continue }
          throw error
        }
      }
      guard let copy else { throw OvercrankError(.cancelled, "\(file): the export was stopped.") }
      outcome.copied.append(copy)
    }
    lock.release()
    if moves { try removeOriginals(of: entry, &outcome) }
  }

  /// Whether the take at `target` says all that the file of `entry` does, but for what exports have moved since.
  private func tells(_ target: FilePath, of entry: LibraryEntry) throws(OvercrankError) -> Bool {
    guard var here = try Take.read(from: entry.path), var there = try? Take.read(from: target) else {
      return false
    }
    here.master = here.master ?? there.master
    for index in here.clips.indices { here.clips[index].isMoved = nil }
    for index in there.clips.indices { there.clips[index].isMoved = nil }
    return here == there
  }

  func checkDestination() throws(OvercrankError) {
    try OwnFolder.checkExists(destination)
  }

  /// Removes what the copies were made of, the take file last, so that an interruption leaves a take that a
  /// second export finishes.
  private func removeOriginals(of entry: LibraryEntry, _ outcome: inout Outcome) throws(OvercrankError) {
    let entry = entry.notingShared()
    var originals: [FilePath] = []
    for copy in outcome.copied {
      if entry.isShared(copy.source) {
        outcome.shared.append(copy.source)
      } else if copy.source != entry.path || selection == .all {
        // What stays of the take is still described by it.
        originals.append(copy.source)
      }
    }
    try LibraryEntry.removing(originals) { file throws(OvercrankError) in
      // All before the first goes: that changes what the disk says of another name of the same file.
      if outcome.removed.isEmpty {
        for copy in outcome.copied where originals.contains(copy.source) { try copy.checkSource() }
      }
      try file.removeFile()
      outcome.removed.append(file)
      Thumbnails().remove(of: [file])
    }
    guard !outcome.removed.contains(entry.path), entry.kind != .takelessMaster else { return }
    if try entry.noteMoved(outcome.removed, to: destination) { outcome.removed.append(entry.path) }
  }
}
