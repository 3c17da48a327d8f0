public import Cameras
public import Media
public import Platform
public import Retime
public import SystemPackage
package import Takes
public import Timebase

/// A source for clips: a master, or any video.
public struct SourceVideo: Sendable {
  /// The file.
  public let path: FilePath
  /// The name for messages: the file's path, or the input that an unnamed file was read from.
  public let name: FilePath
  /// The take beside the file, which states when its frames were captured; `nil` if there is none.
  public let takePath: FilePath?
  /// The source, timed by that take.
  public let source: ClipSource
  /// The check of the take's statements on the file's own speed, if they are wrong; otherwise `nil`.
  public let staleTake: TakeCheck?
  /// The ratio of its capture rate to its playback rate.
  public let pace: CapturePace
  /// The identity of the file when its take was read; `nil` if there was no file.
  private let identity: FileIdentity?

  /// Opens the source at `path`, with the data from the take beside it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - captureRate: the capture rate, which overrides the source's and its take's; `nil` for theirs.
  ///   - profiles: what is known of cameras; evaluated only for raw masters.
  /// - Throws: `OvercrankError` if there is a take that cannot be read, or whose times are not the master's. A missing
  ///   source is reported by ``checkExists()``.
  public init(
    _ path: FilePath, captureRate: FrameRate? = nil,
    profiles: @autoclosure () -> ProfileLibrary = ProfileLibrary()
  ) throws(OvercrankError) {
    try self.init(path, named: path, captureRate, profiles)
  }

  /// Opens a source that was read from a pipe.
  ///
  /// - Parameters:
  ///   - video: the spooled source, which must outlive this value.
  ///   - captureRate: the capture rate; `nil` for the source's own.
  /// - Throws: as ``init(_:captureRate:profiles:)``.
  public init(_ video: SpooledVideo, captureRate: FrameRate? = nil) throws(OvercrankError) {
    try self.init(video.path, named: SpooledVideo.name, captureRate) { ProfileLibrary() }
  }

  /// The speed curve that Overcrank made it with, as text, from the file itself or from its take; `nil` if it has none.
  public var curve: String? {
    if let curve = SourcePace(path)?.curve { return curve }
    guard let speed = Self.animation(path)?.speed, (try? Speed(text: speed)) == nil else { return nil }
    return speed
  }

  /// Whether it was read from a pipe.
  public var isSpooled: Bool { name == SpooledVideo.name }

  /// Whether it is several cameras of a group, named by the group's file.
  public var isGroup: Bool { name.string.hasSuffix(TakeGroup.suffix) }

  /// Returns `text`, in which the path of an unnamed file is replaced by a name that the user understands.
  public func naming(_ text: String) -> String {
    isSpooled ? text.replacing(path.string, with: name.string) : text
  }

  private init(
    _ path: FilePath, named name: FilePath, _ captureRate: FrameRate?, _ profiles: () -> ProfileLibrary
  ) throws(OvercrankError) {
    self.path = path
    self.name = name
    // Read before the take: a clip is added to the take only if both still belong together.
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
    // With a part file, the journal is that of a recording that will replace this file.
    if AbandonedPart.hasJournal(of: path), !AbandonedPart.exists(for: path),
      try TakelessMaster(path)?.hasOtherTake == true
    {
      throw OvercrankError(
        .badData,
        "\(path): the take beside it, \(takePath), belongs to an earlier recording: this one was cut off "
          + "before its own take was written. That take can be made from its journal.",
        remedy: .recover(path))
    }
    try MasterTimes.check(path, of: take, remedy: .giveCaptureRate)
    self.takePath = takePath
    staleTake = TakeCheck(take, at: takePath, of: path.name)
    // Videos of other programs do not state their speed as those of Overcrank do.
    let stated = take.masterSpeed.flatMap { try? Speed(text: $0).factor }
    pace = CapturePace(of: path, takeSpeed: SourcePace(path)?.speed ?? stated ?? Fraction(1))
    var source = ClipSource(path, take: take)
    source.sensor = SensorFacts(of: take, profiles)
    source.pace = pace.speed
    self.source = source
  }

  /// Creates the source of a clip that shows several cameras together.
  ///
  /// - Parameters:
  ///   - cameras: the masters, each with its camera's place in the group; at least one.
  ///   - name: the file of the group.
  init?(_ cameras: [(video: SourceVideo, place: TakeGroup.Camera)], named name: FilePath) {
    guard let first = cameras.first?.video else { return nil }
    path = first.path
    self.name = name
    takePath = nil
    staleTake = nil
    pace = first.pace
    identity = first.identity
    var source = first.source
    source.group = name
    source.companions = cameras.dropFirst().map { video, place in
      ClipSource.Companion(
        video.source, offset: place.offset, ratePartsPerMillion: place.ratePartsPerMillion)
    }
    self.source = source
  }

  /// Creates the source for the master of a take that was just recorded.
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

  /// Returns the default container for a clip of it.
  ///
  /// - Parameter spec: the description of the clip.
  /// - Throws: `OvercrankError` if the source cannot be read.
  public func container(for spec: ClipSpec) throws(OvercrankError) -> Container {
    try spec.container(of: try Demuxer(path).track.codec)
  }

