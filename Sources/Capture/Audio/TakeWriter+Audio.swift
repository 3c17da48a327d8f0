import Platform
import Media
import Timebase

extension TakeWriter {
  /// What came of a block of audio.
  enum AudioProgress: Hashable {
    /// The take needs nothing of it in front of this sample.
    case used(upTo: Int)
    /// It cannot be written yet: the disk or the picture has to catch up.
    case waits
    /// The take's audio is complete, and ends in front of this sample.
    case complete(at: Int)
  }

  /// Writes what belongs to the take of a block.
  ///
  /// - Parameters:
  ///   - from: the samples in front of this one have been used.
  ///   - end: when the take's last frame ends; `nil` while more come. Until then, audio stays behind the picture.
  ///   - waits: whether nothing is written that would wait for a disk.
  mutating func writeAudio(
    _ block: AudioBlock, from: Int, until end: Instant?, waits: Bool = true
  ) -> AudioProgress {
    guard var audio else { return end == nil ? .used(upTo: block.count) : .complete(at: from) }
    guard let start = accounting.timestamps.first, let newest = accounting.timestamps.last else {
      return .waits
    }
    guard !hasFailed else { return end == nil ? .used(upTo: block.count) : .complete(at: from) }
    guard end != nil || heldAudio == nil && block.end <= newest,
      !waits || isReady(forBytes: block.bytes.count)
    else { return .waits }
    let use = audio.use(block, from: from, start: start, end: end)
    self.audio = audio
    switch use {
    case .silence:
      // The rest of a long silence is for the next time.
      writeOwedSilence()
      return waits && (self.audio?.owedSilence ?? 0) > 0 ? .waits : .used(upTo: from)
    case .skip(let index): return .used(upTo: index)
    case .ends(let index): return .complete(at: index)
    case .write(let range):
      let size = block.format.sampleBytes
      let bytes = UnsafeRawBufferPointer(
        rebasing: block.bytes[range.lowerBound * size..<range.upperBound * size])
      if writeAudio(bytes, at: block.time(of: range.lowerBound)) { self.audio?.wrote(range, of: block) }
      return .used(upTo: range.upperBound)
    }
  }

  /// Writes silence in place of all audio that is missing until `end`, and expects none any more. Returns whether all
  /// is written.
  ///
  /// - Parameter pieces: the most seconds that are written now.
  mutating func completeAudio(until end: Instant, atMost pieces: Int) -> Bool {
    guard let start = accounting.timestamps.first else { return true }
    audio?.giveUp(start: start, end: end)
    for _ in 0..<pieces {
      guard let audio, audio.owedSilence > 0, !hasFailed else { return true }
      guard isReady(forBytes: audio.accounting.input.format.rate * audio.accounting.input.format.sampleBytes)
      else { return false }
      writeOwedSilence()
    }
    return (audio?.owedSilence ?? 0) == 0
  }

  /// Writes at most a second of the silence that is owed.
  private mutating func writeOwedSilence() {
    guard let audio, audio.owedSilence > 0 else { return }
    let format = audio.accounting.input.format
    let count = min(audio.owedSilence, Int64(format.rate))
    let zeros = [UInt8](repeating: 0, count: Int(count) * format.sampleBytes)
    let isWritten = zeros.withUnsafeBytes { writeAudio($0, at: nil) }
    if isWritten { self.audio?.wroteSilence(count) }
  }

  private mutating func writeAudio(_ bytes: UnsafeRawBufferPointer, at time: Instant?) -> Bool {
    guard heldAudio == nil else {
      heldAudio?.enter(bytes, at: time)
      return true
    }
    do throws(OvercrankError) { try output?.writeAudio(bytes, at: time) } catch {
      diskFailure = error
      return false
    }
    return true
  }

  /// Holds audio back from now on, to write it in one piece at the end, where the file may not grow beyond a limit.
  mutating func holdAudio() {
    guard let audio, sizeLimit != nil, heldAudio == nil else { return }
    heldAudio = HeldAudio(before: audio)
  }

  /// Writes the end of the audio, where that was held back.
  mutating func writeHeldAudio() {
    guard let held = heldAudio.take(), !held.bytes.isEmpty else { return }
    // It is in the take only once it is in the file.
    let isWritten = !hasFailed && held.bytes.withUnsafeBytes { writeAudio($0, at: held.time) }
    if !isWritten { audio = held.before }
  }
}

/// The end of a take's audio, near the limit of its file: its packets have their place in an index, whose size must be
/// known before they come.
struct HeldAudio {
  /// The audio without it.
  let before: TakeAudio
  private(set) var bytes: [UInt8] = []
  /// When its first sample was heard; `nil` where it begins with silence.
  private(set) var time: Instant?

  init(before: TakeAudio) { self.before = before }

  mutating func enter(_ samples: UnsafeRawBufferPointer, at time: Instant?) {
    if bytes.isEmpty { self.time = time }
    bytes.append(contentsOf: samples)
  }
}
