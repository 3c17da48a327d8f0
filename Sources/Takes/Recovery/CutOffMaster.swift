import Media
public import Platform
public import SystemPackage

/// A master whose recording was cut off by a crash: frames without an index, and the journal that describes
/// them.
///
/// Frames in the part that are not in the journal are found by their content: JPEGs by their markers, raw
/// frames by their size. Their numbers and times are estimated, and the take says so.
public struct CutOffMaster: ~Copyable {
  /// The intended name of the master.
  public let path: FilePath
  private let part: AbandonedPart
  private let journal: Journal
  private let format: MasterFormat

  /// The result of a recovery.
  public struct Recovered: Sendable {
    /// The take; `nil` if the recording had no metadata.
    public var take: Take?
    /// The path of the take; `nil` if none was written.
    public var takePath: FilePath?
    /// The counts of frames in the master.
    public var frames: FrameCounts
    /// The number of those that are not in the journal: their numbers and times are estimated.
    public var estimated: Int64
    /// The number of damaged entries in the journal.
    public var damagedEntries: Int
    /// Bytes of a last frame that is cut off by the end of the part.
    public var cutOffBytes: Int64
    /// The part, which is kept if it has bytes that are neither in the master nor accounted for; `nil` if it
    /// was removed.
    public var keptPart: FilePath?
    /// The number of such bytes.
    public var unknownBytes: Int64
    /// Whether an earlier recovery had written the take, which is unchanged.
    public var wasRecovered = false

    /// The counts of a ``Take``.
    public typealias FrameCounts = Take.FrameCounts
  }

  /// Finds the cut-off master to which `name` belongs; `nil` if nothing was cut off.
  ///
  /// The part of a clip counts only if there is no whole master from which to make the clip.
  public static func path(for name: FilePath) -> FilePath? {
    let parts = masters(for: name).filter { AbandonedPart.exists(for: $0) }
    return parts.first { AbandonedPart.hasJournal(of: $0) }
      ?? parts.first { TakeFiles.take(besideMaster: $0) != nil }
      ?? (wholeMaster(for: name) == nil ? parts.first : nil)
  }

  /// Finds the whole master to which `name` belongs; `nil` if there is no such file.
  public static func wholeMaster(for name: FilePath) -> FilePath? {
    let clip = name.extension == "part" ? name.withoutExtension : name
    return masters(for: clip).first {
      TakeFiles.take(besideMaster: $0) != nil && (try? Stat($0))?.type == .regular
    }
  }

  /// Returns the possible names of the master to which `name` belongs: its own name, that of its part or
  /// journal, its clip's or its take's.
  public static func masters(for name: FilePath) -> [FilePath] {
    let part = name.extension == "journal" ? name.withoutExtension : name
    if part.extension == "part" { return [part.withoutExtension] }
    let isTake = name.name.hasSuffix(TakeFiles.takeSuffix)
    var clip = name
    if isTake {
      clip = name.withoutExtension
      clip.extension = "mp4"
    }
    return (isTake ? [] : [name]) + Container.allCases.map { TakeFiles(clip: clip, container: $0).master }
  }

  /// Opens the remains of the master at `path`, and locks them.
  ///
  /// - Throws: `OvercrankError` with `busy` if it is still being recorded, and `badData` if there is no
  ///   readable journal.
  public init(_ path: FilePath) throws(OvercrankError) {
    let place = AbandonedPart.place(for: path)
    let part = try AbandonedPart.ofMaster(at: path)
    guard let file = try part.entries() else {
      throw OvercrankError(
        .badData,
        "\(place): there is no journal beside it (\(place).journal), and nothing else states when its frames "
          + "were captured or what was lost. If it contains JPEGs, they can still be recovered, given the "
          + "rate that they were captured at. If it is the part file of a clip, make the clip again from its "
          + "master.",
        remedy: .searchFrames(path))
    }
    let found = try Journal(file)
    guard let journal = found, let format = MasterFormat(journal.header.frames.pixelFormat) else {
      throw OvercrankError(
        .badData,
        "\(place).journal: is damaged at its beginning, or is not a journal that this version of Overcrank "
          + "can read. Restore it from a copy. Without it, any JPEGs in the part file can still be "
          + "recovered, given the rate that they were captured at.",
        remedy: .searchFrames(path))
    }
    self.path = path
    self.part = part
    self.journal = journal
    self.format = format
  }

