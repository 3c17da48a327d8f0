public import Media
import Platform
public import SystemPackage

/// A master whose recording was cut off by a crash: frames without an index, and the journal that tells them.
public struct CutOffMaster: ~Copyable {
  /// The name that the master was to have.
  public let path: FilePath
  private let part: AbandonedPart
  private let journal: Journal
  private let format: MasterFormat

  /// What a recovery left.
  public struct Recovered: Sendable {
    /// The take; `nil` where the recording had no metadata.
    public var take: Take?
    /// Where the take was written.
    public var takePath: FilePath?
    /// How many frames are in the master.
    public var frames: FrameCounts

    /// As in ``Take``.
    public typealias FrameCounts = Take.FrameCounts
  }

  /// The name of the master that was cut off and to which `name` belongs; `nil` where nothing was cut off.
  public static func path(for name: FilePath) -> FilePath? {
    masters(for: name).first { AbandonedPart.exists(for: $0) }
  }

  /// What the master may be called to which `name` belongs: its own name, that of its part or journal, its clip's or
  /// its take's.
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

  /// Opens what was left of the master at `path`, and locks it.
  ///
  /// - Throws: `MediaError` with `busy` where it is being filmed just now, and `badData` where there is no journal or
  ///   none that can be read.
  public init(_ path: FilePath) throws(MediaError) {
    let place = AbandonedPart.place(for: path)
    let part = try AbandonedPart.ofMaster(at: path)
    guard let bytes = try part.entries() else {
      throw MediaError(
        .badData,
        "\(place): there is no journal beside it (\(place).journal), and nothing else says when its frames were captured or "
          + "what was lost. Its JPEGs, if it holds any, can still be found by the rate that "
          + "they were captured at. If it is the part of a clip, make the clip anew from its master.",
        action: .searchFrames(path))
    }
    guard let journal = Journal(bytes), let format = MasterFormat(journal.header.frames.pixelFormat) else {
      throw MediaError(
        .badData,
        "\(place).journal: is damaged where it begins, or no journal of this version of Overcrank. "
          + "Put it back from a copy, or move both away.")
    }
    self.path = path
    self.part = part
    self.journal = journal
    self.format = format
  }

  /// Makes the master whole and writes its take; removes the part and the journal once both are on the disk.
  ///
  /// - Parameter replacing: whether a master and a take of the same names may go.
  /// - Throws: `MediaError`; the part and the journal stay as they were.
  public consuming func recover(replacing: Bool) throws(MediaError) -> Recovered {
    let takePath = TakeFiles.take(besideMaster: path)
    for path in [path, takePath].compactMap(\.self) where !replacing {
      guard (try? Stat(path, followTargetSymlink: false)) == nil else {
        throw MediaError(
          .cannotCreate,
          "\(path): exists already, beside a recording that was cut off. Move it away, or allow it to be "
            + "replaced.", action: .file(.replace))
      }
    }
    let accounting = try remake(replacing: replacing)
    var recovered = Recovered(frames: Take.FrameCounts(accounting))
    if let metadata = journal.header.metadata, let takePath {
      var take = Take(
        accounting, metadata: metadata, acceptedInterval: journal.header.acceptedInterval,
        clock: journal.header.clock, master: path.name)
      take.isRecovered = true
      take.failure = "The recording was cut off; what came after the last frame is not known."
      try take.write(to: takePath, replacing: replacing)
      recovered.take = take
      recovered.takePath = takePath
    }
    part.remove()
    return recovered
  }

  /// Copies every sound frame into a new master, and enters each into the books.
  private borrowing func remake(replacing: Bool) throws(MediaError) -> FrameAccounting {
    var accounting = FrameAccounting()
    let master = try MasterWriter(
      remaking: path, as: format, of: journal.header.frames, replacing: replacing)
    var isUncertain = false
    for line in journal.lines {
      guard case .entry(let entry) = line else {
        isUncertain = true
        continue
      }
      // What the damaged entries spoke of is known by what is missing only.
      if isUncertain { accounting.enterGap(before: entry.sequence, at: .disk) }
      isUncertain = false
      switch entry.content {
      case .lost(let count, let stage):
        accounting.enterLost(sequence: entry.sequence, count: count, at: stage)
      case .frame(let offset, let byteCount, let ends, let timestamp):
        let bytes = try part.content(at: offset, count: Int(byteCount)) ?? []
        try bytes.span.bytes.withUnsafeBytes { (frame) throws(MediaError) in
          guard isSound(frame, ends) else {
            accounting.enterLost(sequence: entry.sequence, at: .disk)
            return
          }
          try master.write(frame, sequence: entry.sequence, timestampNanoseconds: timestamp)
          accounting.enterWritten(sequence: entry.sequence, timestampNanoseconds: timestamp)
        }
      }
    }
    guard accounting.written > 0 else {
      throw MediaError(
        .badData,
        "\(AbandonedPart.place(for: path)): holds not one whole frame, so there is nothing to recover. "
          + "Remove it and its journal.")
    }
    try master.finish()
    return accounting
  }

  /// Whether `frame` is what the recording wrote there.
  private borrowing func isSound(_ frame: UnsafeRawBufferPointer, _ ends: UInt32) -> Bool {
    guard !frame.isEmpty, Checksum.ends(of: frame) == ends else { return false }
    guard format.codec.layout != nil else { return JPEGMarkers.haveBothEnds(frame) }
    return frame.count == format.codec.byteCount(width: journal.header.width, height: journal.header.height)
  }
}
