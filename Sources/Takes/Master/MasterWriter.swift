public import CameraModel
public import FoundationEssentials
public import Media
public import Platform
public import SystemPackage
public import Timebase

/// The master: frames as they were captured, each with its time, and beside it, until it is complete, a
/// journal of them for ``CutOffMaster``.
public final class MasterWriter: TakeOutput {
  private var muxer: Muxer?
  /// Entries that are not in the journal yet, and the total number of entries.
  private var pending: [UInt8] = []
  private var entryCount: UInt32 = 0
  private let isRemaking: Bool
  private let format: MasterFormat
  /// The journal that tells a recovery what is in the file.
  private let journal: BlockWriter?
  private let intervalMicroseconds: Int64
  private var firstTimestamp: Int64?
  private var lastTick: Int64 = -1
  /// The maximum bytes of the finished file; `nil` for no limit.
  public let sizeLimit: Int64?
  /// Whether its times are those of capture, and thus give a rate.
  private let isTimed: Bool
  private var meter: RateMeter
  /// Bytes of frames in the master.
  public private(set) var bytesWritten: Int64 = 0
  /// Bytes of audio in the master.
  public private(set) var audioBytesWritten: Int64 = 0
  /// The identity of the file being written, whatever its final name.
  package let identity: FileIdentity?
  /// The lock on the file being written, for a caller that holds it until the take has been written; `nil` without a
  /// journal that is kept until then.
  package let lock: FileLock?
  private let audio: AudioInput?
  private let settle: ((Date?) -> FilePath)?
  /// The name at the start and the final name, once `settle` has returned it.
  private var names: (begun: FilePath, given: FilePath)?
  private var moment: Date?
  /// The date that the take will have, until it is in the journal.
  private var start: Date?
  /// The reader of frames while they are written; `nil` if there is none.
  private let growing: GrowingMaster?
  /// The frames that are in the file once entries are next added to the journal, and those written since the
  /// last time.
  private var given: [GrowingMaster.Frame] = []
  private var noted: [GrowingMaster.Frame] = []
  private var sampleCount: Int64 = 0

  /// Microseconds: the precision of V4L2, and ten times finer than half a frame at 50,000 fps.
  private static let ticksPerSecond: Int32 = 1_000_000

  /// Starts the master that will be called `path`.
  ///
  /// - Parameters:
  ///   - path: the master's file.
  ///   - format: codec and container.
  ///   - frames: the format of the frames.
  ///   - replacing: whether a file of that name may be replaced.
  ///   - audio: the source of audio; `nil` for a master without.
  ///   - metadata: the facts that a take needs if it is recovered after a crash.
  ///   - keepsJournal: whether the journal stays beside the whole master until the take has been written and
  ///     ``removeJournal(of:)`` is called: until then only it has the frames' numbers and times.
  ///   - sizeLimit: the maximum bytes of the finished file; `nil` for no limit.
  ///   - settle: returns the final name, in the same folder, when the master is complete; its argument is the
  ///     time of recording, if known. `nil` keeps `path`.
  ///   - growing: receives the frames that are in the file; `nil` if they are not read before it is complete.
  public convenience init(
    to path: FilePath, as format: MasterFormat, of frames: FrameFormat, replacing: Bool,
    audio: AudioInput? = nil, metadata: TakeMetadata? = nil, keepingJournal keepsJournal: Bool = false,
    sizeLimit: Int64? = nil, named settle: ((Date?) -> FilePath)? = nil, growing: GrowingMaster? = nil
  ) throws(OvercrankError) {
    try self.init(
      path: path, format, frames, audio, journal: JournalHeader(frames, audio: audio, metadata: metadata),
      replacing: replacing, keepsJournal: keepsJournal, sizeLimit: sizeLimit, named: settle, growing: growing)
  }

  /// Removes the journal that the master at `path` kept, once its take has been written.
  public static func removeJournal(of path: FilePath) { OutputFile.removeJournal(of: path) }

  /// Starts a master that is made from the part of a recording that was cut off.
  ///
  /// - Parameter isNominal: whether its times are not those of capture, which the file then says.
  package convenience init(
    remaking path: FilePath, as format: MasterFormat, of frames: FrameFormat, audio: AudioInput? = nil,
    replacing: Bool, isNominal: Bool = false
  ) throws(OvercrankError) {
    try self.init(
      path: path, format, frames, audio, journal: nil, replacing: replacing, isNominal: isNominal)
  }

