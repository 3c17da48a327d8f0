public import CameraModel
public import Cameras
public import Capture
public import FoundationEssentials
public import Media
public import Platform
public import SystemPackage

/// What is asked of a still, or of several in a row.
public struct StillSettings: Sendable {
  /// The rate whose mode is taken, and for which is exposed; `nil` for the camera's largest mode,
  /// and its exposure as it is.
  public var rate: AskedRate?
  /// Whether the still is in the camera's largest mode also where a rate is named: the camera stands by at that rate, is
  /// set to its largest mode, and back.
  public var isLargest = false
  /// What else is asked of the mode.
  public var criteria: ModeChoice.Criteria
  /// The sizes that are wished for, the most wanted first; empty for none.
  public var quality: [Quality]
  /// How the camera's controls are set for it.
  public var controls: ControlPolicy
  /// How many frames pass first, in which the camera finds its exposure; one of
  /// `Still.skippableFrames`.
  public var skippedFrames: Int
  /// How it is turned; `nil` for as the camera sends it.
  public var turn: PictureTurn?
  /// What kind of file it is; `nil` for what its name says, else a JPEG.
  public var format: StillFormat?
  /// The quality of a JPEG, from 1 to 100; `nil` leaves a camera's JPEG as it is, and encodes others well.
  public var jpegQuality: Int?
  /// How many frames in a row become stills; one of `FrameBurst.counts`.
  public var count = 1
  /// The still's file; of several, each has its number behind the name. `nil` for a new name in ``folder``.
  public var output: FilePath?
  /// Where new names go, made if it is not there; `nil` for the library folder.
  public var folder: FilePath?
  /// Whether a file of that name may be replaced.
  public var replacesFile: Bool

  /// A still in the camera's largest mode, or as these say.
  public init(
    rate: AskedRate? = nil, criteria: ModeChoice.Criteria = .init(), quality: [Quality] = [],
    controls: ControlPolicy = .init(), skippedFrames: Int = Still.usualSkip, turn: PictureTurn? = nil,
    output: FilePath? = nil, folder: FilePath? = nil, replacesFile: Bool = false
  ) {
    self.rate = rate
    self.criteria = criteria
    self.quality = quality
    self.controls = controls
    self.skippedFrames = skippedFrames
    self.turn = turn
    self.output = output
    self.folder = folder
    self.replacesFile = replacesFile
  }
}

/// A still that lies on the disk.
public struct TakenStill: Sendable {
  /// Its file.
  public let path: FilePath
  /// The picture.
  public let still: Still
  /// When it was captured, by the calendar.
  public let date: Date
  /// How many frames were lost between the still before and this.
  public let lostBefore: Int64
  /// How long no frame came when the camera was set to the still's mode, and when it was set back; empty where it stood
  /// by in that mode.
  public let modeGaps: [Duration]
}

/// Takes stills: chooses the mode, plans the controls, names the files.
///
/// ```swift
/// let recorder = try StillRecorder(CaptureDevice(named: "sim:"), StillSettings(output: "still.jpg"))
/// for taken in try recorder.take() { print(taken.path, taken.still.bytes.count) }
/// ```
public struct StillRecorder: Sendable {
  /// What captures.
  public let device: CaptureDevice
  /// All the modes that it claims.
  public let table: CameraTable
  /// The mode that is captured.
  public let mode: Mode
  /// What the camera stands by in before and after; `nil` for the same mode.
  public let standby: SessionConfiguration?
  /// What is set on the camera, and what differs from what was asked.
  public let controlPlan: ControlPlan
  /// What kind of files the stills are.
  public let format: StillFormat
  /// Where the stills go, in order.
  public let paths: [FilePath]
  private let settings: StillSettings

