public import FoundationEssentials
import Media
public import Platform
import Retime
public import SystemPackage
public import Takes
public import Timebase

/// A Motion Photo of a take: one of its frames and the video around it in real time, as one file or a pair.
public struct MotionPhoto: Hashable, Sendable {
  /// The kind of photo.
  public enum Kind: Hashable, Sendable {
    /// One file, as used by Google Photos and others: a JPEG with an MP4 appended.
    case motionPhoto
    /// A pair of files, as used by Apple's Photos: a JPEG, and a MOV of the same name beside it.
    case livePhoto
  }

  /// The photo's file; of a pair, the still's.
  public let path: FilePath
  /// The video file of a Live Photo; `nil` for a Motion Photo.
  public let video: FilePath?
  /// The identifier in both files of a Live Photo; `nil` for a Motion Photo.
  public let contentIdentifier: String?
  /// The still's frame in the take, counted from 0.
  public let frame: Int
  /// The camera's number of that frame.
  public let sequence: Int64
  /// The time at which the video shows it, from the video's first picture.
  public let presentation: Duration
  /// Bytes in the file at ``path``.
  public let byteCount: Int
  /// Bytes in the video, which is the end of that file or a file of its own.
  public let videoByteCount: Int
  /// Frames per second of the video.
  public let rate: FrameRate
  /// Frames in the video.
  public let videoFrameCount: Int
}

extension MotionPhoto {
  /// The length of the video before and after the still, as on phones.
  public static let reach = Duration.milliseconds(1500)
  /// The highest frame rate of the video.
  private static let fastest = 60.0
  /// The most bytes that a video of three seconds can have.
  private static let mostVideoBytes = 1 << 30

  /// Makes the Motion Photo of frame `index` of a take, and writes it to `path`.
  ///
  /// - Parameters:
  ///   - index: the frame, counted from 0.
  ///   - entry: the take; its master is needed.
  ///   - path: the file.
  ///   - kind: the kind of photo: one file or a pair.
  ///   - date: the frame's capture time, if known more precisely than the take's, which is to the second;
  ///     otherwise `nil`.
  ///   - replacing: whether existing files may be replaced.
  ///   - isProcessed: called when only writing remains.
  /// - Throws: `OvercrankError`; there is then no new file, and an existing one is unchanged.
  public static func make(
    ofFrame index: Int, in entry: LibraryEntry, to path: FilePath, as kind: Kind = .motionPhoto,
    at date: Date? = nil, replacing: Bool = false, isProcessed: () -> Void = {}
  ) async throws(OvercrankError) -> MotionPhoto {
    do {
      return try await making(index, entry, path, kind, date, replacing, isProcessed)
    } catch {
      throw OvercrankError(recording: error)
    }
  }

  private static func making(
    _ index: Int, _ entry: LibraryEntry, _ path: FilePath, _ kind: Kind, _ date: Date?,
    _ replacing: Bool, _ isProcessed: () -> Void
  ) async throws -> MotionPhoto {
    let videoPath = kind.video(of: path)
    for output in [path, videoPath].compactMap(\.self) {
      try FileLock.check(output, isNoneOf: entry.files)
    }
    // Opened first, so that an impossible name fails before any work is done.
    var file = try OutputFile(path, replacing: replacing)
    // Held from reading the take until the video is complete.
    let lock = try FileLock([entry.master].compactMap(\.self), for: .reading)
    defer { lock.release() }
    if let videoPath, !replacing, videoPath.exists { throw OvercrankError.alreadyExists(videoPath) }
    let take = try entry.take()
    var pictures = try TakePictures(entry)
    let still = try pictures.still(index, as: .jpeg)
    let size = pictures.stillSize
    let pace = RealTime(of: take)
    let moment = pictures.time(of: index)
    guard let taken = take.frameList.lazy.dropFirst(index).first(where: { _ in true }) else {
      throw OvercrankError(.outOfRange, "\(entry.path): its take does not list frame \(index).")
    }
    guard let master = entry.master else {
      throw OvercrankError(.noInput, "\(entry.path): its master is missing.")
    }
    var source = ClipSource(master, take: take)
    source.sensor = SensorFacts(of: take)
    let part = pace.part(around: index, at: moment, of: source)
    let (video, frameCount) = try await video(part.span, of: source, at: pace.videoRate, kind, beside: path)
    var tags = PhotoTags(of: taken, in: take)
    if let date { tags.moment = PhotoTags.Moment(date) }
    if kind == .livePhoto { tags.contentIdentifier = UUID().uuidString }
    let bytes: [UInt8]
    var videoBytes = video
    if let videoPath, let identifier = tags.contentIdentifier {
      bytes = StillFormat.jpeg.adding(
        tags, to: still, width: size.width, height: size.height,
        thumbnail: try StillEncoder.thumbnail(ofJPEG: still))
      videoBytes = try LivePhotoVideo(video).bytes(
        identifier: identifier, stillAt: part.presentation, for: Duration(seconds: pace.videoRate.interval))
      isProcessed()
      var second = try OutputFile(videoPath, replacing: replacing)
      try second.write(videoBytes)
      try file.write(bytes)
      try second.commit()
    } else {
      bytes = try MotionPhotoFile.joining(
        still, video: video, shownAt: part.presentation, tags: tags, width: size.width, height: size.height)
      isProcessed()
      try file.write(bytes)
    }
    do throws(OvercrankError) { try file.commit() } catch {
      // A video without its still is useless.
      if !replacing { videoPath?.unlink() }
      throw error
    }
    return MotionPhoto(
      path: path, video: videoPath, contentIdentifier: tags.contentIdentifier, frame: index,
      sequence: taken.sequence, presentation: part.presentation, byteCount: bytes.count,
      videoByteCount: videoBytes.count, rate: pace.videoRate, videoFrameCount: frameCount)
  }

