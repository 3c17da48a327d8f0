import Timebase

extension StudioState {
  private enum CodingKeys: String, CodingKey {
    case version, phase, camera, problem, interruption, settings, take, disk, audio, motion, review, clips,
      library
    case acceptedFramesPerSecond = "accepted_fps"
    case measuredFramesPerSecond = "measured_fps"
    case held = "held_ns"
    case framesLost = "frames_lost"
    case ringFill = "ring_fill"
    case ringSeconds = "ring_seconds"
    case photosInProgress = "photos_in_progress"
  }

  /// Writes the state; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(version, forKey: .version)
    try keys.encode(phase, forKey: .phase)
    try keys.encode(camera, forKey: .camera)
    try keys.encode(acceptedFramesPerSecond, forKey: .acceptedFramesPerSecond)
    try keys.encode(measuredFramesPerSecond, forKey: .measuredFramesPerSecond)
    try keys.encode(problem, forKey: .problem)
    try keys.encode(interruption, forKey: .interruption)
    try keys.encode(settings, forKey: .settings)
    try keys.encode(held.wholeNanoseconds, forKey: .held)
    try keys.encode(take, forKey: .take)
    try keys.encode(framesLost, forKey: .framesLost)
    try keys.encode(ringFill, forKey: .ringFill)
    try keys.encode(ringSeconds, forKey: .ringSeconds)
    try keys.encode(disk, forKey: .disk)
    try keys.encode(audio, forKey: .audio)
    try keys.encode(motion, forKey: .motion)
    try keys.encode(photosInProgress, forKey: .photosInProgress)
    try keys.encode(review, forKey: .review)
    try keys.encode(clips, forKey: .clips)
    try keys.encode(library, forKey: .library)
  }
}

extension StudioState.Disk {
  private enum CodingKeys: String, CodingKey {
    case freeBytes = "free_bytes"
    case secondsLeft = "seconds_left"
  }

  /// Writes the disk; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(freeBytes, forKey: .freeBytes)
    try keys.encode(secondsLeft, forKey: .secondsLeft)
  }
}

extension StudioState.Interruption {
  private enum CodingKeys: String, CodingKey {
    case reason, message
    case waitsForResume = "waits_for_resume"
  }

  /// Writes the interruption; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(reason, forKey: .reason)
    try keys.encode(message, forKey: .message)
    try keys.encode(waitsForResume, forKey: .waitsForResume)
  }
}

extension StudioState.TakeInProgress {
  private enum CodingKeys: String, CodingKey {
    case number, kind, trigger, written, lost, bytes
    case duration = "duration_ns"
  }

  /// Writes the take; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(number, forKey: .number)
    try keys.encode(kind, forKey: .kind)
    try keys.encode(trigger, forKey: .trigger)
    try keys.encode(duration.wholeNanoseconds, forKey: .duration)
    try keys.encode(written, forKey: .written)
    try keys.encode(lost, forKey: .lost)
    try keys.encode(bytes, forKey: .bytes)
  }
}

extension StudioState.Review {
  private enum CodingKeys: String, CodingKey {
    case id, frames, trigger, lost, saved
    case duration = "duration_ns"
    case interval = "interval_ns"
  }

  /// Writes the review; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(id, forKey: .id)
    try keys.encode(frames, forKey: .frames)
    try keys.encode(trigger, forKey: .trigger)
    try keys.encode(duration.wholeNanoseconds, forKey: .duration)
    try keys.encode(interval.wholeNanoseconds, forKey: .interval)
    try keys.encode(lost, forKey: .lost)
    try keys.encode(saved, forKey: .saved)
  }
}