  /// Chooses the mode, and checks that the still can be saved; takes nothing yet.
  ///
  /// - Throws: ``RecordError``; the camera is as it was.
  public init(
    _ device: CaptureDevice, _ settings: StillSettings = StillSettings(),
    profiles: ProfileLibrary = ProfileLibrary()
  ) throws(RecordError) {
    do {
      format =
        settings.format ?? settings.output?.extension.flatMap(StillFormat.init(fileExtension:)) ?? .jpeg
      let path =
        try settings.output
        ?? LibraryFolder.newName(at: Date(), suffix: format.fileExtension, in: settings.folder)
      try OwnFolder.checkTakesFiles(beside: path)
      paths = Self.names(path, count: settings.count)
      if !settings.replacesFile, let taken = paths.first(where: \.isThere) {
        throw OvercrankError.alreadyExists(taken)
      }
      let table = try device.table(profiles: profiles)
      let isLargest = settings.isLargest || settings.rate == nil
      let mode = try Self.mode(of: device, table, isLargest: isLargest, settings)
      controlPlan = try device.plan(
        Self.controls(isLargest: isLargest, settings, table, profiles), for: mode)
      if settings.isLargest, settings.rate != nil {
        let standbyMode = try Self.mode(of: device, table, isLargest: false, settings)
        let plan = try device.plan(
          Self.controls(isLargest: false, settings, table, profiles), for: standbyMode)
        standby = SessionConfiguration(mode: standbyMode, controlChanges: plan.changes)
      } else {
        standby = nil
      }
      self.device = device
      self.table = table
      self.mode = mode
      self.settings = settings
    } catch {
      throw RecordError(error)
    }
  }

  /// The largest mode, or that of a recording at the rate.
  private static func mode(
    of device: CaptureDevice, _ table: CameraTable, isLargest: Bool, _ settings: StillSettings
  ) throws(RecordError) -> Mode {
    let choices =
      isLargest
      ? ModeChoice.largest(from: table, settings.criteria, quality: settings.quality)
      : ModeChoice.choices(from: table, for: settings.rate, settings.criteria, quality: settings.quality)
    let choice = ModeChoice.possible(choices)[0]
    guard let mode = choice.mode else { throw .noMode(choice, table, camera: device.name) }
    return mode
  }

  private static func controls(
    isLargest: Bool, _ settings: StillSettings, _ table: CameraTable, _ profiles: ProfileLibrary
  ) -> ControlPolicy {
    var controls = settings.controls
    guard isLargest else { return controls.needing(profiles.profile(of: table)) }
    // No rate is to be kept: in the dark, the camera may take the time that it needs.
    controls.exposure = controls.exposure ?? .keep
    return controls
  }

  /// `still.jpg`; of several `still-001.jpg` and so on.
  private static func names(_ path: FilePath, count: Int) -> [FilePath] {
    guard count > 1 else { return [path] }
    let digits = max(3, "\(count)".count)
    return (1...count).map { index in
      let number = "\(index)"
      let padding = String(repeating: "0", count: max(0, digits - number.count))
      return path.beside(
        "\(path.stem ?? path.name)-\(padding)\(number)" + (path.extension.map { ".\($0)" } ?? ""))
    }
  }

  /// Takes the stills and writes them to ``paths``: none where it was stopped before the first, fewer where it was
  /// stopped before the last.
  ///
  /// Blocks the calling thread. The camera is put back as it was found.
  ///
  /// - Parameter stop: where `SessionCommand.stop` ends the wait.
  /// - Throws: `OvercrankError`; stills that were written before stay.
  public func take(stop: SessionCommands = SessionCommands()) throws(OvercrankError) -> [TakenStill] {
    do {
      let (shots, gaps) = try capture(stop)
      let camera = CameraIdentity(name: device.name, table: table)
      var taken: [TakenStill] = []
      for (shot, path) in zip(shots, paths) {
        var tags = PhotoTags(of: shot.frame, at: shot.date, with: camera)
        tags.isLit = settings.controls.isLit ? true : nil
        let still = try Still(
          shot.frame, as: format, quality: settings.jpegQuality, turned: settings.turn ?? .none, tags: tags)
        try still.write(to: path, replacing: settings.replacesFile)
        taken.append(
          TakenStill(
            path: path, still: still, date: shot.date, lostBefore: shot.lostBefore, modeGaps: gaps))
      }
      return taken
    } catch {
      throw OvercrankError(recording: error)
    }
  }

  private func capture(
    _ stop: SessionCommands
  ) throws(CaptureError) -> (shots: [FrameBurst.Shot], modeGaps: [Duration]) {
    guard let standby else {
      let burst = try FrameBurst.capture(
        with: device, in: mode, skipping: settings.skippedFrames, count: settings.count,
        making: controlPlan.changes, stop: stop)
      return (burst?.shots ?? [], [])
    }
    let shot = try FrameBurst.capture(
      with: device, in: SessionConfiguration(mode: mode, controlChanges: controlPlan.changes),
      standingByIn: standby, skipping: settings.skippedFrames, stop: stop)
    return (shot.map { [$0.shot] } ?? [], shot?.gaps ?? [])
  }
}
