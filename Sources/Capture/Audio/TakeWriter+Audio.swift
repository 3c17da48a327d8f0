import Platform
import Timebase

extension TakeWriter {
  /// The progress with a block of audio.
  enum AudioProgress: Hashable {
    /// The take needs no sample before this one.
    case used(upTo: Int)
    /// The block cannot be written yet: the disk or the picture must catch up.
    case waits
    /// The take's audio is complete and ends before this sample.
    case complete(at: Int)
  }

  /// Writes the samples of a block that belong to the take.
  ///
  /// - Parameters:
  ///   - from: The first sample not used yet.
  ///   - end: The end of the take's last frame; `nil` while more frames come. Until then, audio stays behind
  ///     the picture.
  ///   - waits: Whether to return `waits` instead of blocking on the disk.
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
      // The rest of a long silence is written by later calls.
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

  /// Replaces all audio missing until `end` with silence, and expects no more. Returns whether everything is
  /// written.
  ///
  /// - Parameter pieces: The maximum number of seconds to write now.
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

  /// Writes at most a second of the missing silence.
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

  /// Holds audio back from now on, if the file has a size limit, to write it in one piece at the end.
  mutating func holdAudio() {
    guard let audio, sizeLimit != nil, heldAudio == nil else { return }
    heldAudio = HeldAudio(before: audio)
  }

  /// Writes the held audio.
  mutating func writeHeldAudio() {
    guard let held = heldAudio.take(), !held.bytes.isEmpty else { return }
    // Audio counts as part of the take only if it is in the file.
    let isWritten = !hasFailed && held.bytes.withUnsafeBytes { writeAudio($0, at: held.time) }
    if !isWritten { audio = held.before }
  }
}

/// The last audio of a take near the limit of its file. Its packets need entries in an index whose size must
/// be known in advance, so it is written in one piece.
struct HeldAudio {
  /// The audio state before the held samples.
  let before: TakeAudio
  private(set) var bytes: [UInt8] = []
  /// The time of the first sample; `nil` if the audio begins with silence.
  private(set) var time: Instant?

  init(before: TakeAudio) { self.before = before }

  mutating func enter(_ samples: UnsafeRawBufferPointer, at time: Instant?) {
    if bytes.isEmpty { self.time = time }
    bytes.append(contentsOf: samples)
  }
}