  /// Returns the bytes of the video of `span`, and its number of frames.
  private static func video(
    _ span: ClipSpan, of source: ClipSource, at rate: FrameRate, _ kind: Kind, beside path: FilePath
  ) async throws -> (bytes: [UInt8], frameCount: Int) {
    let video = hiddenVideo(kind, beside: path)
    let report: ClipReport
    do throws(OvercrankError) {
      report = try await ClipMaker.make(
        source, to: video,
        spec: ClipSpec(RenderSpec(speed: SpeedCurve(.normal), outputRate: rate), of: span))
    } catch {
      // Names the photo, as the user does not know the hidden temporary file.
      throw error.renaming(video, to: path)
    }
    defer { video.unlink() }
    do throws(Errno) {
      return (try WholeFile.bytes(of: video, atMost: mostVideoBytes), report.outputFrames)
    } catch {
      throw WholeFile.failure(video, error)
    }
  }

  /// Returns a free name for the video while the photo is made: the user may have a file of the usual one.
  private static func hiddenVideo(_ kind: Kind, beside path: FilePath) -> FilePath {
    let suffix = kind == .livePhoto ? "mov" : "mp4"
    var stem = path.stem ?? path.name
    func name() -> FilePath { path.beside(".\(stem).film.\(suffix)") }
    var number = 2
    while (try? Stat(name(), followTargetSymlink: false)) != nil {
      stem = "\(path.stem ?? path.name)-\(number)"
      number += 1
    }
    return name()
  }

  /// The frame rate and the part of a video in real time.
  private struct RealTime {
    let videoRate: FrameRate

    /// Chooses the camera's agreed rate if its frames kept it to within 1 %, or else the measured one,
    /// rounded, divided by the smallest whole number that gives at most 60 frames per second.
    init(of take: Take) {
      let agreed = take.acceptedInterval?.rate
      let measured = take.measuredFramesPerSecond ?? agreed?.framesPerSecond.doubleValue ?? 30
      let isKept = agreed.map { ($0.framesPerSecond.doubleValue / measured - 1).magnitude < 0.01 } == true
      let whole = FrameRate(whole: max(1, Int64(clamping: measured.rounded())))
      let rate = isKept ? agreed ?? whole : whole
      let step = max(1, Int64(clamping: (rate.framesPerSecond.doubleValue / fastest - 0.01).rounded(.up)))
      videoRate = FrameRate(rate.framesPerSecond / Fraction(step)) ?? rate
    }

    /// Returns the part of `source` around frame `index`, which was captured at `moment`, and the time at
    /// which the video shows that frame.
    ///
    /// If the video skips frames, the start of the part decides which. A start within two pictures of the
    /// video makes it show this one.
    func part(around index: Int, at moment: Duration, of source: ClipSource) -> (
      span: ClipSpan, presentation: Duration
    ) {
      let picture = Duration(seconds: videoRate.interval)
      let earliest = max(.zero, moment - reach)
      for step in 0..<32 {
        let span = ClipSpan(start: earliest + picture * step / 16, end: moment + reach)
        let timeline = Timeline(
          source.timing ?? [], nominalInterval: source.nominalInterval, speed: SpeedCurve(.normal),
          outputRate: videoRate, span: span)
        guard timeline.capturedFrameCount > index else { break }
        let pictures = timeline.outputFrames(showing: index)
        guard !pictures.isEmpty else { continue }
        return (span, Duration(seconds: videoRate.interval * Fraction(Int64(pictures.lowerBound))))
      }
      return (ClipSpan(start: earliest, end: moment + reach), moment - earliest)
    }
  }
}

extension MotionPhoto.Kind {
  /// The suffix of the file's name.
  public var suffix: String { self == .livePhoto ? ".jpg" : MotionPhotoFile.suffix }

  /// Returns the video file beside the still at `path`; `nil` if the video has no file of its own.
  public func video(of path: FilePath) -> FilePath? {
    self == .livePhoto ? path.beside("\(path.stem ?? path.name).mov") : nil
  }
}

extension PhotoTags {
  /// Creates the tags of a take's frame.
  init(of frame: FrameEntry, in take: Take) {
    self.init(take.controls, sequence: UInt32(truncatingIfNeeded: frame.sequence), time: frame.time)
    camera = take.camera.card ?? take.camera.name
    // A take states the time of its trigger, or else of its first frame, to the second.
    guard let date = try? Date(take.startedAt, strategy: .iso8601) else { return }
    let since = take.trigger?.frameTime.map { frame.time - $0 } ?? frame.sinceFirst
    moment = Moment(date.addingTimeInterval(since / .seconds(1)))
    moment?.fraction = ""
  }
}
