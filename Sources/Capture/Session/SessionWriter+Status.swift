extension SessionWriter {
  /// The sleep time of the writer when there is nothing to do.
  ///
  /// The capture thread must not wake the writer, because that would be a system call per frame. So the
  /// writer polls for frames: often enough that the ring hardly fills meanwhile, but not more often, because
  /// a poll costs more than the frame that it finds. While armed, a trigger is noticed up to one nap late.
  var nap: Duration {
    // The user may be stepping through the frames.
    if state.isReviewing { return .milliseconds(2) }
    guard let run, !run.isOver else { return .milliseconds(20) }
    guard state.isRecording else { return .milliseconds(5) }
    let frames = run.ring.capacity / RingLayout.recordBytes(payload: run.configuration.plausibleFrame)
    let interval = min(run.configuration.frameFormat.nominalInterval ?? .zero, .seconds(1))
    return min(max(interval * frames / 16, .milliseconds(1)), .milliseconds(20))
  }

  /// Publishes the session's status, and returns it.
  ///
  /// All reports about the session come from here, so that their counts are from the same moment.
  @discardableResult func publish() -> SessionStatus {
    reviews.follow(state, run)
    var status = state.status
    gauge.measure(&status, run, isRecording: take != nil)
    if state.isRecording {
      // A take that has just begun has no frame yet.
      status.take = take?.status ?? SessionStatus.TakeStatus()
      status.take?.waitsForDisk = waitsForDisk
    }
    status.review = reviews.status
    status.reviewCount = reviews.count
    return board.publish(status)
  }
}
