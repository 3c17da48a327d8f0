import Platform
import Media
import SystemPackage
import Timebase

/// The capture times of a source's frames, known before any is decoded.
struct SourceTiming {
  /// The frames, in the order in which they are shown.
  let frames: [FrameTiming]
  /// Their places in time.
  let cadence: CaptureCadence
  /// The file's own timestamps of its frames, in the order in which they are shown; `nil` if the file has
  /// that order.
  let timestamps: [Int64]?
  /// The file's timestamps of the keyframes at which decoding can start, ascending; empty if unknown, or if
  /// every frame is one.
  private var keyframes: [Int64] = []
  /// The reason why the source ends early; `nil` if it is complete.
  let cutOff: OvercrankError?
  /// The number of times that its timestamps start again.
  var restartCount = 0
  /// Whether the frames have the decoder's order, because the times that the file states contradict one
  /// another.
  var hasContradictoryTimes = false
  /// The time of the first shown frame, in seconds of the file; `nil` if unknown.
  var start: Fraction?
  /// The frames that the packets of a master hold; `nil` if they are in the order of the packets.
  private(set) var places: PacketPlaces?

  /// Reads the timing of `source` from its take, or else from the file's index, or else from its packets.
  ///
  /// - Throws: `badData` if the take and the source do not belong together.
  init(of source: ClipSource, in video: borrowing Demuxer) throws(OvercrankError) {
    let isInOrder = video.track.codec.isIntraOnly
    let isWhole = video.isWhole
    if isInOrder, let timing = source.timing {
      if let count = video.frameCount { try Self.match(count, timing, source.path) }
      // A master that was recovered may have other times than its take.
      let places =
        video.frameCount == nil && video.comment == Demuxer.masterComment
        ? PacketPlaces(timing, video.timeBase) : nil
      if isWhole {
        self.init(timing, source.nominalInterval)
      } else {
        let scan = try PacketScan(source.path)
        self.init(Array(timing.prefix(scan.times.count)), source.nominalInterval, cutOff: scan.cutOff)
      }
      self.places = places
      return
    }
    var times: [FrameTime]
    var timestamps: [Int64]?
    var cutOff: OvercrankError?
    var restartCount = 0
    var hasContradictoryTimes = false
    var keyframes: [Int64] = []
    var start: Int64?
    if isWhole, let indexed = video.indexedTimes() {
      times = indexed
      start = times.first?.timestamp
    } else {
      let scan = try PacketScan(source.path)
      times = scan.times
      cutOff = scan.cutOff
      restartCount = scan.restartCount
      hasContradictoryTimes = scan.hasContradictoryTimes
      if !isInOrder, scan.isStamped, restartCount == 0, scan.statedTimes == nil {
        keyframes = scan.keyframes.map(\.timestamp).sorted()
      }
      start = scan.start
      if cutOff == nil, !hasContradictoryTimes, scan.statedTimes == nil, let last = times.last,
        let end = video.end(ofLastFrameFrom: last.timestamp)
      {
        times[times.count - 1].duration = end - last.timestamp
      }
      timestamps = isInOrder || !scan.isStamped ? nil : scan.statedTimes ?? times.map(\.timestamp)
    }
    if let timing = source.timing { try Self.match(times.count, timing, source.path) }
    let timeBase = video.timeBase * source.timingPace
    self.init(
      source.timing
        ?? Self.captured(times, timeBase, areNumbered: ImageSequence.isNamed(by: source.path)),
      source.nominalInterval ?? video.averageRate.map { $0.interval * source.timingPace },
      times.last.flatMap { $0.duration > 0 ? Fraction($0.duration) * timeBase : nil },
      timestamps, cutOff: cutOff)
    self.restartCount = restartCount
    self.hasContradictoryTimes = hasContradictoryTimes
    self.keyframes = keyframes
    self.start = start.map { Fraction($0) * video.timeBase }
  }

  /// Creates a timing from known times.
  init(
    _ frames: [FrameTiming], _ nominalInterval: Fraction?, _ lastInterval: Fraction? = nil,
    _ timestamps: [Int64]? = nil, cutOff: OvercrankError? = nil
  ) {
    self.frames = frames
    cadence = CaptureCadence(frames, nominalInterval: nominalInterval, lastInterval: lastInterval)
    self.timestamps = timestamps
    self.cutOff = cutOff
  }

  /// Returns the timestamp of the last keyframe at or before frame `index`; `nil` if unknown.
  func keyframe(before index: Int) -> Int64? {
    guard let timestamps, timestamps.indices.contains(index) else { return nil }
    return keyframes.last { $0 <= timestamps[index] }
  }

  private static func match(_ count: Int, _ timing: [FrameTiming], _ path: FilePath) throws(OvercrankError) {
    guard count == timing.count else { throw otherFrames(count, listed: timing.count, path) }
  }

  /// Returns the error for a source of `count` frames whose take lists another number of them.
  static func otherFrames(_ count: Int, listed: Int, _ path: FilePath) -> OvercrankError {
    OvercrankError(
      .badData,
      "\(path): holds \(count) frames, but its take lists \(listed). Move the take away to use the file's own times."
    )
  }

  /// - Parameter areNumbered: whether each tick is a frame, present or missing.
  private static func captured(
    _ times: [FrameTime], _ timeBase: Fraction, areNumbered: Bool
  ) -> [FrameTiming] {
    let nanoseconds = timeBase * Fraction(1_000_000_000)
    let first = times.first?.timestamp ?? 0
    return times.map {
      FrameTiming(
        sequence: areNumbered ? $0.timestamp : nil,
        timestamp: Instant(nanoseconds: nanoseconds.scaling($0.timestamp.subtracting(clamping: first))))
    }
  }
}

extension Demuxer {
  /// Whether the file is complete, as far as it states.
  fileprivate var isWhole: Bool {
    do throws(OvercrankError) { try checkIsWhole() } catch { return false }
    return true
  }
}
