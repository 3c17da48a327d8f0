import CameraModel
package import FoundationEssentials
package import Media
package import Platform
import Retime
package import SystemPackage
package import Takes
import Timebase

/// A video of another program, such as a phone's, that becomes the master of a take as it is.
package struct ImportedVideo: Sendable {
  private let pace: CapturePace
  private let codec: VideoCodec
  private let size: (width: Int, height: Int)
  private let timestamps: [Instant]
  private let startedAt: String?

  /// Reads the video at `path`, and decodes its first frame.
  ///
  /// - Throws: `OvercrankError` if it is not a video, is cut off, or cannot be decoded.
  package init(_ path: FilePath) throws(OvercrankError) {
    let file = try Demuxer(path)
    try file.checkIsWhole()
    startedAt = file.creationTime.flatMap(Self.date)
    let video = try SourceVideo(path)
    pace = video.pace
    var frames = try SourceFrames(video.source)
    guard frames.frames.count > 1 else {
      throw OvercrankError(.badData, "\(path): has only one picture. Choose a video.")
    }
    (codec, size) = (frames.track.codec, (frames.track.width, frames.track.height))
    timestamps = frames.frames.map(\.timestamp)
    _ = try frames.picture(0, frames.development(.rgb24, fitting: 64))
  }

  /// Returns the containers that a take's master can have.
  package static let containers = Container.allCases.filter { !$0.isAnimation }

  /// Returns the take of this video, with its capture times.
  ///
  /// - Parameters:
  ///   - name: the video's name where it came from, which stands for the camera.
  ///   - master: its name beside the take.
  ///   - now: the time that counts if the video does not state when it was recorded.
  package func take(named name: String, master: String, now: Date = Date()) -> Take {
    var accounting = FrameAccounting()
    for (index, time) in timestamps.enumerated() {
      accounting.enterWritten(sequence: UInt32(truncatingIfNeeded: index), at: time)
    }
    let rate = pace.captureRate ?? accounting.measuredFramesPerSecond.flatMap(SlowMotionTags.rate)
    let interval = rate.flatMap { FrameRate($0) }.flatMap { FrameInterval($0) }
    let mode = Mode(
      fourcc: fourcc, width: UInt32(clamping: size.width), height: UInt32(clamping: size.height),
      interval: interval ?? FrameInterval(1, 30))
    let camera = CameraIdentity(name: name, table: CameraTable(card: "Imported video", rows: []))
    let metadata = TakeMetadata(
      camera: camera, mode: mode, asked: nil, started: now, version: Version.current)
    var take = Take(
      accounting, metadata: metadata, acceptedInterval: interval, clock: .unknown, master: master)
    take.startedAt = startedAt ?? take.startedAt
    // The frames have no numbers of a camera, so its losses are not known.
    take.hasReliableSequence = false
    take.masterSpeed = pace.speed == Fraction(1) ? nil : Speed(pace.speed)?.description
    return take
  }

  /// The name that V4L2 has for the codec, or a similar one.
  private var fourcc: String {
    switch codec {
    case .mjpeg: "MJPG"
    case .h264: "H264"
    case .packed(let packing): packing.fourcc
    case .raw: "RAW "
    case .other(let name): String((name.uppercased() + "   ").prefix(4))
    }
  }

  /// Returns a time in ISO 8601, to the second; `nil` if it is none.
  private static func date(_ text: String) -> String? {
    let digits = text.prefixMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)?.output
    return digits.flatMap { try? Date("\($0)Z", strategy: .iso8601) }?.formatted(.iso8601)
  }
}
