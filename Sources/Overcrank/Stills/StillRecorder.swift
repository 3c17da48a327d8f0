public import CameraModel
public import Cameras
public import Capture
public import FoundationEssentials
public import Media
public import Platform
public import SystemPackage
import Takes

/// Settings for a still, or for several in a row.
public struct StillSettings: Sendable {
  /// The rate at which the camera runs, which limits exposure; `nil` for the camera's largest mode, and its
  /// exposure as it is.
  public var rate: RequestedRate?
  /// Whether the still uses the camera's largest mode even with `rate`: the camera waits in a mode of that
  /// rate, is switched to its largest mode, and back.
  public var isLargest = false
  /// Other requirements on the mode.
  public var criteria: ModeChoice.Criteria
  /// The preferred sizes, most wanted first; empty for none.
  public var quality: [Quality]
  /// The policy for the camera's controls.
  public var controls: ControlPolicy
  /// The number of frames to skip first, in which the camera adjusts its exposure; in
  /// `Still.skippableFrames`.
  public var skippedFrames: Int
  /// The turn of the still; `nil` for the one that the camera's mounting needs.
  public var turn: PictureTurn?
  /// The file format; `nil` for that of the file's extension, or else JPEG.
  public var format: StillFormat?
  /// The quality of a JPEG, from 1 to 100; `nil` leaves a camera's JPEG as it is, and encodes others at high
  /// quality.
  public var jpegQuality: Int?
  /// The number of frames in a row that become stills; in `FrameBurst.counts`.
  public var count = 1
  /// The still's file, to whose name numbers are appended for several; `nil` for a new name in ``folder``.
  public var output: FilePath?
  /// The folder for new names, created if needed; `nil` for the library folder.
  public var folder: FilePath?
  /// Whether an existing file may be replaced.
  public var replacesFile: Bool

  /// Creates settings, by default for a still in the camera's largest mode.
  public init(
    rate: RequestedRate? = nil, criteria: ModeChoice.Criteria = .init(), quality: [Quality] = [],
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

/// A still that was written to the disk.
public struct TakenStill: Sendable {
  /// Its file.
  public let path: FilePath
  /// The picture.
  public let still: Still
  /// The capture time.
  public let date: Date
  /// The number of frames lost between the previous still and this one.
  public let lostBefore: Int64
  /// The times without frames while the camera was switched to the still's mode, and back; empty if it was in
  /// that mode already.
  public let modeGaps: [Duration]
}

/// Takes stills: chooses the mode, plans the controls, and names the files.
///
/// ```swift
/// let recorder = try StillRecorder(CaptureDevice(named: "sim:"), StillSettings(output: "still.jpg"))
/// for taken in try recorder.take() { print(taken.path, taken.still.bytes.count) }
/// ```
public struct StillRecorder: Sendable {
  /// The camera.
  public let device: CaptureDevice
  /// The modes that the camera claims.
  public let table: CameraTable
  /// The mode to capture.
  public let mode: Mode
  /// The configuration in which the camera waits before and after; `nil` for the same mode.
  public let standby: SessionConfiguration?
  /// The controls to set on the camera, and their differences from the request.
  public let controlPlan: ControlPlan
  /// The file format of the stills.
  public let format: StillFormat
  /// The files of the stills, in order.
  public let paths: [FilePath]
  private let settings: StillSettings
  /// The name of the bursts to be replaced; `nil` if none are.
  private let formerBurst: FilePath?

  /// Chooses the mode, and checks that the still can be saved; captures nothing yet.
  ///
  /// - Throws: ``RecordError``; the camera's state is unchanged.
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
      if !settings.replacesFile, let taken = paths.first(where: \.exists) {
        throw OvercrankError.alreadyExists(taken)
      }
      formerBurst = settings.replacesFile && settings.count > 1 ? path : nil
      // Fails now rather than after the capture.
      for burst in Self.bursts(of: formerBurst) {
        if case .unreadablePhoto(let error) = burst.kind { throw error }
        _ = try FileLock(burst.files, for: .changing)
      }
      for path in paths { try OutputFile.check(path, replacing: settings.replacesFile) }
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

  /// Returns the largest mode, or that of a recording at the rate.
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
    // There is no rate to keep: in the dark, the camera may expose for as long as it needs.
    controls.exposure = controls.exposure ?? .keep
    return controls
  }

  /// Returns `still.jpg`; for several, `still-001.jpg` and so on.
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

  /// Captures the stills and writes them to ``paths``: none if stopped before the first, fewer if stopped
  /// before the last.
  ///
  /// Blocks the calling thread. The camera's state is restored. Files that a burst replaces stay until all its stills
  /// are on the disk.
  ///
  /// - Parameter stop: the channel on which `SessionCommand.stop` ends the wait.
  /// - Throws: `OvercrankError`; stills written before stay, but those of a burst that replaces files are removed.
  public func take(stop: SessionCommands = SessionCommands()) throws(OvercrankError) -> [TakenStill] {
    do {
      let (shots, gaps) = try capture(stop)
      let camera = CameraIdentity(name: device.name, table: table)
      var taken: [TakenStill] = []
      let replacement = try shots.isEmpty ? nil : replacement()
      // Stills that were captured before a stop are written; a stop during the writing ends it.
      let isStopped = stop.holdsStop
      for (shot, path) in zip(shots, paths) where isStopped || !stop.holdsStop {
        var tags = PhotoTags(of: shot.frame, at: shot.date, with: camera)
        tags.isLit = settings.controls.isLit ? true : nil
        if paths.count > 1 { tags.burst = PhotoTags.BurstPlace(taken.count + 1, of: paths.count) }
        do throws(OvercrankError) {
          let still = try Still(
            shot.frame, as: format, quality: settings.jpegQuality,
            turned: settings.turn ?? table.mounting.turn ?? .none,
            tags: tags)
          if let replacement {
            try replacement.add(still, at: path)
          } else {
            try still.write(to: path, replacing: settings.replacesFile)
          }
          taken.append(
            TakenStill(
              path: path, still: still, date: shot.date, lostBefore: shot.lostBefore, modeGaps: gaps))
        } catch {
          throw replacement == nil ? error : BurstReplacement.nothingReplaced(error)
        }
      }
      try replacement?.commit()
      return taken
    } catch {
      throw OvercrankError(recording: error)
    }
  }

  /// Returns the bursts whose pictures are named after `path`.
  private static func bursts(of path: FilePath?) -> [LibraryEntry] {
    guard let path, let suffix = path.extension else { return [] }
    return TakeLibrary(path.folder).bursts(named: path.stem ?? path.name, suffix)
  }

  /// Returns the replacement of the files that a burst replaces; `nil` if there are none.
  private func replacement() throws(OvercrankError) -> BurstReplacement? {
    guard let formerBurst else { return nil }
    let former = Self.bursts(of: formerBurst).flatMap(\.files)
    let others = paths.filter(\.exists)
    return former.isEmpty && others.isEmpty ? nil : try BurstReplacement(of: former, and: others)
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
