public import Cameras
public import Media
public import Platform
public import Retime
public import SystemPackage
package import Takes
public import Timebase

/// A master, or any film, that a clip is to be made of.
public struct Film: Sendable {
  /// The file.
  public let path: FilePath
  /// What messages call it: the file's path, or what a file without a name was read from.
  public let name: FilePath
  /// The take that lies beside it and says when its frames were captured; `nil` where there is none.
  public let takePath: FilePath?
  /// The film, timed by that take.
  public let source: ClipSource
  /// What the take says of the film's own speed, where that is not true.
  public let staleTake: TakeCheck?
  /// How fast it was captured against how it plays.
  public let pace: CapturePace
  /// The file that it was when its take was read; `nil` where there was none.
  private let identity: FileIdentity?

  /// The film at `path`, with what the take beside it knows of it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - captureRate: how fast it was captured, which counts more than what the film and its take say; `nil` where
  ///     nobody says.
  ///   - profiles: what is known of cameras; asked for raw masters alone.
  /// - Throws: `OvercrankError` where there is a take that cannot be read. A film that is not there is
  ///   told by ``checkIsThere()``.
  public init(
    _ path: FilePath, captureRate: FrameRate? = nil,
    profiles: @autoclosure () -> ProfileLibrary = ProfileLibrary()
  ) throws(OvercrankError) {
    try self.init(path, named: path, captureRate, profiles)
  }

  /// The film that came through a pipe.
  ///
  /// - Parameters:
  ///   - film: must last as long as this is used.
  ///   - captureRate: how fast it was captured; `nil` where nobody says.
  /// - Throws: as ``init(_:captureRate:profiles:)``.
  public init(_ film: SpooledFilm, captureRate: FrameRate? = nil) throws(OvercrankError) {
    try self.init(film.path, named: SpooledFilm.name, captureRate) { ProfileLibrary() }
  }

  /// Whether it came through a pipe.
  public var isSpooled: Bool { name != path }

  /// `text` that may name the file, with the name that means something to whoever reads it.
  public func naming(_ text: String) -> String {
    isSpooled ? text.replacing(path.string, with: name.string) : text
  }

  private init(
    _ path: FilePath, named name: FilePath, _ captureRate: FrameRate?, _ profiles: () -> ProfileLibrary
  ) throws(OvercrankError) {
    self.path = path
    self.name = name
    // Before the take is read: a clip is entered in that only while both belong together.
    identity = FileIdentity(path)
    guard let takePath = TakeFiles.take(besideMaster: path), captureRate == nil,
      let take = try Take.read(from: takePath)
    else {
      self.takePath = nil
      staleTake = nil
      pace = CapturePace(of: path, asked: captureRate, takeSpeed: Self.clipSpeed(path))
      var source = ClipSource(path)
      source.pace = pace.speed
      source.captureRate = pace.captureRate
      self.source = source
      return
    }
    // Beside a part, the journal is that of a recording that is to replace this film.
    if AbandonedPart.hasJournal(of: path), !AbandonedPart.exists(for: path),
      try TakelessMaster(path)?.hasOtherTake == true
    {
      throw OvercrankError(
        .badData,
        "\(path): the take beside it, \(takePath), is of an earlier recording: this one was cut off before its own was "
          + "written. Its journal still tells it: have the take made.", remedy: .recover(path))
    }
    self.takePath = takePath
    staleTake = TakeCheck(take, at: takePath, of: path.name)
    pace = CapturePace(of: path, takeSpeed: FilmPace(path)?.speed ?? Fraction(1))
    var source = ClipSource(path, take: take)
    source.sensor = SensorFacts(of: take, profiles)
    source.pace = pace.speed
    self.source = source
  }

  /// The master of a take that has just been recorded.
  init(_ take: FinishedTake, sensor: SensorFacts?) {
    path = take.files.master
    name = path
    takePath = take.files.take
    staleTake = nil
    pace = CapturePace(of: path, takeSpeed: Fraction(1))
    identity = take.identity
    var source = ClipSource(path, take: take.take)
    source.sensor = sensor
    self.source = source
  }

  /// The container of a clip of it that was given no name.
  ///
  /// - Parameter spec: how the clip is made.
  /// - Throws: `OvercrankError` where the film cannot be read.
  public func container(for spec: ClipSpec) throws(OvercrankError) -> Container {
    try spec.container(of: try Demuxer(path).track.codec)
  }

  /// What a clip of it is called in `container` that was given no name: `drop-slow.mp4`, of
  /// `drop.master.mov` too.
  public func clipName(in container: Container) -> FilePath {
    let stem = ImageSequence.stem(of: path) ?? path.stem ?? ""
    let name = stem.hasSuffix(".master") ? stem.dropLast(7) : stem[...]
    return path.beside("\(name.isEmpty ? stem[...] : name)-slow.\(container.fileExtension)")
  }

