public import Platform
public import SystemPackage
public import Takes

/// Copies or moves takes and photos to another disk. Photos are exported whole.
///
/// A copy is valid once it has been read back from its disk and compared. Only then is its original deleted.
/// If an export is interrupted, every file is complete in at least one place, and a second export finishes
/// the rest.
public struct TakeExport: Hashable, Sendable {
  /// The files of a take to export.
  public enum Selection: String, Hashable, Sendable {
    /// The newest clip, or those among ``TakeExport/clips``; of a take without a clip, everything; of a take
    /// whose clips were moved by an export, nothing.
    case clip
    /// Clips, master and take file.
    case all
    /// The clips alone.
    case clips
    /// The master, and the take file, which has its times.
    case masters
  }

  /// The destination folder.
  public var destination: FilePath
  /// The files of each take to export.
  public var selection: Selection
  /// The clips to export in place of the newest of their take.
  public var clips: Set<FilePath> = []
  /// Whether originals are deleted once their copies are valid.
  public var moves: Bool

  /// Creates an export of complete takes, or of a selection of their files.
  public init(to destination: FilePath, _ selection: Selection = .all, moving moves: Bool = false) {
    self.destination = destination
    self.selection = selection
    self.moves = moves
  }

  /// The progress of an export.
  public struct Progress: Hashable, Sendable {
    /// The file that is being copied or compared.
    public var file: FilePath
    /// The current step for the file.
    public var step: VerifiedCopy.Step
    /// Bytes done in all takes: each counts once when it is copied, and once when it is compared.
    public var done: Int64
    /// Bytes to do in all takes.
    public var total: Int64

    /// Notes that a further `count` bytes of the file at `path` are through `step`.
    mutating func advance(_ path: FilePath, _ step: VerifiedCopy.Step, by count: Int64) {
      (file, self.step) = (path, step)
      done = done.adding(clamping: count)
    }
  }

  /// The outcome for one take.
  public struct Outcome: Sendable {
    /// The export.
    public let export: TakeExport
    /// The take or photo, as it was before; of ``group``, the last take at the destination.
    public let entry: LibraryEntry
    /// The group, if only its clips and its own file were left to export; otherwise `nil`.
    public internal(set) var group: StoredGroup?
    /// Files whose copies are valid.
    public internal(set) var copied: [VerifiedCopy] = []
    /// Originals that were deleted.
    public internal(set) var removed: [FilePath] = []
    /// Videos of a moved take or group that stayed because another take or group also names them.
    public internal(set) var shared: [FilePath] = []
    /// The files of its group that stayed, all or in part, because of ``failure``.
    public internal(set) var groupFiles: [FilePath] = []
    /// The error that prevented completion; `nil` if the export is complete.
    public internal(set) var failure: OvercrankError?

    /// Whether everything requested was done.
    public var isComplete: Bool { failure == nil }
    /// Bytes in valid copies.
    public var bytes: Int64 { copied.reduce(0) { $0.adding(clamping: $1.size) } }
  }
}

extension TakeExport {
  /// Exports `entries`, one after the other, and the files of their groups, and continues after failures.
  ///
  /// - Parameters:
  ///   - entries: the takes.
  ///   - groups: the groups of which an earlier export moved all takes: their clips and their files follow.
  ///   - isStopped: called often; `true` ends the export. An unfinished copy leaves nothing behind.
  ///   - progress: called with the progress after each megabyte.
  /// - Returns: the outcome for each take, and then for each group, in order.
  public func run(
    _ entries: [LibraryEntry], finishing groups: [StoredGroup] = [], isStopped: () -> Bool = { false },
    progress: (Progress) -> Void = { _ in }
  ) -> [Outcome] {
    var meter = Progress(file: destination, step: .copying, done: 0, total: 0)
    let finished = groups.compactMap { group in
      group.takeFiles.last.flatMap { TakeLibrary(destination).entry(at: destination.appending($0.name)) }
        .map { Outcome(export: self, entry: $0, group: group) }
    }
    let parts = groupParts(of: entries, finishing: finished.compactMap(\.group))
    meter.total = (entries.flatMap { files(of: $0) } + parts.flatMap(\.files)).reduce(0) {
      $0.adding(clamping: size(of: $1).multiplied(clamping: 2))
    }
    func tell(_ path: FilePath, _ step: VerifiedCopy.Step, _ count: Int64) -> Bool {
      meter.advance(path, step, by: count)
      progress(meter)
      return !isStopped()
    }
    var outcomes = entries.map { entry in
      var outcome = Outcome(export: self, entry: entry)
      do throws(OvercrankError) { try export(entry, &outcome, tell: tell) } catch {
        outcome.failure = error
      }
      return outcome
    }
    outcomes += finished
    export(parts, &outcomes, tell: tell)
    return outcomes
  }

