import Overcrank

/// The data from which a studio's state is derived.
struct StudioModel {
  /// The start of a take.
  struct Start {
    /// Whether the user started it with Record, which is no trigger.
    var isRecord = false
    /// The time from its start, or its trigger, to its end; `nil` if only a stop ends it.
    var length: Duration?
    /// Whether the user stopped it.
    var isStopped = false
  }

  /// One of the open cameras.
  struct Member {
    let letter: String
    /// The session; `nil` while the camera is ended or opened anew.
    var session: CaptureSession?
    var camera: StudioState.Camera
    var acceptedFramesPerSecond: Double?
    /// The reason that its session has ended; `nil` while it runs.
    var problem: StudioError?
  }

  /// A still of one of the cameras.
  struct Still: Hashable {
    var letter: String
    var request: StillRequest
  }

  /// A take of one of the cameras.
  struct CameraTake: Hashable {
    var letter: String
    var number: Int
  }

  /// The folder for takes.
  var folder = FilePath("")
  /// The stage of the studio's camera.
  enum CameraStage {
    /// No camera.
    case none
    /// A camera that is being opened, or ended for another.
    case opening
    /// An open camera; its session has the details.
    case open
    /// A camera that cannot be used.
    case failed
  }

  var stage = CameraStage.opening
  /// The open cameras, in their order.
  var members: [Member] = []
  /// The letter of the open camera that hears the triggers.
  var lead = GroupCamera.name(0)
  var settings = StudioSettings()
  var problem: StudioError?
  /// The interruption that ended the session; `nil` if none did.
  var fatalInterruption: StudioState.Interruption?
  /// The reason for the current interruption; `nil` if there is none.
  var lastReason: String?
  /// The last failure of each camera, in words, by its letter.
  var lastFailures: [String: String] = [:]
  /// The trigger of each take in progress, by its number; none for a take that was started by Record.
  var triggers: [Int: String] = [:]
  /// The newest take that was started, and its end.
  var newestStart = Start()
  var disk: StudioState.Disk?
  var audio: StudioState.Audio?
  var motion: StudioState.Motion?
  /// The requested stills that are not written yet.
  var stills: Set<Still> = []
  /// The takes whose end has been handled.
  var ended: Set<CameraTake> = []
  /// The number of Motion Photos to make of each take, by its number.
  var motionPhotos: [Int: Int] = [:]
  /// The times at which these were requested.
  var photoTimes: [Int: [Instant]] = [:]
  /// The takes that were requested as such, even if Motion Photos are made of them too.
  var wanted: Set<Int> = []
  /// The number of reviews with earlier cameras.
  var formerReviews = 0
  /// The newest review of the session that was discarded, counted from 1.
  var reviewLetGo = 0
  /// The saved parts of the review.
  var saved: [StudioState.Review.Part] = []
  /// The parts of a review that are being written, by take number.
  var saving: [Int: StudioState.Review.Part] = [:]
  /// The requested saves of parts of a review.
  var saveWishes: [StudioSave] = []
  /// The number of parts that could not be saved.
  var saveFailures = 0
  var clips: [StudioState.ClipInProgress] = []
  var library = 0

  /// The open camera that hears the triggers; `nil` if none is open.
  private var leader: Member? { members.first { $0.letter == lead } ?? members.first }
  /// Its session.
  var session: CaptureSession? { leader?.session }
  /// The session's status; `nil` if no camera is open.
  var status: SessionStatus? { session?.status }
  /// Whether one of several cameras has ended while the others go on.
  var hasLost: Bool { stage == .open && members.contains { $0.problem != nil } }

  /// Changes what is known of the camera of this letter.
  mutating func update(_ letter: String, _ change: (inout Member) -> Void) {
    if let place = members.firstIndex(where: { $0.letter == letter }) { change(&members[place]) }
  }

  /// The studio's phase.
  var phase: StudioState.Phase { phase(status) }

  private func phase(_ status: SessionStatus?) -> StudioState.Phase {
    switch stage {
    case .none: .noCamera
    case .opening: .starting
    case .failed: fatalInterruption == nil ? .failed : .interrupted
    case .open:
      switch status?.phase {
      case .armed: .armed
      case .recording: .recording
      case .gathering: .gathering
      case .reviewing where status?.reviewCount == reviewLetGo: .starting
      case .reviewing: saveWishes.isEmpty ? .reviewing : .saving
      case .interrupted: .interrupted
      case .starting, .ending, .ended, nil: .starting
      }
    }
  }

  /// Whether a take is being recorded, gathered, reviewed or saved.
  var isAtWork: Bool { [.recording, .gathering, .reviewing, .saving].contains(phase) }

  /// Whether frames are being reviewed, even while parts of them are being saved.
  var isReviewing: Bool { [.reviewing, .saving].contains(phase) }

  /// Returns the current state.
  func state() -> StudioState { state(status) }

  /// The number of photos that are requested and not yet written.
  var photosInProgress: Int { stills.count + motionPhotos.values.reduce(0, +) }

