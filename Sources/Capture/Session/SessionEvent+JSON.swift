import Cameras
import Timebase

extension SessionEvent: Encodable {
  enum CodingKeys: String, CodingKey {
    case event, take, trigger, text, outcome, reason, message, frames, mode, camera, progress, recording
    case name, value, written, lost, clip, takes, id, file
    case inProgress = "in_progress"
    case time = "time_ns"
    case heldNanoseconds = "held_ns"
    case framesPerSecond = "fps"
    case ringFill = "ring_fill"
    case bytes = "bytes"
    case limitFill = "limit_fill"
    case gap = "gap_ns"
    case acceptedInterval = "accepted_interval"
    case fourcc, width, height
    case sequence, score, factor
  }

  /// The event's name: `take_started`, `progress` and so on.
  public var name: String {
    switch kind {
    case .started: "started"
    case .armed: "armed"
    case .triggered: "triggered"
    case .takeStarted: "take_started"
    case .progress: "progress"
    case .lost: "lost"
    case .takeEnded: "take_ended"
    case .clipReady: "clip_ready"
    case .photo(_, let stage, _): stage.name
    case .controlChanged: "control_changed"
    case .lightChanged: "light_changed"
    case .sceneChanged: "scene_changed"
    case .reviewing: "reviewing"
    case .modeChanged: "mode_changed"
    case .interrupted: "interrupted"
    case .interruptionEnded: "interruption_ended"
    case .error: "error"
    case .ended: "ended"
    }
  }

  /// Encodes the event: its name, its time, and the fields of its kind. Unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(name, forKey: .event)
    try keys.encode(time, forKey: .time)
    switch kind {
    case .started(let configuration, _): try keys.encode(configuration)
    case .armed(let take): try keys.encode(take, forKey: .take)
    case .triggered(let event, let answer): try keys.encode(event, answer)
    case .takeStarted(let take, let trigger):
      try keys.encode(take, forKey: .take)
      try keys.encode(trigger?.kind, forKey: .trigger)
    case .progress(let status): try keys.encode(status)
    case .lost(let take, let frames):
      try keys.encode(take, forKey: .take)
      try keys.encode(frames, forKey: .frames)
    case .takeEnded(let take, let result): try keys.encode(take, result)
    case .clipReady(let take, let path):
      try keys.encode(take, forKey: .take)
      try keys.encode(path.string, forKey: .clip)
    case .photo(let request, let stage, let count):
      try keys.encode(request.id, forKey: .id)
      try keys.encode(count, forKey: .inProgress)
      switch stage {
      case .willBegin, .willCapture, .processed: break
      case .captured(let sequence, _): try keys.encode(sequence, forKey: .sequence)
      case .written(let path): try keys.encode(path.string, forKey: .file)
      case .failed(let reason): try keys.encode(reason, forKey: .message)
      }
    case .controlChanged(let outcome):
      try keys.encode(outcome.change.name, forKey: .name)
      try keys.encode(outcome.after ?? outcome.change.value, forKey: .value)
    case .lightChanged(let factor): try keys.encode(factor, forKey: .factor)
    case .sceneChanged(let change):
      try keys.encode(change.sequence, forKey: .sequence)
      try keys.encode(change.score, forKey: .score)
    case .reviewing(let frames): try keys.encode(frames, forKey: .frames)
    case .modeChanged(let configuration, let gap):
      try keys.encode(configuration)
      try keys.encode(gap.wholeNanoseconds, forKey: .gap)
    case .interrupted(let reason, let error):
      try keys.encode(reason.rawValue, forKey: .reason)
      try keys.encode(error?.description, forKey: .message)
    case .interruptionEnded(let reason): try keys.encode(reason.rawValue, forKey: .reason)
    case .error(let error): try keys.encode(error.description, forKey: .message)
    case .ended(let end):
      try keys.encode(end.takeCount, forKey: .takes)
      try keys.encode(end.failure?.description, forKey: .message)
    }
  }
}

extension PhotoStage {
  /// The name of the stage's event.
  fileprivate var name: String {
    switch self {
    case .willBegin: "photo_will_begin"
    case .willCapture: "photo_will_capture"
    case .captured: "photo_captured"
    case .processed: "photo_processed"
    case .written: "photo_written"
    case .failed: "photo_failed"
    }
  }
}

extension KeyedEncodingContainer<SessionEvent.CodingKeys> {
  fileprivate mutating func encode(_ configuration: StreamConfiguration) throws {
    let frames = configuration.frameFormat
    try encode(frames.pixelFormat.description, forKey: .fourcc)
    try encode(frames.width, forKey: .width)
    try encode(frames.height, forKey: .height)
    try encode(frames.acceptedInterval, forKey: .acceptedInterval)
  }

  fileprivate mutating func encode(_ event: TriggerEvent, _ answer: TriggerOutcome) throws {
    try encode(event.kind, forKey: .trigger)
    try encode(event.text, forKey: .text)
    try encode(event.frame?.sequence, forKey: .sequence)
    try encode(event.frame?.score, forKey: .score)
    try encode(answer.name, forKey: .outcome)
    try encode(answer.take, forKey: .take)
  }

  fileprivate mutating func encode(_ status: SessionStatus) throws {
    try encode(status.takeNumber, forKey: .take)
    if status.take == nil { try encode(status.held.wholeNanoseconds, forKey: .heldNanoseconds) }
    try encode(status.take?.frames.written ?? 0, forKey: .written)
    try encode(status.framesLost, forKey: .lost)
    try encode(status.take?.framesPerSecond, forKey: .framesPerSecond)
    try encode(status.ring?.fill ?? 0, forKey: .ringFill)
    try encode(status.take?.bytesWritten ?? 0, forKey: .bytes)
    try encode(status.take?.limitFill, forKey: .limitFill)
  }

  fileprivate mutating func encode(_ take: Int, _ result: Result<Recording, CaptureError>) throws {
    try encode(take, forKey: .take)
    switch result {
    case .success(let recording):
      try encode(recording.accounting.written, forKey: .written)
      try encode(recording.accounting.lost.total, forKey: .lost)
      try encode(recording.accounting.measuredFramesPerSecond, forKey: .framesPerSecond)
      try encode(recording.failure?.description, forKey: .message)
    case .failure(let error): try encode(error.description, forKey: .message)
    }
  }
}
