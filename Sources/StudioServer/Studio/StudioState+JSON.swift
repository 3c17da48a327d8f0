extension StudioState {
  enum CodingKeys: String, CodingKey {
    case version, phase, camera, problem, interruption, settings, take, disk, folder, audio, motion, review,
      clips, library, cameras
    case acceptedFramesPerSecond = "accepted_fps"
    case measuredFramesPerSecond = "measured_fps"
    case held = "held_ns"
    case framesLost = "frames_lost"
    case ringFill = "ring_fill"
    case ringSeconds = "ring_seconds"
    case photosInProgress = "photos_in_progress"
  }
}

extension StudioState.Member {
  enum CodingKeys: String, CodingKey {
    case letter, camera, written, problem
    case acceptedFramesPerSecond = "accepted_fps"
    case measuredFramesPerSecond = "measured_fps"
    case framesLost = "frames_lost"
    case ringFill = "ring_fill"
  }
}

extension StudioState.Disk {
  enum CodingKeys: String, CodingKey {
    case freeBytes = "free_bytes"
    case secondsLeft = "seconds_left"
  }
}

extension StudioState.Interruption {
  enum CodingKeys: String, CodingKey {
    case reason, message
    case waitsForResume = "waits_for_resume"
  }
}

extension StudioState.TakeInProgress {
  enum CodingKeys: String, CodingKey {
    case number, kind, trigger, written, lost, bytes
    case duration = "duration_ns"
  }
}

extension StudioState.Review {
  enum CodingKeys: String, CodingKey {
    case id, frames, trigger, lost, saved
    case duration = "duration_ns"
    case interval = "interval_ns"
    case isMemoryFull = "is_memory_full"
  }
}
