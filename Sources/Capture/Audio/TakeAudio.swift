import AudioModel
import Takes
import Timebase

/// The state of a take's audio while it is written: the samples that belong to it, and the silence that
/// replaces lost ones. A value; ``TakeWriter`` does the writing.
struct TakeAudio {
  private(set) var accounting: AudioAccounting
  /// The stream's number of the sample after those written; `nil` before the first.
  private var next: Int64?
  /// The number of samples of silence to write before anything else.
  private(set) var owedSilence: Int64 = 0
  /// Whether no further sample belongs to the take.
  private(set) var isComplete = false
  /// The number of samples that fit in the file; `nil` if unlimited.
  var limit: Int64?

  init(_ input: AudioInput) { accounting = AudioAccounting(input) }

  private var rate: Double { Double(accounting.input.format.rate) }

  /// The tolerance for a device's rate above its nominal one, and for the variation of its timestamps'
  /// delays. Audio beyond both is left out of the take: it comes faster than real time, or its numbers jump.
  private static let tolerance = (rate: 1.1, delay: Duration.milliseconds(100))

  /// Returns the maximum number of samples at `moment` in a take that begins at `start`, whatever the device
  /// reports.
  private func most(at moment: Instant, since start: Instant) -> Int64 {
    let length = max(.zero, moment - start) * Self.tolerance.rate + Self.tolerance.delay
    return Int64(clamping: (length / .seconds(1) * rate).rounded())
  }

  /// The number of samples that still fit in the file.
  private var room: Int64 { limit.map { max(0, $0 - accounting.sampleCount) } ?? .max }

  /// An action for a block.
  enum Use: Hashable {
    /// Write silence first.
    case silence
    /// Write these samples; those before them are done with.
    case write(Range<Int>)
    /// Skip the samples before this one.
    case skip(to: Int)
    /// End the take before this sample.
    case ends(at: Int)
  }

  /// Decides about the samples of `block` from `from` on.
  ///
  /// - Parameters:
  ///   - start: The capture time of the take's first frame.
  ///   - end: The end of its last frame; `nil` while the take continues.
  mutating func use(_ block: AudioBlock, from: Int, start: Instant, end: Instant?) -> Use {
    if owedSilence > 0 { return .silence }
    if isComplete { return .ends(at: from) }
    let last = end.map { block.index(at: $0) } ?? block.count
    guard let next else {
      let first = max(from, block.index(at: start))
      if first >= block.count { return .skip(to: block.count) }
      if first >= last { return complete(at: first) }
      // The microphone began after the picture.
      let late = (block.time(of: first) - start) / .seconds(1) * rate
      self.next = block.position + Int64(first)
      owedSilence = late >= 1 ? min(Int64(clamping: late.rounded(.down)), room) : 0
      return owedSilence > 0 ? .silence : write(first..<last, of: block, start: start)
    }
    let gap = block.position + Int64(from) - next
    if gap > 0 {
      let room = min(end.map { missing(until: $0, since: start) } ?? gap, room)
      let most = most(at: block.time(of: from), since: start) - accounting.sampleCount
      owedSilence = max(0, min(gap, room, most))
      isComplete = room < gap
      self.next = next + gap
      return owedSilence > 0 ? .silence : use(block, from: from, start: start, end: end)
    }
    // Samples already replaced by silence are not written.
    let first = min(from + Int(clamping: -gap), block.count)
    if first >= last { return last < block.count ? complete(at: max(first, last)) : .skip(to: block.count) }
    return write(first..<last, of: block, start: start)
  }

  /// Writes these samples, as far as the file has room and the take has time for them.
  private mutating func write(_ range: Range<Int>, of block: AudioBlock, start: Instant) -> Use {
    guard room > 0 else { return complete(at: range.lowerBound) }
    let most = most(at: block.time(of: range.upperBound), since: start) - accounting.sampleCount
    guard most > 0 else {
      next = block.position + Int64(range.upperBound)
      return .skip(to: range.upperBound)
    }
    let end = range.lowerBound.adding(clamping: Int(clamping: min(room, most)))
    return .write(range.lowerBound..<min(range.upperBound, end))
  }

  private mutating func complete(at index: Int) -> Use {
    isComplete = true
    return .ends(at: index)
  }

  /// Returns the number of samples from `start` to `end` at the device's nominal rate.
  private func nominalCount(from start: Instant, to end: Instant) -> Int64 {
    Int64(clamping: ((end - start) / .seconds(1) * rate).rounded())
  }

  /// Returns the number of samples missing until `end`.
  private func missing(until end: Instant, since start: Instant) -> Int64 {
    guard let sample = accounting.fit.sample(at: end) else { return 0 }
    let count = Int64(clamping: sample.rounded())
    let isCredible = count <= most(at: end, since: start)
    return max(0, (isCredible ? count : nominalCount(from: start, to: end)) - accounting.sampleCount)
  }

  /// Returns the number of samples until `end`, by the estimate of the microphone's clock.
  func sampleCount(at end: Instant, start: Instant) -> Int64 {
    let count =
      accounting.fit.isEmpty
      ? nominalCount(from: start, to: end)
      : accounting.sampleCount + missing(until: end, since: start)
    return max(count, accounting.sampleCount + owedSilence)
  }

  /// Completes the audio without further samples: silence replaces what is missing until `end`.
  mutating func giveUp(start: Instant, end: Instant) {
    guard !isComplete else { return }
    isComplete = true
    let missing =
      accounting.fit.isEmpty
      ? max(0, nominalCount(from: start, to: end) - accounting.sampleCount - owedSilence)
      : missing(until: end, since: start)
    owedSilence += min(missing, max(0, room - owedSilence))
  }

  /// Records that samples of a block were written.
  mutating func wrote(_ range: Range<Int>, of block: AudioBlock) {
    next = block.position + Int64(range.upperBound)
    accounting.enterWritten(Int64(range.count), at: block.time(of: range.lowerBound))
  }

  /// Records that `count` samples of silence were written.
  mutating func wroteSilence(_ count: Int64) {
    owedSilence -= count
    accounting.enterLost(count)
  }
}
