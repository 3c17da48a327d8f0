import Timebase

/// The measurements of a session's streams: their frames, their rate, and how full the ring is.
struct StreamGauge {
  /// The counts of the stream's frames.
  private(set) var frames = StreamFrames()
  private var newest: SessionStatus.LatestFrame?
  private var pace = FramePace()
  private var trend = RingTrend()
  /// The most bytes that waited in the ring since the take began.
  private(set) var ringPeak = 0
  /// The most bytes that waited in any ring.
  private(set) var ringPeakOverall = 0

  /// Another stream is opened.
  mutating func streamBegins() { (frames, newest, pace) = (StreamFrames(), nil, FramePace()) }

  /// The writer looks at a ring in which so many bytes wait.
  mutating func look(fillBytes: Int) { ringPeak = max(ringPeak, fillBytes) }

  /// Enters a record that was found in the ring.
  mutating func enter(_ record: RingRecord) {
    frames.enter(record)
    guard record.kind == .frame else { return }
    newest = SessionStatus.LatestFrame(
      sequence: record.sequence, timestamp: record.timestamp, sent: frames.sent)
  }

  /// Enters what became of a frame that has left the ring.
  mutating func leave(to place: StreamFrames.Place) { frames.leave(to: place) }

  /// Measures what changes with time; about ten times a second.
  mutating func sample(fillBytes: Int, at now: Instant) {
    trend.enter(fillBytes, at: now)
    if let newest { pace.note(newest) }
  }

  /// A take begins. While armed, the ring fills up to the pre-roll only, which is no trend.
  mutating func takeBegins(fillBytes: Int) {
    trend = RingTrend()
    ringPeak = fillBytes
  }

  /// A take or a stream ends.
  mutating func notePeak() { ringPeakOverall = max(ringPeakOverall, ringPeak) }

  /// The ring goes, with all that waits in it.
  mutating func ringGoes() { frames.letAllGo() }

  /// Enters what is measured into `status`, of the ring of `run`.
  ///
  /// - Parameter isRecording: whether the ring is emptied into a take.
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