  /// Returns the default name for a clip of it in `container`: `drop-slow.mp4`, for `drop.master.mov` and
  /// `drop.group.json` too.
  public func clipName(in container: Container) -> FilePath {
    if isGroup {
      return self.name.beside("\(Self.clipStem(ofGroup: self.name)).\(container.fileExtension)")
    }
    let stem = ImageSequence.stem(of: path) ?? path.stem ?? ""
    let name = stem.hasSuffix(".master") ? stem.dropLast(7) : stem[...]
    return path.beside("\(name.isEmpty ? stem[...] : name)-slow.\(container.fileExtension)")
  }

  /// Returns the default name, without its extension, for a clip of the group in the file at `path`.
  static func clipStem(ofGroup path: FilePath) -> String {
    "\(path.name.dropLast(TakeGroup.suffix.count))-slow"
  }

  /// Returns whether `path` has the name of an image.
  public static func isImage(_ path: FilePath) -> Bool { ImageSequence.isImage(path) }

  /// Returns the pattern for the numbered images that include the one at `path`, such as `frames/%06d.png`;
  /// `nil` if it is not an image, or the only one.
  public static func imagePattern(_ path: FilePath) -> FilePath? { ImageSequence.pattern(of: path) }

  /// Whether its frames are luma alone; `false` if it cannot be read.
  public var isGrey: Bool { (try? Demuxer(path))?.track.isGrey ?? false }

  /// Whether it consists of numbered images, which have no rate.
  public var isImages: Bool { ImageSequence.isNamed(by: path) }

  /// Returns the files of these of its numbered images, counted from 0; empty if it has none.
  public func images(_ places: [Int]) -> [FilePath] {
    guard isImages, let images = try? ImageSequence(path) else { return [] }
    return places.map { images.path(ofImage: $0) }
  }

  /// A sentence on missing numbered images; `nil` if there are none.
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

  /// Checks that the file exists.
  ///
  /// - Throws: `OvercrankError`, with the remedy `recover` if an interrupted recording can be completed.
  public func checkExists() throws(OvercrankError) { try Self.checkExists(path) }

  /// Checks that the file can be opened.
  ///
  /// - Throws: `OvercrankError` if it cannot be read, with the remedy `recover` only if there is data to
  ///   recover it from.
  public func checkIsReadable() throws(OvercrankError) {
    do throws(OvercrankError) { _ = try Demuxer(path) } catch {
      guard case .recover? = error.remedy, CutOffMaster.path(for: path) == nil else { throw error }
      throw OvercrankError(
        .badData,
        "\(path): is cut off: the index (moov) of this MOV or MP4 is missing or incomplete, as after an "
          + "interrupted recording or copy. Copy it again from a complete file.")
    }
  }

  /// Returns the speed of the clip at `path`, from its take if the file itself does not state it; `nil` if
  /// unknown.
  static func clipSpeed(_ path: FilePath) -> Fraction? {
    if let clip = animation(path) { return try? Speed(text: clip.speed).factor }
    guard let pace = SourcePace(path), var take = try? Take.read(from: TakeFiles.take(of: path)),
      take.enter(pace, of: path.name) != nil
    else { return nil }
    let text = take.clips.first { $0.file == path.name }?.speed
    return pace.speed ?? text.flatMap { try? Speed(text: $0).factor }
  }

  /// Returns what the take of the animation at `path` lists of it, because animations have no tag that states their
  /// speed; `nil` if there is no take, or the file is no animation.
  private static func animation(_ path: FilePath) -> Take.Clip? {
    guard path.extension.flatMap(Container.init(fileExtension:))?.isAnimation == true else { return nil }
    return TakeLibrary(path.folder).entry(at: path)?.description?.clips.first { $0.file == path.name }
  }

  /// Adds a clip of this source to its take, or to the file of its group, if that is in the same folder.
  ///
  /// - Throws: `OvercrankError` if the file cannot be changed, and with `busy` if the take now belongs to another
  ///   master; the file is then unchanged.
  package func enter(_ clip: Take.Clip, at path: FilePath) throws(OvercrankError) {
    if isGroup {
      guard path.folder.isSameFile(as: name.folder) else { return }
      return try StoredGroup(name).enter(clip)
    }
    guard let takePath, path.folder.isSameFile(as: takePath.folder) else { return }
    try TakeLibrary(takePath.folder).entry(at: takePath)?.enter(clip, madeOf: identity)
  }

  /// Locks the source until its clip is added to the take: no other Overcrank process removes, replaces or
  /// changes it meanwhile. Other clips can be made of it at the same time.
  ///
  /// - Throws: `OvercrankError` with `busy` if another process is doing so, or has done so since the take was
  ///   read.
  package func locked() throws(OvercrankError) -> FileLock {
    let lock = try FileLock([path], for: .reading)
    guard identity == nil || FileIdentity(path) == identity else {
      throw OvercrankError(.busy, "\(path): another program has just replaced it. Try again.")
    }
    return lock
  }

  static func checkExists(_ path: FilePath) throws(OvercrankError) {
    if !path.exists, let master = CutOffMaster.path(for: path) {
      throw OvercrankError(
        .noInput,
        "\(path): does not exist, but \(master).part does, which a recording leaves when it is cut off. If "
          + "it is still being recorded, wait for its end; otherwise recover it.",
        remedy: .recover(path), subject: path.string)
    }
    try Demuxer.checkIsFile(path)
  }
}