  /// Whether `path` is named as an image is.
  public static func isImage(_ path: FilePath) -> Bool { ImageSequence.isImage(path) }

  /// The name of all images that the one at `path` is numbered with, such as `frames/%06d.png`; `nil` where it is no image,
  /// or the only one.
  public static func imagePattern(_ path: FilePath) -> FilePath? { ImageSequence.pattern(of: path) }

  /// Whether its frames are luma alone; `false` where it cannot be read.
  public var isGrey: Bool { (try? Demuxer(path))?.track.isGrey ?? false }

  /// Whether it is made of numbered images, which have no rate.
  public var isImages: Bool { ImageSequence.isNamed(by: path) }

  /// The files of these of its numbered images, counted from 0; none where it has none.
  public func images(_ places: [Int]) -> [FilePath] {
    guard isImages, let images = try? ImageSequence(path) else { return [] }
    return places.map { images.path(ofImage: $0) }
  }

  /// Which of the film's numbered images are missing, in a sentence; `nil` where none is, or it has none.
  public var missingImages: String? {
    guard isImages, let missing = try? ImageSequence(path).missing, !missing.isEmpty
    else {
      return nil
    }
    let count = missing.reduce(0) { $0 + $1.count }
    let names = missing.prefix(4).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
    }
    let list = names.joined(separator: ", ") + (missing.count > 4 ? ", ..." : "")
    return count == 1
      ? "number \(list) is missing, and counts as a lost frame."
      : "\(count) numbers are missing (\(list)), and count as lost frames."
  }

  /// Finds out whether there is such a file.
  ///
  /// - Throws: `OvercrankError`; with the remedy `recover` where a recording was cut off that can be made whole.
  public func checkIsThere() throws(OvercrankError) { try Self.checkIsThere(path) }

  /// Opens it.
  ///
  /// - Throws: `OvercrankError` where it cannot be read; with the remedy `recover` only where there is what it can be recovered
  ///   from.
  public func checkIsReadable() throws(OvercrankError) {
    do throws(OvercrankError) { _ = try Demuxer(path) } catch {
      guard case .recover? = error.remedy, CutOffMaster.path(for: path) == nil else { throw error }
      throw OvercrankError(
        .badData,
        "\(path): is cut off: a MOV or MP4 whose index (moov) is missing or incomplete, as an interrupted recording or "
          + "copy leaves it. Copy it anew from where it is whole.")
    }
  }

  /// How fast the clip at `path` plays, by its take where the film itself does not tell; `nil` where it has none.
  static func clipSpeed(_ path: FilePath) -> Fraction? {
    guard let pace = FilmPace(path), var take = try? Take.read(from: TakeFiles.take(of: path)),
      take.enter(pace, of: path.name) != nil
    else { return nil }
    let text = take.clips.first { $0.file == path.name }?.speed
    return pace.speed ?? text.flatMap { try? Speed(text: $0).factor }
  }

  /// Enters a clip that was made of the film in the film's take, where it lies beside them.
  ///
  /// - Throws: `OvercrankError` where the take cannot be changed, and with `busy` where it is that of another master by now;
  ///   it is as it was then.
  package func enter(_ clip: Take.Clip, at path: FilePath) throws(OvercrankError) {
    guard let takePath, path.folder.isSameFile(as: takePath.folder) else { return }
    try TakeLibrary(takePath.folder).entry(at: takePath)?.enter(clip, madeOf: identity)
  }

  /// Locks the film for a clip of it, to be held until that is entered: no program of this kind removes, replaces or
  /// changes it meanwhile. Other clips can be made of it at the same time.
  ///
  /// - Throws: `OvercrankError` with `busy` where one does so just now, or has since the film's take was read.
  package func locked() throws(OvercrankError) -> FileLock {
    let lock = try FileLock([path], for: .reading)
    guard identity == nil || FileIdentity(path) == identity else {
      throw OvercrankError(.busy, "\(path): another program has replaced it just now. Try again.")
    }
    return lock
  }

  static func checkIsThere(_ path: FilePath) throws(OvercrankError) {
    if !path.isThere, let master = CutOffMaster.path(for: path) {
      throw OvercrankError(
        .noInput,
        "\(path): is not there, but \(master).part is, which a recording leaves that was cut off. "
          + "Recover it; where it is still being recorded, wait for its end.",
        remedy: .recover(path), subject: path.string)
    }
    try Demuxer.checkIsFile(path)
  }
}