  /// Returns the state for a status of the session.
  func state(_ status: SessionStatus?) -> StudioState {
    let phase = phase(status)
    let bytesPerSecond = bytesPerSecond(status)
    let others = members.filter { $0.letter != leader?.letter && $0.problem == nil }
    let more = others.compactMap { self.bytesPerSecond($0.session?.status) }.reduce(0, +)
    var disk = disk
    let free = disk.map { Double($0.freeBytes) } ?? 0
    disk?.secondsLeft = bytesPerSecond.map { free / ($0 + more) }
    let isCapturing = [.armed, .recording, .gathering].contains(phase)
    return StudioState(
      version: Version.current, phase: phase, camera: leader?.camera,
      acceptedFramesPerSecond: leader?.acceptedFramesPerSecond,
      measuredFramesPerSecond: isCapturing ? status?.framesPerSecond : nil, problem: problem,
      interruption: interruption(status), settings: settings, held: held(status), take: take(status, phase),
      framesLost: status?.frames.lost.total ?? 0, ringFill: min(1, status?.ring?.fill ?? 0),
      ringSeconds: bytesPerSecond.map { Double(status?.ring?.capacity ?? 0) / $0 }, disk: disk,
      folder: folder.string, audio: audio, motion: motion,
      photosInProgress: photosInProgress,
      review: [.reviewing, .saving].contains(phase) ? review(status) : nil, clips: clips, library: library,
      cameras: members.map(\.state))
  }

  private func interruption(_ status: SessionStatus?) -> StudioState.Interruption? {
    guard let interruption = status?.interruption else { return fatalInterruption }
    return StudioState.Interruption(
      reason: interruption.reason.rawValue, message: interruption.failure?.description,
      waitsForResume: interruption.waitsForResume)
  }

  /// Returns the duration of the frames in memory that would go into a take.
  private func held(_ status: SessionStatus?) -> Duration {
    switch status?.phase {
    case .gathering?: status?.held ?? .zero
    case .armed?, .reviewing?: min(status?.held ?? .zero, settings.preRoll)
    default: .zero
    }
  }

  private func take(_ status: SessionStatus?, _ phase: StudioState.Phase) -> StudioState.TakeInProgress? {
    guard let status, phase == .recording || phase == .gathering else { return nil }
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
    let interval: Duration = rate.map { .nanoseconds(Int64(clamping: 1e9 / $0.doubleValue)) } ?? .zero
    return StudioState.Review(
      id: formerReviews + status.reviewCount, frames: review.count,
      trigger: newestStart.isRecord ? nil : review.triggerIndex, duration: review.duration,
      interval: interval,
      lost: review.lost, isMemoryFull: isMemoryFull(status, review, interval), saved: saved)
  }

  /// The fill from which a ring counts as full: a session ends a review with up to a quarter still free.
  private static let fullRing = 0.7

  /// Returns whether `review` ended because the ring was full, before its end or a stop.
  private func isMemoryFull(
    _ status: SessionStatus, _ review: SessionStatus.ReviewStatus, _ interval: Duration
  ) -> Bool {
    guard !newestStart.isStopped, let ring = status.ring, ring.fill >= Self.fullRing else { return false }
    guard let length = newestStart.length else { return true }
    guard let last = review.last, let start = review.trigger ?? review.first else { return false }
    return last - start + interval * 2 < length
  }

  /// Returns the camera's bytes per second, measured from the take or the ring; `nil` if unknown.
  func bytesPerSecond(_ status: SessionStatus?) -> Double? {
    guard let status else { return nil }
    let seconds = (status.take?.duration ?? status.held) / .seconds(1)
    let bytes = status.take.map { Double($0.bytesWritten) } ?? Double(status.ring?.fillBytes ?? 0)
    return seconds > 0.2 && bytes > 0 ? bytes / seconds : nil
  }

  /// Resets everything that is unknown before the next camera's first frame.
  mutating func forgetCamera() {
    formerReviews += status?.reviewCount ?? 0
    (stage, lead) = (.opening, GroupCamera.name(0))
    for place in members.indices {
      members[place].session = nil
      members[place].acceptedFramesPerSecond = nil
    }
    problem = nil
    fatalInterruption = nil
    triggers = [:]
    newestStart = Start()
    audio = nil
    motion = nil
    motionPhotos = [:]
    photoTimes = [:]
    wanted = []
    stills = []
    ended = []
    lastReason = nil
    lastFailures = [:]
    reviewLetGo = 0
    saved = []
    saving = [:]
    saveWishes = []
  }
}

extension StudioModel.Member {
  /// The part of it that pages show.
  fileprivate var state: StudioState.Member {
    let status = problem == nil ? session?.status : nil
    let isCapturing = status.map { [.armed, .recording, .gathering].contains($0.phase) } ?? false
    return StudioState.Member(
      letter: letter, camera: camera, acceptedFramesPerSecond: acceptedFramesPerSecond,
      measuredFramesPerSecond: isCapturing ? status?.framesPerSecond : nil,
      framesLost: session?.status.frames.lost.total ?? 0, ringFill: min(1, status?.ring?.fill ?? 0),
      written: isCapturing ? status?.take?.frames.written : nil, problem: problem)
  }
}

/// A request to save a part of a review.
struct StudioSave: Hashable, Sendable {
  var part: StudioState.Review.Part
  var speed: String?
  var label: String?
  /// The other settings of its clip.
  var render = RenderSpec()
}
