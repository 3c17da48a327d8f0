import Overcrank

/// What a studio knows, from which its state is told.
struct StudioModel {
  /// How the studio stands with its camera.
  enum CameraStage {
    /// There is none.
    case none
    /// It is being opened, or ended for another.
    case opening
    /// It is at work: its session says how.
    case open
    /// It cannot be used.
    case failed
  }

  var stage = CameraStage.opening
  /// The session of the camera that is open; `nil` where none is.
  var session: CaptureSession?
  var settings = StudioSettings()
  var camera: StudioState.Camera?
  var acceptedFramesPerSecond: Double?
  var problem: StudioError?
  /// Why the session ended, where that was an interruption.
  var fatalInterruption: StudioState.Interruption?
  /// Why frames stopped coming last.
  var lastReason: String?
  /// What failed last, in words.
  var lastFailure: String?
  /// What triggered takes in progress, by their numbers; none for those that were begun by Record.
  var triggers: [Int: String] = [:]
  var disk: StudioState.Disk?
  var audio: StudioState.Audio?
  var motion: StudioState.Motion?
  /// The stills that were asked for and are not written yet.
  var stills: Set<StillRequest> = []
  /// The takes whose end was dealt with.
  var ended: Set<Int> = []
  /// The takes in progress that become Motion Photos, and how many of them.
  var motionPhotos: [Int: Int] = [:]
  /// When these were asked for.
  var photoTimes: [Int: [Instant]] = [:]
  /// The takes that were asked for as such, by whatever else they become.
  var wanted: Set<Int> = []
  /// How many reviews there were with other cameras.
  var formerReviews = 0
  /// The newest review of the session that was let go, counted from 1.
  var reviewLetGo = 0
  /// The parts of the review that were saved.
  var saved: [StudioState.Review.Part] = []
  /// The takes of a review that are being written, and the parts that they are.
  var saving: [Int: StudioState.Review.Part] = [:]
  /// What the takes of a review are made into.
  var saveWishes: [StudioSave] = []
  /// How many parts of reviews could not be saved.
  var saveFailures = 0
  var clips: [StudioState.ClipInProgress] = []
  var library = 0

  /// How the session stands; `nil` where no camera is open.
  var status: SessionStatus? { session?.status }

  /// What the studio does.
  var phase: StudioState.Phase { phase(status) }

  private func phase(_ status: SessionStatus?) -> StudioState.Phase {
    switch stage {
    case .none: .noCamera
    case .opening: .starting
    case .failed: fatalInterruption == nil ? .failed : .interrupted
    case .open:
      switch status?.phase {
      case .armed: .armed
      case .recording: .filming
      case .gathering: .gathering
      case .reviewing where status?.reviewCount == reviewLetGo: .starting
      case .reviewing: saveWishes.isEmpty ? .reviewing : .saving
      case .interrupted: .interrupted
      case .starting, .ending, .ended, nil: .starting
      }
    }
  }

  /// Whether a take is filmed, gathered, reviewed or saved.
  var isAtWork: Bool { [.filming, .gathering, .reviewing, .saving].contains(phase) }

  /// Whether frames are reviewed; parts of them may be on their way to the disk.
  var isReviewing: Bool { [.reviewing, .saving].contains(phase) }

  /// The state at one moment.
  func state() -> StudioState { state(status) }

  /// The state where the session stands as `status` says.
  func state(_ status: SessionStatus?) -> StudioState {
    let phase = phase(status)
    let bytesPerSecond = bytesPerSecond(status)
    var disk = disk
    let free = disk.map { Double($0.freeBytes) } ?? 0
    disk?.secondsLeft = bytesPerSecond.map { free / $0 }
    let isCapturing = [.armed, .filming, .gathering].contains(phase)
    return StudioState(
      version: Version.current, phase: phase, camera: camera,
      acceptedFramesPerSecond: acceptedFramesPerSecond,
      measuredFramesPerSecond: isCapturing ? status?.framesPerSecond : nil, problem: problem,
      interruption: interruption(status), settings: settings, held: held(status), take: take(status, phase),
      framesLost: status?.frames.lost.total ?? 0, ringFill: min(1, status?.ring?.fill ?? 0),
      ringSeconds: bytesPerSecond.map { Double(status?.ring?.capacity ?? 0) / $0 }, disk: disk, audio: audio,
      motion: motion, photosInProgress: stills.count + motionPhotos.values.reduce(0, +),
      review: [.reviewing, .saving].contains(phase) ? review(status) : nil, clips: clips, library: library)
  }

  private func interruption(_ status: SessionStatus?) -> StudioState.Interruption? {
    guard let interruption = status?.interruption else { return fatalInterruption }
    return StudioState.Interruption(
      reason: interruption.reason.rawValue, message: interruption.failure?.description,
      waitsForResume: interruption.waitsForResume)
  }

  /// How much of the pre-roll is in memory.
  private func held(_ status: SessionStatus?) -> Duration {
    switch status?.phase {
    case .gathering?: status?.held ?? .zero
    case .armed?, .reviewing?: min(status?.held ?? .zero, settings.preRoll)
    default: .zero
    }
  }

  private func take(_ status: SessionStatus?, _ phase: StudioState.Phase) -> StudioState.TakeInProgress? {
    guard let status, phase == .filming || phase == .gathering else { return nil }
    let number = status.takeNumber
    return StudioState.TakeInProgress(
      number: number, kind: motionPhotos[number] == nil || wanted.contains(number) ? .take : .motionPhoto,
      trigger: triggers[number], duration: status.take?.duration ?? status.held,
      written: status.take?.frames.written ?? 0, lost: status.framesLost,
      bytes: status.take?.bytesWritten ?? 0)
  }

  private func review(_ status: SessionStatus?) -> StudioState.Review? {
    guard let status, let review = status.review else { return nil }
    let rate = status.configuration.mode.rate?.framesPerSecond
    return StudioState.Review(
      id: formerReviews + status.reviewCount, frames: review.count, trigger: review.triggerIndex,
      duration: review.duration,
      interval: rate.map { .nanoseconds(Int64(clamping: 1e9 / $0.doubleValue)) } ?? .zero,
      lost: review.lost, saved: saved)
  }

  /// What the camera gives, by what is in the take or in memory; `nil` where it is not known.
  func bytesPerSecond(_ status: SessionStatus?) -> Double? {
    guard let status else { return nil }
    let seconds = (status.take?.duration ?? status.held) / .seconds(1)
    let bytes = status.take.map { Double($0.bytesWritten) } ?? Double(status.ring?.fillBytes ?? 0)
    return seconds > 0.2 && bytes > 0 ? bytes / seconds : nil
  }

  /// What nothing is known of before the next camera's first frame.
  mutating func forgetCamera() {
    formerReviews += status?.reviewCount ?? 0
    (stage, session) = (.opening, nil)
    acceptedFramesPerSecond = nil
    problem = nil
    fatalInterruption = nil
    triggers = [:]
    audio = nil
    motion = nil
    motionPhotos = [:]
    photoTimes = [:]
    wanted = []
    stills = []
    ended = []
    lastReason = nil
    lastFailure = nil
    reviewLetGo = 0
    saved = []
    saving = [:]
    saveWishes = []
  }
}

/// What becomes of a part of a review.
struct StudioSave: Hashable, Sendable {
  var part: StudioState.Review.Part
  var speed: String?
  var label: String?
}
