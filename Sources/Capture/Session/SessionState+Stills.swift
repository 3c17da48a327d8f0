/// A still for which an armed session changes to another mode and back.
struct StillModeChange: Hashable {
  private enum Stage: Hashable {
    /// The stream is being stopped.
    case leaving
    /// The camera is in the still's mode, or changing to it; this many frames are still to be skipped.
    case away(framesToSkip: Int)
    /// The still has been taken or given up, and the camera is changing back.
    case returning
    /// The camera has changed back.
    case over
  }

  let request: StillRequest
  /// The configuration to return to.
  let home: SessionConfiguration
  private var stage = Stage.leaving

  init(_ request: StillRequest, home: SessionConfiguration) {
    self.request = request
    self.home = home
  }

  var isAway: Bool { if case .away = stage { true } else { false } }
  var isReturning: Bool { stage == .returning }
  var isOver: Bool { stage == .over }

  /// Records that the stream has ended in good order.
  mutating func streamStopped() {
    if stage == .leaving { stage = .away(framesToSkip: request.skippedFrames) }
  }

  /// Records the first frame of a mode.
  mutating func frameArrived() {
    if stage == .returning { stage = .over }
  }

  /// Counts a frame. Returns whether it is the still.
  mutating func isStillNext() -> Bool {
    guard case .away(let count) = stage else { return false }
    stage = count > 0 ? .away(framesToSkip: count - 1) : .returning
    return count == 0
  }

  /// Gives the still up; only the way back remains.
  mutating func giveUp() { stage = .returning }
}

extension SessionState {
  mutating func takeStill(_ request: StillRequest) -> [SessionAction] {
    do { try Still.checkFormat(of: (request.configuration ?? configuration).mode) } catch {
      return refuse(request, because: error.description)
    }
    guard let wanted = request.configuration else {
      switch phase {
      case .armed, .recording, .gathering: return [.takeStill(request)]
      default: return refuse(request, because: CaptureError.noStream.description)
      }
    }
    if let reason = reasonAgainstDetour { return refuse(request, because: reason) }
    let begin = SessionAction.tell(.photo(request, .willBegin, inProgress: 1))
    guard wanted.mode != configuration.mode else { return [begin, .takeStill(request)] }
    detour = StillModeChange(request, home: configuration)
    stopping = .configure(wanted)
    return [begin, .stopStream]
  }

  /// The reason why the camera cannot change its mode for a still; `nil` if it can.
  private var reasonAgainstDetour: String? {
    // Without a trigger, an armed session only waits for its first frame.
    if isRecording || phase == .armed && (plan.start == .firstFrame || continuation != nil) {
      return
        "A take is being recorded, and a still in another mode would interrupt it. Capture the still before or "
        + "after the take, or in its mode."
    }
    guard phase == .armed, firstFrame != nil else { return CaptureError.noStream.description }
    guard detour == nil else { return CaptureError.stillUnderWay.description }
    guard stopping == nil, former == nil else {
      return "The mode is changing, or the recording is ending. Try again afterwards."
    }
    return nil
  }

  func refuse(_ request: StillRequest, because reason: String) -> [SessionAction] {
    [.tell(.photo(request, .failed(reason), inProgress: 0))]
  }

  /// Takes the still once enough frames have been skipped, and changes back.
  mutating func takeStillOfDetour() -> [SessionAction] {
    // A stopping stream still delivers a few frames.
    guard stopping == nil, let request = detour?.request, let home = detour?.home,
      detour?.isStillNext() == true
    else { return [] }
    stopping = .configure(home)
    return [.takeStill(request), .stopStream]
  }

  /// Handles a failure of the still's mode, or of the change to it or back: the camera returns to the former
  /// mode.
  mutating func detourFailed(_ failure: CaptureError) -> [SessionAction] {
    guard let detour else { return interrupt(by: failure) }
    let wasConfirmed = former == nil
    let actions = giveUpStill(because: failure)
    // Some drivers refuse a mode only when the stream begins.
    let isRefused = detour.isAway && !wasConfirmed && InterruptionReason(failure) != .unplugged
    if detour.isAway || detour.isReturning { adopt(detour.home) }
    // In any case, the camera is not left in the still's mode.
    if former == nil { self.detour = nil }
    return actions + (isRefused ? [.open(configuration)] : interrupt(by: failure))
  }

  /// Reports that the still in another mode failed, unless there is none or it has been taken.
  mutating func giveUpStill(because error: CaptureError) -> [SessionAction] {
    guard let request = detour?.request, detour?.isReturning == false else { return [] }
    detour?.giveUp()
    return refuse(request, because: error.description)
  }
}
