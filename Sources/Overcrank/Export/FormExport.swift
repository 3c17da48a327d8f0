import Media
public import Platform
public import SystemPackage
import Takes
import Timebase

/// Exports recordings in the form of other programs: the untouched frames, and the times at which they were captured.
///
/// No file is replaced: an existing one must be the same, so the same export finishes one that was interrupted. Every
/// file is read back from its disk before it gets its name, and a camera's times are written after its video.
public struct FormExport: Hashable, Sendable {
  /// The destination folder.
  public var destination: FilePath
  /// The form.
  public var form: ExportForm

  /// Creates an export to a folder that exists.
  public init(to destination: FilePath, as form: ExportForm) {
    self.destination = destination
    self.form = form
  }

  /// The outcome for one recording.
  public struct Outcome: Sendable {
    /// The recording.
    public let recording: ExportedRecording
    /// The files that are complete, in the order in which they were written.
    public internal(set) var files: [FilePath] = []
    /// The folders that were created for them, the outermost first.
    var folders: [FilePath] = []
    /// Facts that a user of the other program must know, in sentences.
    public internal(set) var remarks: [String] = []
    /// The error that prevented completion; `nil` if the export is complete.
    public internal(set) var failure: OvercrankError?

    /// Whether everything was exported.
    public var isComplete: Bool { failure == nil }
    /// The bytes of ``files``.
    public var bytes: Int64 {
      files.reduce(0) { $0.adding(clamping: (try? Stat($1)).map { Int64($0.size) } ?? 0) }
    }
  }

  /// Exports `recordings`, one after the other, and continues after failures.
  ///
  /// - Parameters:
  ///   - recordings: the recordings.
  ///   - isStopped: called often; `true` ends the export. An unfinished file is removed.
  ///   - progress: called with the progress after each frame, or each megabyte.
  /// - Returns: the outcome for each recording, in order.
  public func run(
    _ recordings: [ExportedRecording], isStopped: () -> Bool = { false },
    progress: (TakeExport.Progress) -> Void = { _ in }
  ) -> [Outcome] {
    var meter = TakeExport.Progress(file: destination, step: .copying, done: 0, total: 0)
    meter.total = recordings.flatMap(\.cameras).compactMap(\.entry.master).reduce(0) {
      $0.adding(clamping: ((try? Stat($1)).map { Int64($0.size) } ?? 0).multiplied(clamping: 2))
    }
    var names: Set<String> = []
    return recordings.map { recording in
      var outcome = Outcome(recording: recording)
      do throws(OvercrankError) {
        try claim(recording, &names)
        try export(recording, &outcome) { path, step, count in
          meter.advance(path, step, by: count)
          progress(meter)
          return !isStopped()
        }
      } catch {
        outcome.failure = error
        // Only those that are empty go.
        for folder in outcome.folders.reversed() { folder.removeEmptyFolder() }
      }
      return outcome
    }
  }

  /// Claims the names of a recording in the destination, before anything of it is written.
  ///
  /// - Parameter names: the names of the recordings before it, in small letters: not every disk tells capitals apart.
  /// - Throws: `OvercrankError` with `cannotCreate` if one of them has the same.
  private func claim(_ recording: ExportedRecording, _ names: inout Set<String>) throws(OvercrankError) {
    let own = [recording.name] + (form == .csv ? recording.tableVideos : [])
    var all = names
    guard let taken = own.first(where: { !all.insert($0.lowercased()).inserted }) else { return names = all }
    throw OvercrankError(
      .cannotCreate,
      "\(recording.path): another file or recording of this export has the name \(taken), too. Export it alone, to "
        + "another folder, or rename its takes.")
  }

  /// Is told of the file, the step, and the number of further bytes; `false` stops.
  typealias Meter = (FilePath, VerifiedCopy.Step, Int64) -> Bool

  private func export(
    _ recording: ExportedRecording, _ outcome: inout Outcome, tell: Meter
  ) throws(OvercrankError) {
    try OwnFolder.checkExists(destination)
    var cameras: [FormCamera] = []
    for camera in recording.cameras { cameras.append(try FormCamera(camera)) }
    let lock = try FileLock(cameras.map(\.master), for: .reading)
    defer { lock.release() }
    switch form {
    case .csv: try exportTable(of: cameras, of: recording, &outcome, tell)
    case .campy: try exportCampy(cameras, of: recording, &outcome, tell)
    case .anipose: try exportAnipose(cameras, of: recording, &outcome, tell)
    case .miniscope: try exportMiniscope(cameras, of: recording, &outcome, tell)
    }
  }

  /// Returns the folder of these names in the destination, which is created if it does not exist.
  ///
  /// - Throws: `OvercrankError` with `cannotCreate` if it cannot be, or if one of them is a link that leads out of the
  ///   destination.
  func folder(_ names: String..., for outcome: inout Outcome) throws(OvercrankError) -> FilePath {
    var path = destination
    for name in names {
      path.append(name)
      let exists = path.exists
      guard !exists || path.resolvingLinks.starts(with: destination.resolvingLinks) else {
        throw OvercrankError(
          .cannotCreate,
          "\(path): is a link to another folder, and an export stays in its destination. Remove the link, or choose "
            + "another destination.")
      }
      try OwnFolder.make(path, as: "the folder of the export", remedy: "Choose another destination.")
      if !exists { outcome.folders.append(path) }
    }
    return path
  }

