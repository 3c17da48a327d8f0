import Timebase

/// The measurements of a session's streams: their frames, their rate, and the fill of the ring.
struct StreamGauge {
  /// The counts of the stream's frames.
  private(set) var frames = StreamFrames()
  private var newest: SessionStatus.LatestFrame?
  private var pace = FramePace()
  private var trend = RingTrend()
  /// The peak fill of the ring since the take began, in bytes.
  private(set) var ringPeak = 0

  /// Resets the counts for another stream.
  mutating func streamBegins() { (frames, newest, pace) = (StreamFrames(), nil, FramePace()) }

  /// Records the fill of the ring, in bytes.
  mutating func look(fillBytes: Int) { ringPeak = max(ringPeak, fillBytes) }

  /// Adds a record found in the ring.
  mutating func enter(_ record: RingRecord) {
    frames.enter(record)
    guard record.kind == .frame else { return }
    newest = SessionStatus.LatestFrame(
      sequence: record.sequence, timestamp: record.timestamp, sent: frames.sent)
  }

  /// Records the fate of a frame that has left the ring.
  mutating func leave(to place: StreamFrames.Place) { frames.leave(to: place) }

  /// Samples the measurements that change with time, about ten times a second.
  mutating func sample(fillBytes: Int, at now: Instant) {
    trend.enter(fillBytes, at: now)
    if let newest { pace.note(newest) }
  }

  /// Resets the trend and the peak at the start of a take. While armed, the ring only fills up to the
  /// pre-roll, which is not a trend.
  mutating func takeBegins(fillBytes: Int) {
    trend = RingTrend()
    ringPeak = fillBytes
  }

  /// Counts the frames in the ring as discarded, because it is released.
  mutating func ringGoes() { frames.letAllGo() }

  /// Copies the measurements into `status`, with those of the ring of `run`.
  ///
  /// - Parameter isRecording: Whether the ring is emptied into a take.
  func measure(_ status: inout SessionStatus, _ run: CaptureRun?, isRecording: Bool) {
    status.frames = frames
    status.newest = newest
    guard let run else { return }
    status.framesPerSecond = pace.framesPerSecond
    status.ring = SessionStatus.RingStatus(
      capacity: run.ring.capacity, fillBytes: run.ring.fillBytes,
      timeUntilFull: isRecording ? trend.timeUntilFull(run.ring.capacity) : nil)
  }
}
