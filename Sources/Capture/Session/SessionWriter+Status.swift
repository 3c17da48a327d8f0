import Timebase

extension SessionWriter {
  /// How long the writer sleeps when there is nothing to do.
  ///
  /// The capture thread must not wake the writer, because that would be a system call per frame. So
  /// the writer looks for frames itself: often enough that the ring hardly fills meanwhile, but not
  /// more often, because a look costs more than the frame that it finds. While armed, a trigger is
  /// seen up to one nap later.
  var nap: Duration {
    // Somebody may be leafing through the frames.
    if state.isReviewing { return .milliseconds(2) }
    guard let run, !run.isOver else { return .milliseconds(20) }
    guard state.isFilming else { return .milliseconds(5) }
    let frames = run.ring.capacity / RingLayout.recordBytes(payload: run.configuration.plausibleFrame)
    let interval = min(run.configuration.frameFormat.nominalInterval ?? .zero, .seconds(1))
    return min(max(interval * frames / 16, .milliseconds(1)), .milliseconds(20))
  }

  /// Publishes how the session stands, and returns that.
  ///
  /// All that is told of the session is told from here, so the counts of a moment are those of one moment.
  @discardableResult func publish() -> SessionStatus {
    reviews.follow(state, run)
    var status = state.status
    gauge.measure(&status, run, isRecording: take != nil)
    if state.isFilming {
      // One that has just begun has no frame yet.
      status.take = take?.status ?? SessionStatus.TakeStatus()
      status.take?.waitsForDisk = waitsForDisk
    }
    status.review = reviews.status
    status.reviewCount = reviews.count
    return board.publish(status)
  }
}