  /// Writes a file of these pieces.
  func write(
    _ pieces: some Sequence<[UInt8]>, to path: FilePath, _ outcome: inout Outcome, _ tell: Meter
  ) throws(OvercrankError) {
    try Self.creating(path) { () throws(OvercrankError) in
      var file = try OutputFile(path, canBeMadeAgain: true, copying: true)
      var pending: [UInt8] = []
      for piece in pieces {
        pending += piece
        guard pending.count >= 1 << 20 else { continue }
        try file.write(pending)
        pending.removeAll(keepingCapacity: true)
        guard tell(path, .copying, 0) else { throw .stopped(path) }
      }
      try file.write(pending)
      try file.commit { (part) throws(OvercrankError) in
        try part.checkIsOnDisk(isStopped: { !tell(path, .comparing, 0) })
      }
    }
    outcome.files.append(path)
  }

  /// Does what creates the file at `path`, of which there may be an equal one.
  static func creating(
    _ path: FilePath, _ body: () throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    do throws(OvercrankError) { try body() } catch {
      guard case .replace? = error.remedy else { throw error }
      throw OvercrankError(
        .cannotCreate,
        "\(path): already exists, and differs from what is exported. Move it away, or choose another folder.")
    }
  }

  /// Copies all frames of a camera to one file: `name` with the extension of the container.
  ///
  /// - Returns: the file.
  func copy(
    _ camera: FormCamera, to name: String, in folder: FilePath, container: Container,
    _ outcome: inout Outcome,
    _ tell: Meter
  ) throws(OvercrankError) -> FilePath {
    let path = folder.appending("\(name).\(container.fileExtension)")
    var copy = try FrameCopy(of: camera.master)
    try copy.write(
      camera.take.timestamps.count, to: path, in: container, rate: camera.rate, date: camera.take.startedAt
    ) { tell(path, $0, $1) }
    outcome.files.append(path)
    try copy.checkIsAtEnd()
    return path
  }

  /// Returns the first container that holds the frames of all cameras and that OpenCV and libav read by the number of
  /// the frame.
  func container(for cameras: [FormCamera]) throws(OvercrankError) -> Container {
    var codecs: [VideoCodec] = []
    for camera in cameras { codecs.append(try FrameCopy(of: camera.master).codec) }
    // NUT holds every layout of raw frames, and compressed streams without a change of their bytes.
    guard codecs.allSatisfy(\.isIntraOnly) else { return .nut }
    return [Container.mp4, .mov].first { container in codecs.allSatisfy(container.canHold) } ?? .nut
  }
}

/// A camera of a recording, with its take.
struct FormCamera {
  /// The place on the recording's clock.
  let place: TakeGroup.Camera
  /// The camera's place in the group, from 0.
  let number: Int
  let take: Take
  let master: FilePath
}

extension FormCamera {
  /// Reads the take.
  ///
  /// - Throws: `OvercrankError` if it cannot be read, has no master here, or no frames, or its times are not the
  ///   master's.
  init(_ camera: ExportedRecording.Camera) throws(OvercrankError) {
    let take = try camera.entry.takeOfPossibleTimes()
    guard let master = camera.entry.master else {
      throw OvercrankError(
        .noInput,
        "\(camera.entry.path): its master is missing, and only that has the frames as they were captured. Put it back "
          + "beside the take.")
    }
    guard take.timestamps.count > 0 else {
      throw OvercrankError(.badData, "\(camera.entry.path): has no frames to export.")
    }
    self.init(place: camera.place, number: camera.number, take: take, master: master)
  }

  /// The time of each frame on the recording's clock.
  var times: some Sequence<Duration> {
    take.frameList.lazy.map { [place] in place.place(of: $0.sinceFirst) }
  }

  /// The rate at which its frames were captured: the exact one that the driver accepted, if the frames have it.
  var rate: Fraction {
    let measured = take.measuredFramesPerSecond
    if let accepted = take.acceptedInterval?.rate?.framesPerSecond, accepted.numerator <= Int64(Int32.max),
      measured.map({ ($0 / accepted.doubleValue - 1).magnitude < 0.01 }) ?? true
    {
      return accepted
    }
    let thousandths = Int64(clamping: ((measured ?? 30) * 1000).rounded())
    return Fraction(min(max(1, thousandths), Int64(Int32.max)), 1000)
  }
}

extension String {
  /// The text as a piece of a file.
  var piece: [UInt8] { Array(utf8) }
}

/// The pieces of a file, and those that follow them.
struct JoinedPieces<First: Sequence<[UInt8]>, Second: Sequence<[UInt8]>>: Sequence {
  private let first: First
  private let second: Second

  init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  struct Iterator: IteratorProtocol {
    fileprivate var first: First.Iterator
    fileprivate var second: Second.Iterator

    mutating func next() -> [UInt8]? { first.next() ?? second.next() }
  }

  func makeIterator() -> Iterator { Iterator(first: first.makeIterator(), second: second.makeIterator()) }
}