  private func size(of path: FilePath) -> Int64 { (try? Stat(path)).map { Int64($0.size) } ?? 0 }

  /// Returns the files of a take or photo to export, the take file or the picture last: if that exists, the
  /// copy is complete.
  public func files(of entry: LibraryEntry) -> [FilePath] {
    guard entry.photo == nil else { return entry.files }
    switch selection {
    case .clip:
      let chosen = entry.clips.filter(clips.contains)
      guard chosen.isEmpty else { return chosen }
      if let newest = entry.clips.last { return [newest] }
      // An earlier export moved its clips: what is left here was to stay.
      return entry.description?.clips.contains { $0.isMoved == true } == true ? [] : entry.files
    case .all: return entry.files
    case .clips: return entry.clips
    case .masters: return [entry.master].compactMap(\.self) + [entry.path]
    }
  }

  private func export(
    _ entry: LibraryEntry, _ outcome: inout Outcome, tell: (FilePath, VerifiedCopy.Step, Int64) -> Bool
  ) throws(OvercrankError) {
    try checkDestination()
    // The take's description lists its files.
    if entry.kind != .takelessMaster, entry.photo == nil { _ = try entry.checkedDescription() }
    let files = files(of: entry)
    guard !files.isEmpty else {
      throw OvercrankError(
        .noInput,
        "\(entry.path): has no clip here to export"
          + (selection == .clip ? ": an earlier export moved its clips." : "."))
    }
    if moves, let damage = entry.problems.first(where: \.isDamage) {
      throw OvercrankError(
        .badData,
        "\(entry.path): \(damage), so nothing of it was moved. Copy it instead, or replace the damaged file first."
      )
    }
    // Prevents files from being changed while they are copied. Take files are left out: their changes are
    // brief.
    let lock = try FileLock(files.filter { !$0.name.hasSuffix(TakeFiles.takeSuffix) }, for: .reading)
    defer { lock.release() }
    for file in files {
      let target = destination.appending(file.name)
      var copy: VerifiedCopy?
      if tell(file, .copying, 0) {
        do throws(OvercrankError) {
          copy = try VerifiedCopy(of: file, at: target, progress: { tell(file, $0, $1) })
        } catch {
          // The take file here has changed since it was copied if its videos were moved.
          if file == entry.path, entry.description != nil, error.code == .cannotCreate,
            try tells(target, of: entry)
          {
            continue
          }
          throw error
        }
      }
      guard let copy else { throw OvercrankError(.cancelled, "\(file): the export was stopped.") }
      outcome.copied.append(copy)
    }
    lock.release()
    if moves { try removeOriginals(of: entry, &outcome) }
  }

  /// Returns whether the take at `target` has all content of the file of `entry`, except for moves since by
  /// exports.
  private func tells(_ target: FilePath, of entry: LibraryEntry) throws(OvercrankError) -> Bool {
    guard var here = try Take.read(from: entry.path), var there = try? Take.read(from: target) else {
      return false
    }
    here.master = here.master ?? there.master
    here.clips = here.clips.unmoved
    there.clips = there.clips.unmoved
    return here == there
  }

  func checkDestination() throws(OvercrankError) {
    try OwnFolder.checkExists(destination)
  }

  /// Deletes the originals, the take file last, so that an interruption leaves a take that a second export
  /// finishes.
  private func removeOriginals(of entry: LibraryEntry, _ outcome: inout Outcome) throws(OvercrankError) {
    let entry = entry.notingShared()
    let isWhole = Set(entry.files).isSubset(of: outcome.copied.map(\.source))
    var originals: [FilePath] = []
    for copy in outcome.copied {
      if entry.isShared(copy.source) {
        outcome.shared.append(copy.source)
      } else if copy.source != entry.path || isWhole {
        // The take file stays if it still describes other files.
        originals.append(copy.source)
      }
    }
    try LibraryEntry.removing(originals) { file throws(OvercrankError) in
      // All are checked before the first is deleted: a deletion changes the status of other hard links to the
      // same file.
      if outcome.removed.isEmpty {
        for copy in outcome.copied where originals.contains(copy.source) { try copy.checkSource() }
      }
      try file.removeFile()
      outcome.removed.append(file)
      Thumbnails().remove(of: [file])
    }
    guard !outcome.removed.contains(entry.path), entry.description != nil else { return }
    if try entry.noteMoved(outcome.removed, to: destination) { outcome.removed.append(entry.path) }
  }
}
