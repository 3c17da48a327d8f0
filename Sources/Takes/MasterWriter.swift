public import CameraModel
public import FoundationEssentials
public import Media
public import Platform
public import SystemPackage
public import Timebase

/// The master: frames as they were captured, each with its time, and a journal of them beside it as long as it is
/// not whole, for ``CutOffMaster``.
public final class MasterWriter: TakeOutput {
  private var muxer: Muxer?
  /// Entries that are not in the journal yet, and how many there were in all.
  private var pending: [UInt8] = []
  private var entryCount: UInt32 = 0
  private let isRemaking: Bool
  /// What says, for a recovery, what lies in the file.
  private let journal: BlockWriter?
  private let intervalMicroseconds: Int64
  private var firstTimestamp: Int64?
  private var lastTick: Int64 = -1
  /// The bytes that the finished file may have at most; `nil` for any number.
  public let sizeLimit: Int64?
  /// Whether its times are those of capture, so that they tell a rate.
  private let isTimed: Bool
  private var meter = RateMeter()
  /// Bytes of frames in the master.
  public private(set) var bytesWritten: Int64 = 0
  /// Bytes of audio in the master.
  public private(set) var audioBytesWritten: Int64 = 0
  /// The file that is written, whatever it is called in the end.
  package let identity: FileIdentity?
  private let audio: AudioInput?
  private let settle: ((Date?) -> FilePath)?
  /// The name that it was begun with and the one that it was given, where it was asked for.
  private var names: (begun: FilePath, given: FilePath)?
  private var moment: Date?
  /// Who reads the frames while they are written; `nil` for nobody.
  private let growing: GrowingMaster?
  /// The frames that are in the file once the journal has been entered the next time, and those noted since the last.
  private var given: [GrowingMaster.Frame] = []
  private var noted: [GrowingMaster.Frame] = []
  private var sampleCount: Int64 = 0

  /// Microseconds: what V4L2 gives, and ten times finer than half a frame at 50,000 fps.
  private static let ticksPerSecond: Int32 = 1_000_000

