import AudioModel
import Takes
import Timebase

/// Moves audio from its ring into takes, after the pictures; never waits for a disk or a microphone.
struct AudioFeed {
  let run: AudioRun
  /// How many samples of the oldest block have been moved.
  private var used = 0
  /// Takes whose pictures are complete, the oldest first.
  private var ending: [EndingTake] = []

  /// A take that waits for the last of its audio.
  struct EndingTake {
    var take: TakeInProgress
    var failure: CaptureError?
    /// When its last frame ends, on the frames' clock.
    var end: Instant
    /// When it is waited for no longer, on the session's clock.
    var deadline: Instant
  }

  /// Longer than a microphone's audio takes to come, and than `AudioTimeline.patience`.
  static let patience = Duration.milliseconds(1500)
  /// The most seconds of silence that are written at once.
  private static let mostSilence = 4
  private static let batch = 256

  init(_ run: AudioRun) { self.run = run }

  /// Whether a take waits for the last of its audio.
  var isEnding: Bool { !ending.isEmpty }

  /// Takes over a take whose pictures are complete.
  ///
  /// - Parameter interval: the time between frames.
  mutating func finish(
    _ take: TakeInProgress, failure: CaptureError?, interval: Duration, now: Instant
  ) {
    let end = (take.writer.accounting.timestamps.last ?? now) + interval
    ending.append(EndingTake(take: take, failure: failure, end: end, deadline: now + Self.patience))
  }

  /// What becomes of audio that no take wants yet.
  enum Keeping {
    /// What was heard at this moment or later is kept, on the frames' clock.
    case since(Instant)
    /// All is.
    case all
  }

  /// Moves what has come. Returns the takes that are complete by now.
  ///
  /// - Parameter lag: how much the frames' clock is behind the session's.
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

  /// Whether nothing will come any more.
  private var isOver: Bool { run.ring.isClosed && run.ring.peek() == nil }

  /// Writes what was heard of a part that is saved of a review; the ring keeps it.
  func save(into take: inout TakeInProgress, until end: Instant, lag: Duration) {
    // A ring's reader knows of what came since it last caught up only once it has looked.
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
