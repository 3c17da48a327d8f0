public import FoundationEssentials
import Media
public import Platform
import Retime
public import SystemPackage
public import Takes
public import Timebase

/// A Motion Photo of a take: one of its frames, and the film around it in real time, in one file, or in a pair of files.
public struct MotionPhoto: Hashable, Sendable {
  /// What it is made for.
  public enum Kind: Hashable, Sendable {
    /// One file, as Google Photos and others take it: a JPEG with an MP4 behind it.
    case motionPhoto
    /// A pair of files, as Apple's Photos take it: a JPEG, and a MOV of the same name beside it.
    case livePhoto
  }

  /// Its file, or the still's.
  public let path: FilePath
  /// The film's file of a Live Photo; `nil` for a Motion Photo.
  public let film: FilePath?
  /// What both files of a Live Photo have in them; `nil` for a Motion Photo.
  public let contentIdentifier: String?
  /// The frame of the take, counted from 0.
  public let frame: Int
  /// The camera's number of it.
  public let sequence: Int64
  /// When the film shows it, from the film's first picture on.
  public let presentation: Duration
  /// Bytes of the file at ``path``.
  public let byteCount: Int
  /// Bytes of the film, which is the end of the file or a file of its own.
  public let filmByteCount: Int
  /// Frames per second of the film.
  public let rate: FrameRate
  /// Frames of the film.
  public let filmFrameCount: Int
}

extension MotionPhoto {
  /// How much of the time before and after the still belongs to it, as phones have it.
  public static let reach = Duration.milliseconds(1500)
  /// The most frames per second of the film.
  private static let fastest = 60.0
  /// No film of three seconds has more bytes than this.
  private static let mostFilmBytes = 1 << 30

