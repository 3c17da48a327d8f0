import CameraModel
import Capture
import Overcrank
import Platform
import SystemPackage
import Timebase

/// What a studio knows, from which its state is told.
struct StudioModel {
  /// What the studio does.
  var phase = StudioState.Phase.starting
  var settings = StudioSettings()
  var camera: StudioState.Camera?
  var acceptedFramesPerSecond: Double?
  var problem: StudioError?
  var interruption: StudioState.Interruption?
  /// Why frames stopped coming last.
  var lastReason: String?
  /// What failed last, in words.
  var lastFailure: String?
  var progress: RecordingProgress?
  /// What triggered the take in progress.
  var trigger: String?
  var ringBytes = 0
  var pace = FramePace()
  var disk: StudioState.Disk?
  var audio: StudioState.Audio?
  var motion: StudioState.Motion?
  /// The stills that were asked for and are not written yet.
  var stills: Set<StillRequest> = []
  /// The newest take that was begun, or is gathered; 0 before any.
  var begun = 0
  /// The takes whose end was dealt with.
  var ended: Set<Int> = []
  /// The takes in progress that become Motion Photos, and how many of them.
  var motionPhotos: [Int: Int] = [:]
  /// When these were asked for.
  var photoTimes: [Int: [Instant]] = [:]
  /// The takes that were asked for as such, by whatever else they become.
  var wanted: Set<Int> = []
  var review: StudioState.Review?
  var reviewCount = 0
  /// The takes of a review that are being written, and the parts that they are.
  var saving: [Int: StudioState.Review.Part] = [:]
  /// What the takes of a review are made into.
  var saveWishes: [StudioSave] = []
  /// How many parts of reviews could not be saved.
  var saveFailures = 0
  var clips: [StudioState.ClipInProgress] = []
  var library = 0

  /// The state at one moment.
  func state() -> StudioState {
    let bytesPerSecond = bytesPerSecond
    var disk = disk
    let free = disk.map { Double($0.freeBytes) } ?? 0
    disk?.secondsLeft = bytesPerSecond.map { free / $0 }
    return StudioState(
      version: Version.current, phase: phase == .reviewing && !saveWishes.isEmpty ? .saving : phase,
      camera: camera, acceptedFramesPerSecond: acceptedFramesPerSecond,
      measuredFramesPerSecond: isCapturing ? pace.framesPerSecond : nil, problem: problem,
      interruption: interruption, settings: settings, held: held, take: take, framesLost: pace.lost,
      ringFill: min(1, progress?.ringFill ?? 0),
      ringSeconds: bytesPerSecond.map { Double(ringBytes) / $0 }, disk: disk, audio: audio, motion: motion,
      photosInProgress: stills.count + motionPhotos.values.reduce(0, +), review: review, clips: clips,
      library: library)
  }

  var isCapturing: Bool { [.armed, .filming, .gathering].contains(phase) }

  /// How much of the pre-roll is in memory.
  private var held: Duration {
    switch progress?.stage {
    case .armed(_, let held)?: min(held, settings.preRoll)
    case .gathering(_, let held)?: held
    default: .zero
    }
  }

  private var take: StudioState.TakeInProgress? {
    guard phase == .filming || phase == .gathering else { return nil }
    var take = StudioState.TakeInProgress(
      number: begun, kind: motionPhotos[begun] == nil || wanted.contains(begun) ? .take : .motionPhoto,
      trigger: trigger, duration: .zero, written: 0, lost: 0, bytes: 0)
    // One that has just begun has no progress of its own yet.
    guard let progress else { return take }
    switch progress.stage {
    case .filming(let number) where number == begun:
      take.duration = progress.duration
      (take.written, take.lost, take.bytes) = (
        progress.framesWritten, progress.framesLost, progress.bytesWritten
      )
    case .gathering(let number, let held) where number == begun:
      (take.duration, take.lost) = (held, progress.framesLost)
    default: break
    }
    return take
  }

  /// What the camera gives; `nil` where it is not known.
  var bytesPerSecond: Double? {
    guard let progress else { return nil }
    switch progress.stage {
    case .filming:
      let seconds = progress.duration / .seconds(1)
      return seconds > 0.2 && progress.bytesWritten > 0 ? Double(progress.bytesWritten) / seconds : nil
    case .armed(_, let held), .gathering(_, let held):
      let seconds = held / .seconds(1)
      let bytes = progress.ringFill * Double(ringBytes)
      return seconds > 0.2 && bytes > 0 ? bytes / seconds : nil
    }
  }

  /// What nothing is known of before the next camera's first frame.
  mutating func forgetCamera() {
    phase = .starting
    acceptedFramesPerSecond = nil
    problem = nil
    interruption = nil
    progress = nil
    trigger = nil
    ringBytes = 0
    pace = FramePace()
    audio = nil
    motion = nil
    motionPhotos = [:]
    photoTimes = [:]
    wanted = []
    stills = []
    begun = 0
    ended = []
    lastReason = nil
    lastFailure = nil
    review = nil
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

/// The rate at which frames come, by their own times.
struct FramePace {
  private var sights: [FrameSight] = []
  /// How many frames were lost since the stream was opened.
  private(set) var lost: Int64 = 0
  private static let span = Duration.seconds(1)

  /// Notes the newest frame.
  mutating func note(_ sight: FrameSight) {
    if let last = sights.last, sight.count < last.count || sight.timestamp < last.timestamp { sights = [] }
    guard sight != sights.last else { return }
    sights.append(sight)
    lost = sight.lost
    while sights.count > 2, sight.timestamp - sights[1].timestamp >= Self.span { sights.removeFirst() }
  }

  /// Frames per second over the newest second; `nil` before two looks.
  var framesPerSecond: Double? {
    guard let first = sights.first, let last = sights.last, last.timestamp > first.timestamp else {
      return nil
    }
    // Frames that were lost were captured all the same.
    return Double(last.count + last.lost - first.count - first.lost)
      / ((last.timestamp - first.timestamp) / .seconds(1))
  }
}