  /// Starts the master that will be called `path`.
  ///
  /// - Parameters:
  ///   - path: the master's file.
  ///   - format: codec and container.
  ///   - frames: what the frames look like.
  ///   - replacing: whether a file of that name may be replaced.
  ///   - audio: what audio is recorded from; `nil` for a master without.
  ///   - metadata: what a take would need that is put together again after a crash.
  ///   - keepsJournal: whether the journal stays beside the whole master until the take has been written and
  ///     ``removeJournal(of:)`` is called: until then it alone tells the frames' numbers and times.
  ///   - sizeLimit: the bytes that the finished file may have at most; `nil` for any number.
  ///   - settle: is asked for the name in place of `path`, in the same folder, when the master is whole, and told
  ///     when it was filmed, where that is known; `nil` where it must be `path`.
  ///   - growing: is told which frames the file has; `nil` where nobody reads them before it is whole.
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
    let audioTrack: AudioTrack? = if let audio { try AudioTrack(audio.format) } else { nil }
    let track = VideoTrack(
      codec: format.codec, width: frames.width, height: frames.height,
      color: ColorDescription(frames.colorimetry, of: format.codec)
        .completed(by: .ofCamera(format.codec)))
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
    self.muxer = .some(muxer)
    self.sizeLimit = sizeLimit
    self.audio = audio
    self.settle = settle
    self.growing = growing
    // Nobody reads what cannot be opened.
    let interval = frames.acceptedInterval?.rate?.interval
    if let growing, let film = try? GrowingMaster.Film(path, track, nominalInterval: interval) {
      growing.begin(film)
    }
    isRemaking = header == nil
    journal?.keepsJournal = keepsJournal
    self.identity = identity
    intervalMicroseconds = max(1, (frames.nominalInterval?.wholeNanoseconds ?? 33_333_333) / 1000)
  }

  deinit { growing?.end() }

  /// Whether a frame of `byteCount` bytes would be written, or for none what was noted be put into
  /// the journal, without waiting for a disk.
  public func isReady(forBytes byteCount: Int) -> Bool {
    let isReady = byteCount == 0 ? journal?.isReadyForEntries : muxer?.isReady(forBytes: byteCount)
    return isReady ?? true
  }

  /// Whether the finished master stays within its limit with this frame; exact, its index included.
  ///
  /// - Parameters:
  ///   - frame: its bytes.
  ///   - timestampNanoseconds: when it was captured, on the clock of all its frames.
  ///   - sampleCount: how many samples of audio follow it at once; `nil` where that is not known, and those of two
  ///     seconds are to find room.
  /// - Throws: `OvercrankError` with `outOfRange` where the first frame alone is too much.
  public func hasRoom(
    for frame: UnsafeRawBufferPointer, timestampNanoseconds: Int64, followedBy sampleCount: Int64? = nil
  ) throws(OvercrankError) -> Bool {
    guard let sizeLimit else { return true }
    let hasRoom = try muxer?.hasRoom(
      for: frame, timestamp: tick(of: timestampNanoseconds), duration: intervalMicroseconds,
      followedBy: sampleCount.map { self.sampleCount..<self.sampleCount.adding(clamping: max(0, $0)) })
    guard hasRoom == false else { return true }
    guard bytesWritten > 0 || audio != nil && sampleCount == nil else {
      throw OvercrankError(
        .outOfRange,
        "\(muxer?.path ?? ""): may have at most \(sizeLimit) bytes, and one frame of this camera already has "
          + "\(frame.count). Allow a larger file, or record a smaller mode.", remedy: .allowLargerFile)
    }
    return false
  }

  /// When a frame is shown in the file. A container wants time that moves on; the take has the driver's
  /// time as it was.
  private func tick(of timestampNanoseconds: Int64) -> Int64 {
    max((timestampNanoseconds &- (firstTimestamp ?? timestampNanoseconds)) / 1000, lastTick + 1)
  }

  /// Writes a frame as it is, and notes it for the journal.
  public func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64,
    isTimedAtDequeue: Bool = false
  ) throws(OvercrankError) {
    firstTimestamp = firstTimestamp ?? timestampNanoseconds
    let tick = tick(of: timestampNanoseconds)
    try muxer?.write(frame, timestamp: tick, duration: intervalMicroseconds, isKeyframe: true)
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

  /// Writes audio as it is, and notes it for the journal; leaves it out where the master was started without.
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

  /// Notes when it was filmed, by which it may be named.
  public func noteMoment(_ date: Date) { moment = date }

  /// Notes `count` frames from `sequence` on, lost at `stage`, for the journal.
  public func noteLost(sequence: UInt32, count: UInt32, at stage: LossStage) {
    note(JournalEntry(sequence: sequence, .lost(count: count, stage: stage)))
  }

  private func note(_ entry: JournalEntry) {
    pending += entry.encoded(at: entryCount)
    entryCount += 1
  }

  /// Puts what was noted into the journal: whatever happens from now on, it can be recovered.
  ///
  /// To be called every 100 ms or so.
  public func checkpoint() throws(OvercrankError) {
    guard !pending.isEmpty else { return }
    try journal?.enter(pending)
    pending.removeAll(keepingCapacity: true)
    guard let growing else { return }
    // Entering has waited until the file had what was entered before.
    growing.take(&given)
    given += noted
    noted.removeAll(keepingCapacity: true)
  }

  /// Returns `failure` with the name that the file was given.
  public func naming(_ failure: OvercrankError) -> OvercrankError {
    names.map { failure.renaming($0.begun, to: $0.given) } ?? failure
  }

  /// Writes the index and gives the file its name.
  ///
  /// - Throws: `OvercrankError`; what was written stays beside it then and can be recovered.
  public func finish() throws(OvercrankError) {
    // The disk may have failed for the journal alone; the master does not need it.
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
      // What says more knows whether anything is left, and where.
      guard !isRemaking, error.code == .inputOutput, error.remedy == nil, AbandonedPart.exists(for: path)
      else { throw error }
      throw OvercrankError(
        error.code, "\(error) What the disk has of it is kept and can be made whole.", remedy: .recover(path))
    }
  }
}

/// How frames of a camera lie in a master: untouched, in the container that holds them.
public struct MasterFormat: Hashable, Sendable {
  /// What each packet is.
  public let codec: VideoCodec
  /// The file's kind.
  public let container: Container

  /// The master for frames of `format`; `nil` where no container holds them yet.
  public init?(_ format: PixelFormat) {
    guard let codec = format.codec else { return nil }
    self.codec = codec
    self.container = Container.forMaster(codec)
  }
}