  /// Completes the master and writes its take; removes the part and the journal once both are on the disk,
  /// and every byte of the part is accounted for.
  ///
  /// It may be cut off at any moment and started again: the second run recognizes the files of the first as
  /// its own. Cancelling the task stops it without any change.
  ///
  /// - Parameter replacing: whether a master and a take of the same names may be replaced.
  /// - Throws: `OvercrankError`; the part and the journal are unchanged.
  public consuming func recover(replacing: Bool) throws(OvercrankError) -> Recovered {
    let takePath = TakeFiles.take(besideMaster: path)
    for path in [path, takePath].compactMap(\.self) {
      try part.checkIsFree(path, replacing: replacing)
    }
    let former = replacing ? nil : try formerTake()
    let remade = try remake(replacing: replacing)
    let accounting = remade.accounting
    var recovered = Recovered(
      frames: Take.FrameCounts(accounting), estimated: accounting.estimated.reduce(0) { $0 + $1.count },
      damagedEntries: remade.damagedEntries, cutOffBytes: remade.cutOffBytes,
      keptPart: AbandonedPart.place(for: path), unknownBytes: remade.unknownBytes)
    if let metadata = journal.metadata, let takePath {
      var take = Take(
        accounting, metadata: metadata, acceptedInterval: journal.header.acceptedInterval,
        clock: journal.header.clock, master: path.name)
      take.audio = remade.audio?.entry(of: accounting)
      take.isRecovered = true
      take.failure = "The recording was cut off; what came after the last frame is not known."
      try part.checkIsInPlace()
      // Since then, it may have got a label or clips.
      if let former, former.sequences == take.sequences, former.timestamps == take.timestamps {
        take = former
        recovered.wasRecovered = true
      } else {
        try take.write(to: takePath, replacing: replacing, canBeMadeAgain: true)
      }
      recovered.take = take
      recovered.takePath = takePath
    }
    if remade.unknownBytes == 0 {
      try part.remove(havingReadJournal: true)
      recovered.keptPart = nil
    }
    return recovered
  }

  /// Returns the take that an earlier recovery of this part left; `nil` if there is none. Refuses a take of another
  /// recording, before all the frames are copied in vain.
  private borrowing func formerTake() throws(OvercrankError) -> Take? {
    guard let metadata = journal.metadata, let takePath = TakeFiles.take(besideMaster: path), takePath.exists
    else { return nil }
    if let take = AbandonedPart.recoveredTake(of: path, metadata) { return take }
    throw AbandonedPart.inTheWay(takePath)
  }

  /// Copies every intact frame into a new master, and records it in the accounting.
  private borrowing func remake(replacing: Bool) throws(OvercrankError) -> RebuiltMaster {
    var knowsFrames = false
    try journal.forEach { (line) throws(OvercrankError) in
      if case .entry(let entry) = line, case .frame = entry.content { knowsFrames = true }
    }
    let master = try MasterWriter(
      remaking: path, as: format, of: journal.header.frames, audio: journal.header.audio,
      replacing: replacing, isNominal: !knowsFrames)
    let size = (journal.header.width, journal.header.height)
    var remade = try RebuiltMaster(
      master,
      from: PartSearch(
        file: part.file, format: format, size: size, holdsAudio: journal.header.audio != nil),
      audio: journal.header.audio, interval: journal.header.frames.nominalInterval)
    try journal.forEach { (line) throws(OvercrankError) in try remade.enter(line) }
    try remade.enterTail()
    guard remade.accounting.written > 0 else {
      let place = AbandonedPart.place(for: path)
      guard remade.unknownBytes == 0 else {
        let reason =
          journal.header.audio != nil && format.codec != .mjpeg
          ? "The journal does not list any frames yet, and without that, raw frames cannot be told apart "
            + "from the audio between them. The part file is unchanged."
          : "Perhaps the two do not belong together: put its own journal beside it."
        throw OvercrankError(
          .badData,
          "\(place): contains no complete frame that its journal lists, only \(remade.unknownBytes) "
            + "unknown bytes. " + reason)
      }
      throw OvercrankError(
        .badData,
        "\(place): contains no complete frame, so there is nothing to recover. Remove it and its journal.")
    }
    try master.finish()
    return remade
  }
}
