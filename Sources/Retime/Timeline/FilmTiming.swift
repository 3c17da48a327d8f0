import Platform
import Media
import SystemPackage
import Timebase

/// When the frames of a film were captured, known before any is decoded.
struct FilmTiming {
  /// In the order they are shown.
  let frames: [FrameTiming]
  /// Where in time they sit.
  let cadence: CaptureCadence
  /// The file's own timestamps of its frames in the order they are shown; `nil` where frames lie in that order anyway.
  let timestamps: [Int64]?
  /// Why the film ends where it does; `nil` where that is its end.
  let cutOff: OvercrankError?
  /// How often its times start again.
  var restartCount = 0
  /// When the first frame is shown, in seconds of the file; `nil` where that is not known.
  var start: Fraction?

  /// What the take knows of `source`, else what the file's index says, else what its packets say.
  ///
  /// - Throws: `badData` where take and film do not belong together.
  init(of source: ClipSource, in film: borrowing Demuxer) throws(OvercrankError) {
    let isInOrder = film.track.codec.isIntraOnly
    let isWhole = film.isWhole
    if isInOrder, let timing = source.timing {
      if let count = film.frameCount { try Self.match(count, timing, source.path) }
      guard !isWhole else {
        self.init(timing, source.nominalInterval)
        return
      }
      let scan = try PacketScan(source.path)
      self.init(Array(timing.prefix(scan.times.count)), source.nominalInterval, cutOff: scan.cutOff)
      return
    }
    var times: [FrameTime]
    var timestamps: [Int64]?
    var cutOff: OvercrankError?
    var restartCount = 0
    var start: Int64?
    if isWhole, let indexed = film.indexedTimes() {
      times = indexed
      start = times.first?.timestamp
    } else {
      let scan = try PacketScan(source.path)
      times = scan.times
      cutOff = scan.cutOff
      restartCount = scan.restartCount
      start = scan.start
      if cutOff == nil, let last = times.last, let end = film.end(ofLastFrameFrom: last.timestamp) {
        times[times.count - 1].duration = end - last.timestamp
      }
      timestamps = isInOrder || !scan.isStamped ? nil : times.map(\.timestamp)
    }
    if let timing = source.timing { try Self.match(times.count, timing, source.path) }
    let timeBase = film.timeBase * source.timingPace
    self.init(
      source.timing
        ?? Self.captured(times, timeBase, areNumbered: ImageSequence.isNamed(by: source.path)),
      source.nominalInterval ?? film.averageRate.map { $0.interval * source.timingPace },
      times.last.flatMap { $0.duration > 0 ? Fraction($0.duration) * timeBase : nil },
      timestamps, cutOff: cutOff)
    self.restartCount = restartCount
    self.start = start.map { Fraction($0) * film.timeBase }
  }

  /// Times that are known already.
  init(
    _ frames: [FrameTiming], _ nominalInterval: Fraction?, _ lastInterval: Fraction? = nil,
    _ timestamps: [Int64]? = nil, cutOff: OvercrankError? = nil
  ) {
    self.frames = frames
    cadence = CaptureCadence(frames, nominalInterval: nominalInterval, lastInterval: lastInterval)
    self.timestamps = timestamps
    self.cutOff = cutOff
  }

  private static func match(_ count: Int, _ timing: [FrameTiming], _ path: FilePath) throws(OvercrankError) {
    guard count == timing.count else {
      throw OvercrankError(
        .badData,
        "\(path): holds \(count) frames, but its take tells of \(timing.count). Move the take away to go by the "
          + "film's own times.")
    }
  }

  /// - Parameter areNumbered: whether a tick is a frame, be it there or missing.
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
  /// Whether the file is whole, as far as it tells.
  fileprivate var isWhole: Bool {
    do throws(OvercrankError) { try checkIsWhole() } catch { return false }
    return true
  }
}