  /// Makes the Motion Photo of frame `index` of a take and writes it to `path`.
  ///
  /// - Parameters:
  ///   - index: the frame, counted from 0.
  ///   - entry: the take; its master is needed.
  ///   - path: the file.
  ///   - kind: whether it is one file or a pair.
  ///   - date: when the frame was captured, where that is known better than by its take, which knows the second; else
  ///     `nil`.
  ///   - replacing: whether files of that name may be replaced.
  ///   - isProcessed: is told when all that is left is to write it.
  /// - Throws: `OvercrankError`; there is no file then, and what was there before still is.
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
    // First: nothing is worked at for names that cannot be had.
    var file = try OutputFile(path, replacing: replacing)
    let filmPath = kind.film(of: path)
    // From the take's first number to the film's last frame.
    let lock = try FileLock([entry.master].compactMap(\.self), for: .reading)
    defer { lock.release() }
    if let filmPath, !replacing, filmPath.isThere { throw OvercrankError.alreadyExists(filmPath) }
    let take = try entry.take()
    var pictures = try TakePictures(entry)
    let still = try pictures.still(index, as: .jpeg)
    let size = pictures.stillSize
    let pace = RealTime(of: take)
    let moment = pictures.time(of: index)
    guard let taken = take.frameList.lazy.dropFirst(index).first(where: { _ in true }) else {
      throw OvercrankError(.outOfRange, "\(entry.path): its take knows nothing of frame \(index).")
    }
    guard let master = entry.master else {
      throw OvercrankError(.noInput, "\(entry.path): its master is not there.")
    }
    var source = ClipSource(master, take: take)
    source.sensor = SensorFacts(of: take)
    let part = pace.part(around: index, at: moment, of: source)
    let (film, frameCount) = try await film(part.span, of: source, at: pace.filmRate, kind, beside: path)
    var tags = PhotoTags(of: taken, in: take)
    if let date { tags.moment = PhotoTags.Moment(date) }
    if kind == .livePhoto { tags.contentIdentifier = UUID().uuidString }
    let bytes: [UInt8]
    var filmBytes = film
    if let filmPath, let identifier = tags.contentIdentifier {
      bytes = StillFormat.jpeg.adding(
        tags, to: still, width: size.width, height: size.height,
        thumbnail: try StillEncoder.thumbnail(ofJPEG: still))
      filmBytes = try LivePhotoFilm(film).bytes(
        identifier: identifier, stillAt: part.presentation, for: Duration(seconds: pace.filmRate.interval))
      isProcessed()
      var second = try OutputFile(filmPath, replacing: replacing)
      try second.write(filmBytes)
      try file.write(bytes)
      try second.commit()
    } else {
      bytes = try MotionPhotoFile.joining(
        still, film: film, shownAt: part.presentation, tags: tags, width: size.width, height: size.height)
      isProcessed()
      try file.write(bytes)
    }
    do throws(OvercrankError) { try file.commit() } catch {
      // The film of a still that is not there is nobody's.
      if !replacing { filmPath?.unlink() }
      throw error
    }
    return MotionPhoto(
      path: path, film: filmPath, contentIdentifier: tags.contentIdentifier, frame: index,
      sequence: taken.sequence, presentation: part.presentation, byteCount: bytes.count,
      filmByteCount: filmBytes.count, rate: pace.filmRate, filmFrameCount: frameCount)
  }

  /// The bytes of the film of `span`, and how many frames it has.
  private static func film(
    _ span: ClipSpan, of source: ClipSource, at rate: FrameRate, _ kind: Kind, beside path: FilePath
  ) async throws -> (bytes: [UInt8], frameCount: Int) {
    let film = path.beside(
      ".\(path.stem ?? path.name).film.\(kind == .livePhoto ? "mov" : "mp4")")
    defer { film.unlink() }
    let report: ClipReport
    do throws(OvercrankError) {
      report = try await ClipMaker.make(
        source, to: film,
        spec: ClipSpec(RenderSpec(speed: SpeedCurve(.normal), outputRate: rate), of: span), replacing: true)
    } catch {
      // A hidden file that goes again: who asked knows the photo.
      throw error.renaming(film, to: path)
    }
    do throws(Errno) {
      return (try WholeFile.bytes(of: film, atMost: mostFilmBytes), report.outputFrames)
    } catch {
      throw WholeFile.failure(film, error)
    }
  }

  /// How fast the film of a take in real time is.
  private struct RealTime {
    let filmRate: FrameRate

    /// The rate that the camera agreed to where its frames kept it to within 1 %, else theirs; every frame, or every
    /// second, third and so on, whichever is the first of at most 60 a second.
    init(of take: Take) {
      let agreed = take.acceptedInterval?.rate
      let measured = take.measuredFramesPerSecond ?? agreed?.framesPerSecond.doubleValue ?? 30
      let isKept = agreed.map { ($0.framesPerSecond.doubleValue / measured - 1).magnitude < 0.01 } == true
      let whole = FrameRate(whole: max(1, Int64(clamping: measured.rounded())))
      let rate = isKept ? agreed ?? whole : whole
      let step = max(1, Int64(clamping: (rate.framesPerSecond.doubleValue / fastest - 0.01).rounded(.up)))
      filmRate = FrameRate(rate.framesPerSecond / Fraction(step)) ?? rate
    }

    /// The part of `source` around frame `index`, which was captured at `moment`, and when its film shows that frame.
    ///
    /// Where the film shows not every frame, it depends on where the part begins which ones: within two of the film's
    /// pictures, there is a beginning by which this one is shown.
    func part(around index: Int, at moment: Duration, of source: ClipSource) -> (
      span: ClipSpan, presentation: Duration
    ) {
      let picture = Duration(seconds: filmRate.interval)
      let earliest = max(.zero, moment - reach)
      for step in 0..<32 {
        let span = ClipSpan(start: earliest + picture * step / 16, end: moment + reach)
        let timeline = Timeline(
          source.timing ?? [], nominalInterval: source.nominalInterval, speed: SpeedCurve(.normal),
          outputRate: filmRate, span: span)
        guard timeline.capturedFrameCount > index else { break }
        let pictures = timeline.outputFrames(showing: index)
        guard !pictures.isEmpty else { continue }
        return (span, Duration(seconds: filmRate.interval * Fraction(Int64(pictures.lowerBound))))
      }
      return (ClipSpan(start: earliest, end: moment + reach), moment - earliest)
    }
  }
}

extension MotionPhoto.Kind {
  /// What the name of its file ends in.
  public var suffix: String { self == .livePhoto ? ".jpg" : MotionPhotoFile.suffix }

  /// The film's file beside the still at `path`; `nil` where it has none of its own.
  public func film(of path: FilePath) -> FilePath? {
    self == .livePhoto ? path.beside("\(path.stem ?? path.name).mov") : nil
  }
}

extension PhotoTags {
  /// What a take knows of one of its frames.
  init(of frame: FrameEntry, in take: Take) {
    self.init(take.controls, sequence: UInt32(truncatingIfNeeded: frame.sequence), time: frame.time)
    camera = take.camera.card ?? take.camera.name
    // Takes know the second of their trigger, else of their first frame.
    guard let date = try? Date(take.startedAt, strategy: .iso8601) else { return }
    let since = take.trigger?.frameTime.map { frame.time - $0 } ?? frame.sinceFirst
    moment = Moment(date.addingTimeInterval(since / .seconds(1)))
    moment?.fraction = ""
  }
}
