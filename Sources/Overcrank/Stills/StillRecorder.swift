public import CameraModel
public import Cameras
public import Capture
import FoundationEssentials
import Platform
public import SystemPackage

/// What is asked of a still.
public struct StillSettings: Sendable {
  /// The rate whose mode is taken, and for which is exposed; `nil` for the camera's largest mode,
  /// and its exposure as it is.
  public var rate: AskedRate?
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
  /// The still's file, a JPEG; `nil` for a new name in ``folder``.
  public var output: FilePath?
  /// Where new names go, made if it is not there; `nil` for the library folder.
  public var folder: FilePath?
  /// Whether a file of that name may be replaced.
  public var replacesFile: Bool

  /// A still in the camera's largest mode, or as these say.
  public init(
    rate: AskedRate? = nil, criteria: ModeChoice.Criteria = .init(), quality: [Quality] = [],
    controls: ControlPolicy = .init(), skippedFrames: Int = 5, turn: PictureTurn? = nil,
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

/// Takes a still: chooses the mode, plans the controls, names the file.
///
/// ```swift
/// let recorder = try StillRecorder(CaptureDevice(named: "sim:"), StillSettings(output: "still.jpg"))
/// if let still = try recorder.take() { print(recorder.path, still.jpeg.count) }
/// ```
public struct StillRecorder: Sendable {
  /// What captures.
  public let device: CaptureDevice
  /// All the modes that it claims.
  public let table: CameraTable
  /// The mode that is captured.
  public let mode: Mode
  /// What is set on the camera, and what differs from what was asked.
  public let controlPlan: ControlPlan
  /// Where the still goes.
  public let path: FilePath
  private let settings: StillSettings

  /// Chooses the mode, and checks that the still can be saved; takes nothing yet.
  ///
  /// - Throws: ``RecordError``; the camera is as it was.
  public init(
    _ device: CaptureDevice, _ settings: StillSettings = StillSettings(),
    profiles: ProfileLibrary = ProfileLibrary()
  ) throws(RecordError) {
    do {
      let path = try settings.output ?? LibraryFolder.newName(at: Date(), suffix: "jpg", in: settings.folder)
      try OwnFolder.checkTakesFiles(beside: path)
      guard settings.replacesFile || !path.isThere else {
        throw RecordError.nameTaken(path)
      }
      let table = try device.table(profiles: profiles)
      let choices =
        settings.rate == nil
        ? ModeChoice.largest(from: table, settings.criteria, quality: settings.quality)
        : ModeChoice.choices(
          from: table, for: settings.rate, settings.criteria, quality: settings.quality)
      let choice = ModeChoice.possible(choices)[0]
      guard let mode = choice.mode else { throw RecordError.noMode(choice, table, camera: device.name) }
      var controls = settings.controls
      // No rate is to be kept: in the dark, the camera may take the time that it needs.
      if settings.rate == nil {
        controls.exposure = controls.exposure ?? .keep
      } else {
        controls = controls.needing(profiles.profile(of: table))
      }
      controlPlan = try device.plan(controls, for: mode)
      self.device = device
      self.table = table
      self.mode = mode
      self.path = path
      self.settings = settings
    } catch {
      throw RecordError(error)
    }
  }

  /// Takes the still and writes it to ``path``; `nil` where it was stopped before.
  ///
  /// Blocks the calling thread. The camera is put back as it was found.
  ///
  /// - Parameter stop: where `SessionCommand.stop` ends the wait.
  /// - Throws: ``RecordError``; there is no file then.
  public func take(stop: SessionCommands = SessionCommands()) throws(RecordError) -> Still? {
    do {
      let still = try Still.take(
        with: device, in: mode, skipping: settings.skippedFrames, making: controlPlan.changes,
        turned: settings.turn ?? .none, stop: stop)
      try still?.write(to: path, replacing: settings.replacesFile)
      return still
    } catch {
      throw RecordError(error)
    }
  }
}
