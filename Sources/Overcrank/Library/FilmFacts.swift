public import Media
public import Platform
public import Retime
public import SystemPackage
public import Takes
import Timebase

/// All that is known of a film: what its file says, and what the take says that it belongs to.
public struct FilmFacts: Sendable {
  /// What the film is to its take.
  public enum Role: String, Sendable {
    /// The untouched frames.
    case master
    /// A clip made of them.
    case clip
    /// A film without a take.
    case film
  }

  /// The file.
  public let path: FilePath
  /// Bytes in the file.
  public let bytes: Int64
  /// Codec, size, colours.
  public let track: VideoTrack
  /// Frames in the file.
  public let frameCount: Int
  /// How long it plays; `nil` where the file does not say.
  public let duration: Duration?
  /// Whether it is made of numbered images, which have no rate.
  public let isImages: Bool
  /// Whether there is audio beside the picture.
  public let hasAudio: Bool
  /// Frames of a clip that repeat the one before, by its take; `nil` where that is not known.
  public var heldFrames: Int? {
    guard role == .clip else { return nil }
    return take?.description?.clips.first { $0.file == path.lastComponent?.string }?.held
  }
  /// When it was recorded, as the file has it, in ISO 8601; `nil` where it does not say.
  public let creationTime: String?
  /// How fast it was captured against how it plays.
  public let pace: CapturePace
  /// The speed curve that Overcrank made it with, in words, by the film itself; `nil` where it has none.
  public let curve: String?
  /// What it is to its take.
  public let role: Role
  /// The take that it belongs to; `nil` where there is none.
  public let take: LibraryEntry?

  /// Frames a second as it plays; `nil` where the file does not say.
  public var framesPerSecond: Double? {
    guard let duration, duration > .zero else { return nil }
    return Double(frameCount) / (duration / .seconds(1))
  }

  /// Reads `film`, and the beginning of its take.
  ///
  /// - Throws: `OvercrankError` where it is no film that can be read.
  public init(_ whole: Film) throws(OvercrankError) {
    let path = whole.path
    pace = whole.pace
    curve = FilmPace(path)?.curve
    var film = try Demuxer(path)
    let (count, ticks) = try Self.times(&film)
    self.path = path
    track = film.track
    frameCount = count
    isImages = whole.isImages
    let images = isImages ? try? ImageSequence(path) : nil
    // libav shows 25 images a second, which nobody said.
    duration = ticks > 0 && images == nil ? Duration(seconds: Fraction(ticks) * film.timeBase) : nil
    hasAudio = film.hasAudio
    creationTime = film.creationTime
    bytes = images?.byteCount ?? (try? Stat(path)).map { Int64($0.size) } ?? 0
    let entry = TakeLibrary(path.folder).entry(at: path)
    if entry?.master?.lastComponent == path.lastComponent {
      role = .master
    } else if entry?.clips.contains(where: { $0.lastComponent == path.lastComponent }) ?? false {
      role = .clip
    } else {
      role = .film
    }
    take = entry?.path == path ? nil : entry?.notingShared()
  }

  /// How many frames there are, and for how many ticks they play.
  private static func times(_ film: inout Demuxer) throws(OvercrankError) -> (count: Int, ticks: Int64) {
    if let times = film.indexedTimes(), let first = times.first, let last = times.last {
      let end = last.timestamp.adding(clamping: max(last.duration, 1))
      return (times.count, end.subtracting(clamping: first.timestamp))
    }
    var (count, first, last) = (0, Int64.max, Int64.min)
    var usual: Int64 = 1
    // Matroska knows no times before 0, where frames may lie.
    var lead: Int64 = 0
    while let packet = try film.nextPacket() {
      guard !packet.isHidden else { continue }
      count += 1
      guard let time = packet.presentationTimestamp else {
        if first == .max { lead = lead.adding(clamping: packet.duration) }
        continue
      }
      first = min(first, time)
      last = max(last, time)
      usual = max(1, packet.duration)
    }
    guard first <= last else { return (count, 0) }
    first = first.subtracting(clamping: lead)
    let length = last.subtracting(clamping: first)
    if let told = film.duration, told > length { return (count, told) }
    // Nobody says how long the last frame is shown: as long as the others.
    return (count, length.adding(clamping: count > 1 ? max(1, length / Int64(count - 1)) : usual))
  }
}
