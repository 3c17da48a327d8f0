import AudioModel
import Takes
import Timebase

/// The audio of a take while it is written: which samples belong to it, and how much silence it owes for what
/// was lost. A value; ``TakeWriter`` writes what it says.
struct TakeAudio {
  private(set) var accounting: AudioAccounting
  /// The number, in the stream, of the sample that follows those written; `nil` before the first.
  private var next: Int64?
  /// Samples of silence that come before anything else.
  private(set) var owedSilence: Int64 = 0
  /// Whether no further sample belongs to it.
  private(set) var isComplete = false
  /// How many samples its file has room for; `nil` for any number.
  var limit: Int64?

  init(_ input: AudioInput) { accounting = AudioAccounting(input) }

  private var rate: Double { Double(accounting.input.format.rate) }

  /// By how much a device may be faster than it says, and how far apart the delays of its times may be. What goes
  /// beyond both has no place in the take: audio that comes faster than time goes by, or a number that jumps.
  private static let tolerance = (rate: 1.1, delay: Duration.milliseconds(100))

  /// The most samples that a take from `start` on has at `moment`, whatever its device says.
  private func most(at moment: Instant, since start: Instant) -> Int64 {
    let length = max(.zero, moment - start) * Self.tolerance.rate + Self.tolerance.delay
    return Int64(clamping: (length / .seconds(1) * rate).rounded())
  }

  /// How many more samples its file has room for.
  private var room: Int64 { limit.map { max(0, $0 - accounting.sampleCount) } ?? .max }

  /// What is to be done with a block.
  enum Use: Hashable {
    /// Silence is owed first.
    case silence
    /// These samples are written; it is done with those in front of them.
    case write(Range<Int>)
    /// It needs none of it before this sample.
    case skip(to: Int)
    /// It ends in front of this sample.
    case ends(at: Int)
  }

  /// What is to be done with the samples of `block` from `from` on.
  ///
  /// - Parameters:
  ///   - start: when the take's first frame was captured.
  ///   - end: when its last one ends; `nil` while it goes on.
  mutating func use(_ block: AudioBlock, from: Int, start: Instant, end: Instant?) -> Use {
    if owedSilence > 0 { return .silence }
    if isComplete { return .ends(at: from) }
    let last = end.map { block.index(at: $0) } ?? block.count
    guard let next else {
      let first = max(from, block.index(at: start))
      if first >= block.count { return .skip(to: block.count) }
      if first >= last { return complete(at: first) }
      // A microphone that began after the picture.
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
    // What was written as silence meanwhile is not written again.
    let first = min(from + Int(clamping: -gap), block.count)
    if first >= last { return last < block.count ? complete(at: max(first, last)) : .skip(to: block.count) }
    return write(first..<last, of: block, start: start)
  }

  /// Writes these samples, as far as there is room, and time for them in the take.
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

  /// How many samples there are from `start` to `end` by the device's own account.
  private func nominalCount(from start: Instant, to end: Instant) -> Int64 {
    Int64(clamping: ((end - start) / .seconds(1) * rate).rounded())
  }

  /// How many samples are missing until `end`.
  private func missing(until end: Instant, since start: Instant) -> Int64 {
    guard let sample = accounting.fit.sample(at: end) else { return 0 }
    let count = Int64(clamping: sample.rounded())
    let isCredible = count <= most(at: end, since: start)
    return max(0, (isCredible ? count : nominalCount(from: start, to: end)) - accounting.sampleCount)
  }

  /// How many samples it has at `end`, by what is known of the microphone's clock.
  func sampleCount(at end: Instant, start: Instant) -> Int64 {
    let count =
      accounting.fit.isEmpty
      ? nominalCount(from: start, to: end)
      : accounting.sampleCount + missing(until: end, since: start)
    return max(count, accounting.sampleCount + owedSilence)
  }

  /// Notes that no further sample will come: what is missing until `end` is silence.
  mutating func giveUp(start: Instant, end: Instant) {
    guard !isComplete else { return }
    isComplete = true
    let missing =
      accounting.fit.isEmpty
      ? max(0, nominalCount(from: start, to: end) - accounting.sampleCount - owedSilence)
      : missing(until: end, since: start)
    owedSilence += min(missing, max(0, room - owedSilence))
  }

  /// Notes that samples of a block were written.
  mutating func wrote(_ range: Range<Int>, of block: AudioBlock) {
    next = block.position + Int64(range.upperBound)
    accounting.enterWritten(Int64(range.count), at: block.time(of: range.lowerBound))
  }

  /// Notes that `count` samples of silence were written.
  mutating func wroteSilence(_ count: Int64) {
    owedSilence -= count
    accounting.enterLost(count)
  }
}
