public import Media
public import Platform
public import Retime
public import SystemPackage
public import Takes
import Timebase

/// All that is known of a video, from its file and from its take.
public struct VideoFacts: Sendable {
  /// The role of the video in its take.
  public enum Role: String, Sendable {
    /// The untouched frames.
    case master
    /// A clip made of them.
    case clip
    /// A video without a take.
    case video = "film"
  }

  /// The file.
  public let path: FilePath
  /// Bytes in the file.
  public let bytes: Int64
  /// The codec, size and colours.
  public let track: VideoTrack
  /// Frames in the file.
  public let frameCount: Int
  /// The playing time; `nil` if the file does not state it.
  public let duration: Duration?
  /// The number of times that an animation plays, 0 for no end; `nil` for other videos.
  public let playCount: Int?
  /// Whether it consists of numbered images, which have no rate.
  public let isImages: Bool
  /// The longest time without a frame, as it plays, if it is out of proportion; otherwise `nil`. `nil` also for masters,
  /// whose takes tell of lost frames, and for images.
  public let gap: SourceGap?
  /// Whether there is audio.
  public let hasAudio: Bool
  /// Frames of a clip that repeat the one before, from its take; `nil` if unknown.
  public var heldFrames: Int? {
    guard role == .clip else { return nil }
    return take?.description?.clips.first { $0.file == path.lastComponent?.string }?.held
  }
  /// The recording time that the file states, in ISO 8601; `nil` if it states none.
  public let creationTime: String?
  /// The ratio of its capture rate to its playback rate.
  public let pace: CapturePace
  /// The speed curve that Overcrank made it with, as text, from the file itself or from its take; `nil` if it has none.
  public let curve: String?
  /// The role in its take.
  public let role: Role
  /// The take that it belongs to; `nil` if there is none.
  public let take: LibraryEntry?

  /// Frames per second as it plays; `nil` if the file does not state it.
  public var framesPerSecond: Double? {
    guard let duration, duration > .zero else { return nil }
    let seconds: Double = duration / .seconds(1)
    return Double(frameCount) / seconds
  }

  /// Reads the facts of a video, and the beginning of its take.
  ///
  /// - Throws: `OvercrankError` if it is not a readable video.
  public init(_ whole: SourceVideo) throws(OvercrankError) {
    let path = whole.path
    pace = whole.pace
    curve = whole.curve
    isImages = whole.isImages
    let images = isImages ? try? ImageSequence(path) : nil
    let animation = AnimationFacts(of: path)
    let frames: [FrameTiming]
    self.path = path
    playCount = animation?.playCount
    if let animation, animation.container == .webp {
      // libavcodec does not decode it.
      track = VideoTrack(
        codec: VideoEncoder.Kind.webp.codec, width: animation.width, height: animation.height)
      frameCount = animation.frameCount
      duration = animation.rate == nil ? nil : Duration(seconds: animation.duration)
      hasAudio = false
      creationTime = nil
      frames = []
    } else {
      try whole.checkIsReadable()
      var video = try Demuxer(path)
      let (count, ticks, stamps) = try Self.times(&video)
      let nanoseconds = video.timeBase * Fraction(1_000_000_000)
      frames = stamps.map { FrameTiming(timestamp: Instant(nanoseconds: nanoseconds.scaling($0))) }
      guard count > 0 else { throw OvercrankError.noFrames(path) }
      try video.track.checkIsDecodable(path, frameCount: count)
      track = video.track
      frameCount = count
      // libav assumes 25 images per second, which is arbitrary.
      duration =
        if let animation, animation.frameCount == count, animation.rate != nil {
          Duration(seconds: animation.duration)
        } else {
          ticks > 0 && images == nil ? Duration(seconds: Fraction(ticks) * video.timeBase) : nil
        }
      hasAudio = video.hasAudio
      creationTime = video.creationTime
    }
    bytes = images?.byteCount ?? (try? Stat(path)).map { Int64($0.size) } ?? 0
    let entry = TakeLibrary(path.folder).entry(at: path)
    if entry?.master?.lastComponent == path.lastComponent {
      role = .master
    } else if entry?.clips.contains(where: { $0.lastComponent == path.lastComponent }) ?? false {
      role = .clip
    } else {
      role = .video
    }
    take = entry?.path == path ? nil : entry?.notingShared()
    gap = role == .master || images != nil || animation != nil ? nil : SourceGap(in: frames, of: .whole)
  }

  /// Returns the number of frames, the ticks that they last, and those at which they are shown, ascending.
  private static func times(
    _ video: inout Demuxer
  ) throws(OvercrankError) -> (count: Int, ticks: Int64, stamps: [Int64]) {
    if let times = video.indexedTimes(), let first = times.first, let last = times.last {
      let end = last.timestamp.adding(clamping: max(last.duration, 1))
      return (times.count, end.subtracting(clamping: first.timestamp), times.map(\.timestamp))
    }
    var (count, stamps) = (0, [Int64]())
    var usual: Int64 = 1
    // Matroska has no times below 0, so frames before it have none.
    var lead: Int64 = 0
    while let packet = try video.nextPacket() {
      guard !packet.isHidden else { continue }
      count += 1
      guard let time = packet.presentationTimestamp else {
        if stamps.isEmpty { lead = lead.adding(clamping: packet.duration) }
        continue
      }
      stamps.append(time)
      usual = max(1, packet.duration)
    }
    stamps.sort()
    guard let first = stamps.first?.subtracting(clamping: lead), let last = stamps.last else {
      return (count, 0, [])
    }
    let length = last.subtracting(clamping: first)
    if let told = video.duration, told > length { return (count, told, stamps) }
    // The duration of the last frame is unknown; the mean of the others is used.
    return (count, length.adding(clamping: count > 1 ? max(1, length / Int64(count - 1)) : usual), stamps)
  }
}
