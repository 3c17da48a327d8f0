import Timebase

/// Moves audio from its ring into takes, after the pictures; never waits for a disk or a microphone.
struct AudioFeed {
  let run: AudioRun
  /// The number of samples of the oldest block that have been moved.
  private var used = 0
  /// The takes with complete pictures, the oldest first.
  private var ending: [EndingTake] = []

  /// A take that waits for its last audio.
  struct EndingTake {
    var take: TakeInProgress
    var failure: CaptureError?
    /// The end of its last frame, on the frames' clock.
    var end: Instant
    /// The time until which its audio may arrive, on the session's clock.
    var deadline: Instant
  }

  /// Longer than a microphone's audio takes to arrive, and than `AudioTimeline.patience`.
  static let patience = Duration.milliseconds(1500)
  /// The maximum number of seconds of silence written in one pass.
  private static let mostSilence = 4
  private static let batch = 256

  init(_ run: AudioRun) { self.run = run }

  /// Whether a take waits for its last audio.
  var isEnding: Bool { !ending.isEmpty }

  /// Accepts a take with complete pictures.
  ///
  /// - Parameter interval: The time between frames.
  mutating func finish(
    _ take: TakeInProgress, failure: CaptureError?, interval: Duration, now: Instant
  ) {
    let end = (take.writer.accounting.timestamps.last ?? now) + interval
    ending.append(EndingTake(take: take, failure: failure, end: end, deadline: now + Self.patience))
  }

  /// A rule for audio that no take needs yet.
  enum Keeping {
    /// Keep the audio from this moment on, on the frames' clock.
    case since(Instant)
    /// Keep all audio.
    case all
  }

  /// Moves the available audio. Returns the takes that are complete now.
  ///
  /// - Parameter lag: The delay of the frames' clock behind the session's.
  mutating func move(
    into take: inout TakeInProgress?, keeping: Keeping, lag: Duration, now: Instant
  ) -> [EndingTake] {
    var complete: [EndingTake] = []
    for _ in 0..<Self.batch {
      if let first = ending.first, now >= first.deadline || isOver {
        guard ending[0].take.writer.completeAudio(until: first.end, atMost: Self.mostSilence) else { break }
        complete.append(ending.removeFirst())
        continue
      }
      guard let (record, payload) = run.ring.peekContent() else { break }
      var block = AudioBlock(record, payload, run.input.format)
      block.time -= lag
      var progress = TakeWriter.AudioProgress.waits
      if let first = ending.first {
        progress = ending[0].take.writer.writeAudio(block, from: used, until: first.end)
        if case .complete(let index) = progress {
          complete.append(ending.removeFirst())
          progress = .used(upTo: index)
        }
      } else if take != nil {
        progress = take?.writer.writeAudio(block, from: used, until: nil) ?? .waits
      } else if case .since(let oldest) = keeping, block.end < oldest {
        progress = .used(upTo: block.count)
      }
      guard case .used(let index) = progress else { break }
      used = index
      if used >= block.count {
        run.ring.pop { _, _ in }
        used = 0
      }
    }
    return complete
  }

  /// Whether no more audio will come.
  private var isOver: Bool { run.ring.isClosed && run.ring.peek() == nil }

  /// Writes the audio of a clip saved from a review; the ring keeps it too.
  func save(into take: inout TakeInProgress, until end: Instant, lag: Duration) {
    // Scans first, because the consumer knows of new records only after a check.
    while run.ring.scan() != nil {}
    run.ring.forEach { record, payload in
      var block = AudioBlock(record, payload, run.input.format)
      block.time -= lag
      var place = 0
      while place < block.count,
        case .used(let index) = take.writer.writeAudio(block, from: place, until: end, waits: false)
      {
        place = index
      }
    }
    while !take.writer.completeAudio(until: end, atMost: Self.mostSilence) {}
  }
}