  private init(
    path: FilePath, _ format: MasterFormat, _ frames: FrameFormat, _ audio: AudioInput?,
    journal header: JournalHeader?, replacing: Bool, isNominal: Bool = false, keepsJournal: Bool = false,
    sizeLimit: Int64? = nil, named settle: ((Date?) -> FilePath)? = nil, growing: GrowingMaster? = nil
  ) throws(OvercrankError) {
    let bytes = try header?.encoded()
    var file: OutputFile
    file = try OutputFile(path, replacing: replacing, fromItsPart: header == nil)
    journal = if let bytes { try file.startJournal(bytes) } else { nil }
    let identity = file.identity
    let lock = keepsJournal ? file.sharedLock() : nil
    let audioTrack: AudioTrack? = if let audio { try AudioTrack(audio.format) } else { nil }
    // A stream that depends on earlier frames states its own colours, more reliably than the driver does.
    let color: ColorDescription =
      format.stream == nil
      ? ColorDescription(frames.colorimetry, of: format.codec).completed(by: .ofCamera(format.codec))
      : .unspecified
    var track = VideoTrack(
      codec: format.codec, width: frames.width, height: frames.height, color: color)
    track.header = format.stream?.header ?? []
    let muxer = try Muxer(
      to: file,
      container: format.container,
      video: track,
      audio: audioTrack,
      timescale: Self.ticksPerSecond,
      metadata: [
        "comment": Demuxer.masterComment + (isNominal ? ", recovered with nominal times" : "")
      ], hasCaptureRate: !isNominal, sizeLimit: sizeLimit)
    isTimed = !isNominal
    self.format = format
    self.muxer = .some(muxer)
    self.sizeLimit = sizeLimit
    self.audio = audio
    self.settle = settle
    self.growing = growing
    // If the file cannot be opened for reading, there is no reader. It reads frames one by one, in any order.
    let interval = frames.acceptedInterval?.rate?.interval
    if let growing, format.codec.isIntraOnly,
      let video = try? GrowingMaster.SourceVideo(path, track, nominalInterval: interval)
    {
      growing.begin(video)
    }
    isRemaking = header == nil
    journal?.keepsJournal = keepsJournal
    self.identity = identity
    self.lock = lock
    let usual = frames.nominalInterval?.wholeNanoseconds
    intervalMicroseconds = max(1, (usual ?? 33_333_333) / 1000)
    meter = RateMeter(usual: usual)
  }

  deinit { growing?.end() }

  /// Returns whether a frame of `byteCount` bytes can be written without waiting for a disk, or, with 0, the
  /// pending journal entries.
  public func isReady(forBytes byteCount: Int) -> Bool {
    let isReady = byteCount == 0 ? journal?.isReadyForEntries : muxer?.isReady(forBytes: byteCount)
    return isReady ?? true
  }

  /// Returns whether the finished master stays within its limit with this frame; exact, including its index.
  ///
  /// - Parameters:
  ///   - frame: the frame's bytes.
  ///   - timestampNanoseconds: the capture time, on the clock of all its frames.
  ///   - sampleCount: the number of audio samples that follow it at once; `nil` if unknown, to reserve room
  ///     for two seconds of them.
  /// - Throws: `OvercrankError` with `outOfRange` if the first frame alone is too large.
  public func hasRoom(
    for frame: UnsafeRawBufferPointer, timestampNanoseconds: Int64, followedBy sampleCount: Int64? = nil
  ) throws(OvercrankError) -> Bool {
    guard let sizeLimit else { return true }
    let hasRoom = try muxer?.hasRoom(
      for: frame, timestamp: tick(of: timestampNanoseconds), duration: intervalMicroseconds,
      isKeyframe: format.role(of: frame) != .dependent,
      followedBy: sampleCount.map { self.sampleCount..<self.sampleCount.adding(clamping: max(0, $0)) })
    guard hasRoom == false else { return true }
    guard bytesWritten > 0 || audio != nil && sampleCount == nil else {
      throw OvercrankError(
        .outOfRange,
        "\(muxer?.path ?? ""): may have at most \(sizeLimit) bytes, but a single frame of this camera has "
          + "\(frame.count). Allow a larger file, or record in a smaller mode.", remedy: .allowLargerFile)
    }
    return false
  }

  /// Returns a frame's time in the file. A container requires increasing times; the take keeps the driver's
  /// times unchanged.
  private func tick(of timestampNanoseconds: Int64) -> Int64 {
    max((timestampNanoseconds &- (firstTimestamp ?? timestampNanoseconds)) / 1000, lastTick + 1)
  }

