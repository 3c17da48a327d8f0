import Platform
import CameraModel
import Cameras
import Capture
import FoundationEssentials
import Media
import SystemPackage
import Takes
import Timebase

/// The mode, controls, names and takes of a recording, decided before anything is opened or written.
///
/// A pure value: it is derived from the request and the facts alone, or refused. ``TakeRecorder`` runs it.
struct RecordingPlan: Sendable {
  private(set) var request: RecordRequest
  let facts: RecordingFacts
  /// The mode to capture.
  let mode: Mode
  /// The preferred size that the mode has, with the reasons against those before it; `nil` if none was
  /// requested.
  let quality: QualityChoice?
  /// The format of frames in masters.
  let format: MasterFormat
  /// The policy for the controls, also for other modes during the recording.
  let policy: ControlPolicy
  /// The controls to set, and their differences from the request.
  let controls: ControlPlan
  /// The times and triggers at which takes begin and end.
  let session: SessionPlan
  /// The clip's file, or the template for its name.
  private(set) var clip: FilePath
  /// The camera's name among several, which the names of its files end in; `nil` for a lone camera.
  private(set) var camera: String?
  /// The first take's metadata before its first frame.
  let metadata: TakeMetadata

  /// Plans a recording.
  ///
  /// - Throws: ``RecordError`` if the facts do not allow the request.
  init(_ request: RecordRequest, _ facts: RecordingFacts) throws(RecordError) {
    var request = request
    request.turn = request.turn ?? facts.table.mounting.turn
    if request.turn == PictureTurn.none { request.turn = nil }
    let wishes = request.choices(from: facts.table)
    let choices = ModeChoice.possible(wishes)
    if let choice = choices.first, choice.mode == nil {
      throw .noMode(choice, facts.table, camera: facts.camera)
    }
    let trial = facts.trial
    guard let mode = trial.mode else { throw .modesRefused(trial, camera: facts.camera) }
    guard let format = mode.pixelFormat.flatMap(MasterFormat.init) else {
      throw .failure(
        OvercrankError(
          .noMode,
          "\(facts.camera) in \(mode): frames of this format cannot be written yet. Choose another format.",
          remedy: .chooseFormat, subject: facts.camera))
    }
    self.request = request
    self.facts = facts
    self.mode = mode
    self.format = format
    quality = trial.choice.flatMap {
      QualityChoice($0, after: wishes, of: request.quality, refused: trial.refused)
    }
    policy = request.controls.needing(facts.profile)
    do {
      let suffix = try request.clip?.container(of: format.codec).fileExtension ?? "mp4"
      clip =
        request.output
        ?? (request.folder ?? facts.library).appending("\(LibraryFolder.stem(at: facts.date)).\(suffix)")
      try request.checkClip(of: mode)
      for source in request.triggers { try source.check(for: mode) }
      controls = try policy.plan(for: facts.controls, interval: mode.interval, of: facts.camera)
      try request.clip?.check(for: clip, of: format.codec)
    } catch {
      throw RecordError(error)
    }
    var session = request.plan
    session.triggerDelay = request.triggers.map(\.delay).reduce(session.triggerDelay, max)
    self.session = session
    metadata = TakeMetadata(
      camera: CameraIdentity(name: facts.camera, table: facts.table), mode: mode,
      asked: request.rate.flatMap { _ in trial.choice?.requestedRate }, started: facts.date,
      version: Version.current, requestedMode: choices.first?.mode, refused: trial.refused,
      turn: request.turn,
      quality: quality, sizeLimit: request.sizeLimit, label: request.label,
      wantedClip: request.clip?.description)
  }

  /// The control that focuses the camera once, if the recording refocuses on a new scene; `nil` if it does
  /// not, or the camera has none.
  var focus: CameraControl? { request.refocuses ? facts.controls.focusStart : nil }

  /// Returns the plan for one of several cameras.
  ///
  /// - Parameters:
  ///   - camera: the camera's name among them.
  ///   - clip: the clip's file if the camera were alone.
  ///   - ring: the size of its ring; `nil` for the usual one.
  func among(_ camera: String, clip: FilePath, ring: RingSize?) -> RecordingPlan {
    var plan = self
    plan.camera = camera
    (plan.clip, plan.request.output) = (clip, clip)
    plan.request.capture.ring = ring
    return plan
  }

  /// Returns the values for the words in braces of a take's name, at `date`.
  func nameFacts(at date: Date) -> NameTemplate.Facts {
    NameTemplate.Facts(
      date: date, camera: facts.table.card ?? facts.camera, rate: mode.rate, label: request.label)
  }
}

extension RecordRequest {
  /// Returns all choices from `table`, in order of preference.
  func choices(from table: CameraTable) -> [ModeChoice] {
    ModeChoice.choices(from: table, for: rate, criteria, quality: quality)
  }
}
