import Platform
import Media
import Takes
import Timebase

/// The frames that a master has so far which is still being written.
struct GrowingFrames: Sendable {
  let film: GrowingMaster.Film
  /// What the file will say that it holds.
  private(set) var track: VideoTrack
  private var frames: [GrowingMaster.Frame] = []
  /// Their numbers and times as the take will have them.
  private var accounting = FrameAccounting()

  init(_ film: GrowingMaster.Film) {
    self.film = film
    track = film.track
  }

  var count: Int { frames.count }

  mutating func add(_ more: [GrowingMaster.Frame]) {
    for frame in more { accounting.enterWritten(sequence: frame.sequence, at: frame.timestamp) }
    if frames.isEmpty, let first = more.first, track.codec == .mjpeg,
      let read = try? track.read(from: film.packet(of: first, 0))
    {
      track = read
    }
    frames += more
  }

  /// When they were captured.
  var timing: [FrameTiming] {
    .init(
      accounting.sequences, accounting.timestamps, hasReliableSequence: accounting.hasReliableSequence)
  }

  /// Frame `index`; `nil` where it is not there yet.
  ///
  /// - Throws: `inputOutput` where the disk failed.
  func packet(_ index: Int) throws(OvercrankError) -> Packet? {
    try frames.indices.contains(index) ? film.packet(of: frames[index], index) : nil
  }
}

extension [FrameTiming] {
  /// The frames of a take by the camera's own numbers and times.
  init(
    _ sequences: some Sequence<Int64>, _ timestamps: some Sequence<Instant>, hasReliableSequence: Bool
  ) {
    // Numbers that do not go up tell nothing of losses; the times do.
    self = zip(sequences, timestamps).map {
      FrameTiming(sequence: hasReliableSequence ? $0 : nil, timestamp: $1)
    }
  }
}