  /// Writes a frame unchanged, and records it for the journal.
  public func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64,
    isTimedAtDequeue: Bool = false
  ) throws(OvercrankError) {
    firstTimestamp = firstTimestamp ?? timestampNanoseconds
    let tick = tick(of: timestampNanoseconds)
    try muxer?.write(
      frame, timestamp: tick, duration: intervalMicroseconds, isKeyframe: format.role(of: frame) != .dependent
    )
    lastTick = tick
    meter.enter(sequence, at: timestampNanoseconds)
    bytesWritten += Int64(frame.count)
    guard !isRemaking, let position = muxer?.lastFramePosition else { return }
    if growing != nil {
      noted.append(
        GrowingMaster.Frame(
          at: position, byteCount: frame.count, sequence: sequence,
          timestamp: Instant(nanoseconds: timestampNanoseconds)))
    }
    note(
      JournalEntry(
        sequence: sequence,
        .frame(
          offset: position, byteCount: UInt32(frame.count), sum: ContentChecksum(of: frame),
          timestampNanoseconds: timestampNanoseconds, isTimedAtDequeue: isTimedAtDequeue)))
  }

  /// Writes audio unchanged, and records it for the journal; does nothing if the master was started without
  /// audio.
  public func writeAudio(_ samples: UnsafeRawBufferPointer, at time: Instant?) throws(OvercrankError) {
    guard let audio, !samples.isEmpty else { return }
    let count = samples.count / audio.format.sampleBytes
    try muxer?.writeSamples(samples, first: sampleCount, count: count)
    let first = sampleCount
    sampleCount += Int64(count)
    audioBytesWritten += Int64(samples.count)
    guard !isRemaking, let position = muxer?.lastFramePosition else { return }
    note(
      JournalEntry(
        sequence: UInt32(truncatingIfNeeded: first),
        .audio(
          offset: position, byteCount: UInt32(samples.count), sum: ContentChecksum(of: samples), time: time)))
  }

  /// Records the date that the take will have, for the journal, whose header is older than the take: it is written when
  /// the session is armed.
  public func noteStart(_ date: Date) { start = date }

  /// Records the time of the recording, which may become part of its name.
  public func noteMoment(_ date: Date) { moment = date }

  /// Records `count` frames from `sequence` on, lost at `stage`, for the journal.
  public func noteLost(sequence: UInt32, count: UInt32, at stage: LossStage) {
    note(JournalEntry(sequence: sequence, .lost(count: count, stage: stage)))
  }

  private func note(_ entry: JournalEntry) {
    if let start = start.take() { note(JournalEntry(start: start)) }
    pending += entry.encoded(at: entryCount)
    entryCount += 1
  }

  /// Writes the pending entries to the journal: from then on they can be recovered.
  ///
  /// To be called about every 100 ms.
  public func checkpoint() throws(OvercrankError) {
    guard !pending.isEmpty else { return }
    try journal?.enter(pending)
    pending.removeAll(keepingCapacity: true)
    guard let growing else { return }
    // The journal waits until the file has what earlier entries describe.
    growing.take(&given)
    given += noted
    noted.removeAll(keepingCapacity: true)
  }

  /// Returns `failure` with the file's final name.
  public func naming(_ failure: OvercrankError) -> OvercrankError {
    names.map { failure.renaming($0.begun, to: $0.given) } ?? failure
  }

  /// Writes the index and gives the file its name.
  ///
  /// - Throws: `OvercrankError`; what was written is then kept beside it and can be recovered.
  public func finish() throws(OvercrankError) {
    // The disk may have failed only for the journal; the master does not need it.
    try? checkpoint()
    guard let muxer = muxer.take() else { return }
    let path = muxer.path
    do throws(OvercrankError) {
      try muxer.finish(
        captureRate: isTimed ? meter.framesPerSecond : nil,
        as: settle.map { settle in
          { [self, moment] in
            let settled = settle(moment)
            names = (path, settled)
            return settled
          }
        })
      growing?.end(with: given + noted)
      (given, noted) = ([], [])
    } catch {
      // An error with a remedy already says whether anything is left, and where.
      guard !isRemaking, error.code == .inputOutput, error.remedy == nil, AbandonedPart.exists(for: path)
      else { throw error }
      throw OvercrankError(
        error.code, "\(error) What is on the disk is kept and can be recovered.", remedy: .recover(path))
    }
  }
}

/// The format of a camera's frames in a master: untouched, in the container that can hold them.
public struct MasterFormat: Hashable, Sendable {
  /// The codec of each packet.
  public let codec: VideoCodec
  /// The file's container.
  public let container: Container
  /// The format of frames that depend on others; `nil` if each stands alone.
  package let stream: StreamFormat?

  /// Creates the format of a master for frames of `format`; `nil` if no container holds them yet.
  public init?(_ format: PixelFormat) {
    stream = format.stream
    guard let codec = format.codec ?? stream?.codec else { return nil }
    self.codec = codec
    self.container = Container.forMaster(codec)
  }

  /// Returns the role of `frame`; if frames do not depend on others, a recording can begin with each.
  package func role(of frame: UnsafeRawBufferPointer) -> FrameRole { stream?.role(of: frame) ?? .entry }
}
