import Platform
import Media
import Takes
import Timebase

/// The frames so far of a master that is still being written.
struct GrowingFrames: Sendable {
  let video: GrowingMaster.SourceVideo
  /// The track as the finished file will describe it.
  private(set) var track: VideoTrack
  private var frames: [GrowingMaster.Frame] = []
  /// The sequence numbers and times as the take will record them.
  private var accounting = FrameAccounting()

  init(_ video: GrowingMaster.SourceVideo) {
    self.video = video
    track = video.track
  }

  var count: Int { frames.count }

  mutating func add(_ more: [GrowingMaster.Frame]) {
    for frame in more { accounting.enterWritten(sequence: frame.sequence, at: frame.timestamp) }
    if frames.isEmpty, let first = more.first, track.codec == .mjpeg,
      let read = try? track.read(from: video.packet(of: first, 0))
    {
      track = read
    }
    frames += more
  }

  /// The sequence numbers and capture times of the frames.
  var timing: [FrameTiming] {
    .init(
      accounting.sequences, accounting.timestamps, hasReliableSequence: accounting.hasReliableSequence)
  }

  /// Returns the packet of frame `index`; `nil` if it has not arrived yet.
  ///
  /// - Throws: `inputOutput` if the disk failed.
  func packet(_ index: Int) throws(OvercrankError) -> Packet? {
    try frames.indices.contains(index) ? video.packet(of: frames[index], index) : nil
  }
}

extension [FrameTiming] {
  /// Creates the timing of a take's frames from the camera's own numbers and times.
  init(
    _ sequences: some Sequence<Int64>, _ timestamps: some Sequence<Instant>, hasReliableSequence: Bool
  ) {
    // Sequence numbers that do not rise reveal no losses; the times do.
    self = zip(sequences, timestamps).map {
      FrameTiming(sequence: hasReliableSequence ? $0 : nil, timestamp: $1)
    }
  }
}
