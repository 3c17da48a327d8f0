import FoundationEssentials
import Media
import Platform
import Retime
public import SystemPackage
public import Takes
public import Timebase

/// A Motion Photo of a take: one of its frames, and the film around it in real time, in one file.
public struct MotionPhoto: Hashable, Sendable {
  /// Its file.
  public let path: FilePath
  /// The frame of the take, counted from 0.
  public let frame: Int
  /// The camera's number of it.
  public let sequence: Int64
  /// When the film shows it, from the film's first picture on.
  public let presentation: Duration
  /// Bytes of the file.
  public let byteCount: Int
  /// Bytes of the film, which is the end of the file.
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
  ///   - replacing: whether a file of that name may be replaced.
  ///   - isProcessed: is told when all that is left is to write it.
  /// - Throws: ``RecordError``; there is no file then, and what was there before still is.
  public static func make(
    ofFrame index: Int, in entry: LibraryEntry, to path: FilePath, replacing: Bool = false,
    isProcessed: () -> Void = {}
  ) async throws(RecordError) -> MotionPhoto {
    do {
      return try await making(index, entry, path, replacing, isProcessed)
    } catch {
      throw RecordError(error)
    }
  }

  private static func making(
    _ index: Int, _ entry: LibraryEntry, _ path: FilePath, _ replacing: Bool, _ isProcessed: () -> Void
  ) async throws -> MotionPhoto {
    // First: nothing is worked at for a name that cannot be had.
    var file = try OutputFile(path, replacing: replacing)
    let take = try entry.take()
    var pictures = try TakePictures(entry)
    let still = try pictures.still(index, as: .jpeg)
    let size = pictures.stillSize
    let pace = RealTime(of: take)
    let moment = pictures.time(of: index)
    guard let taken = take.frameList.lazy.dropFirst(index).first(where: { _ in true }) else {
      throw MediaError(.outOfRange, "\(entry.path): its take knows nothing of frame \(index).")
    }
    let film = path.beside(".\(path.stem ?? path.name).film.mp4")
    defer { film.unlink() }
    guard let master = entry.master else {
      throw FileError(.noInput, "\(entry.path): its master is not there.")
    }
    let source = ClipSource(master, take: take)
    let part = pace.part(around: index, at: moment, of: source)
    let report = try await ClipMaker.make(
      source, to: film,
      options: ClipOptions(
        speed: SpeedCurve(.normal), outputRate: pace.filmRate,
        span: part.span),
      replacing: true)
    let filmBytes: [UInt8]
    do throws(Errno) { filmBytes = try WholeFile.bytes(of: film, atMost: mostFilmBytes) } catch {
      throw WholeFile.failure(film, error)
    }
    let bytes = try MotionPhotoFile.joining(
      still, film: filmBytes, shownAt: part.presentation, tags: PhotoTags(of: taken, in: take),
      width: size.width, height: size.height)
    isProcessed()
    try file.write(bytes)
    try file.commit()
    return MotionPhoto(
      path: path, frame: index, sequence: taken.sequence, presentation: part.presentation,
      byteCount: bytes.count, filmByteCount: filmBytes.count, rate: pace.filmRate,
      filmFrameCount: report.outputFrames)
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
