import Media
import Platform
import Timebase

/// A master while it is made from a part: frames in the journal take precedence, and those between and after
/// them are searched for.
struct RebuiltMaster {
  private(set) var accounting = FrameAccounting()
  private(set) var damagedEntries = 0
  private(set) var unknownBytes: Int64 = 0
  private(set) var cutOffBytes: Int64 = 0
  private(set) var audio: RecoveredAudio?

  private let master: MasterWriter
  private var search: PartSearch
  private let interval: Duration?
  /// The place in the part up to which everything has been searched.
  private var cursor: Int64
  /// The ranges of audio after the cursor, in order.
  private var audioRanges: [Range<Int64>] = []
  /// The number of places since the last valid entry that were damaged or blank.
  private var damaged = 0
  /// Losses after these, which are recorded once the frames before them are known.
  private var held: [JournalEntry] = []

  /// - Parameter interval: the frame interval that the driver promised.
  init(
    _ master: MasterWriter, from search: PartSearch, audio: AudioInput?, interval: Duration?
  ) throws(OvercrankError) {
    self.audio = RecoveredAudio(audio)
    self.master = master
    self.search = search
    self.interval = interval.flatMap { $0 > .zero ? $0 : nil }
    cursor = try search.start()
  }

  /// Processes the content of the journal's next place.
  mutating func enter(_ line: Journal.Line) throws(OvercrankError) {
    try search.file.path.checkRecoveryContinues()
    switch line {
    case .damaged:
      damagedEntries += 1
      damaged += 1
    case .blank: damaged += 1
    case .entry(let entry) where entry.start != nil: break
    case .entry(let entry):
      if case .audio(let offset, let count, let sum, let time) = entry.content {
        return try enterAudio(entry.sequence, at: offset, count, sum, time)
      }
      guard case .frame(let offset, let count, let sum, let nanoseconds, let isReceipt) = entry.content
      else {
        if damaged > 0 { held.append(entry) } else { enterLoss(entry) }
        return
      }
      let time = Instant(nanoseconds: nanoseconds)
      let end = offset.addingReportingOverflow(Int64(count))
      let isInPart = offset >= 0 && !end.overflow && end.partialValue <= search.file.size
      if isInPart, offset > cursor {
        try enterFrames(upTo: offset, before: held.first ?? entry, isAtNumber: held.isEmpty, time: time)
      }
      endGap(before: entry)
      guard isInPart, try write(entry, at: offset, count, sum, time, isReceipt) else {
        accounting.enterLost(sequence: entry.sequence, at: .disk)
        guard isInPart else { return }
        unknownBytes += try search.unknown(in: offset..<end.partialValue)
        cursor = max(cursor, end.partialValue)
        return
      }
      cursor = max(cursor, end.partialValue)
    }
  }

  /// Processes the part after the last frame of the journal.
  mutating func enterTail() throws(OvercrankError) {
    // Damaged entries at the end may have described these very frames.
    let held = held
    self.held = []
    for loss in held {
      accounting.enterGap(before: loss.sequence, at: .disk)
      enterLoss(loss)
    }
    let found = try look(upTo: search.file.size)
    for frame in found.frames {
      let number = accounting.end?.next ?? 0
      let time = accounting.end?.time.map { $0 + usualInterval } ?? Instant(nanoseconds: 0)
      try write(frame, number, time)
    }
  }

  /// Processes the frames up to `end` that have no entry, and that come before `next`.
  ///
  /// - Parameters:
  ///   - isAtNumber: whether `next` is the frame at `end` itself.
  ///   - time: the capture time of the frame at `end`.
  private mutating func enterFrames(
    upTo end: Int64, before next: JournalEntry, isAtNumber: Bool, time: Instant
  ) throws(OvercrankError) {
    var frames = try look(upTo: end).frames[...]
    // No more frames than there are free numbers; the others stay in the part.
    let room = accounting.end == nil ? Int(next.sequence) : accounting.missing(before: next.sequence) ?? 0
    for frame in frames.dropFirst(room) { unknownBytes += Int64(frame.byteCount) }
    frames = frames.prefix(room)
    let count = UInt32(frames.count)
    let before = accounting.end
    for (index, frame) in frames.enumerated() {
      let index = Int64(index)
      guard let before, let start = before.time, isAtNumber, time > start else {
        let ahead = usualInterval * (Int64(count) - index)
        let moment = before?.time.map { $0 + usualInterval * (index + 1) } ?? time - ahead
        try write(frame, (before?.next ?? (next.sequence - count)) &+ UInt32(index), moment)
        continue
      }
      // Times are spread evenly between the neighbours.
      let step = Duration.nanoseconds((time - start).wholeNanoseconds / Int64(room + 1))
      let moment = start + step * (index + 1)
      try write(frame, before.next &+ UInt32(index), moment)
    }
  }

  /// Searches for frames from the cursor to `end`, and moves it there.
  private mutating func look(upTo end: Int64) throws(OvercrankError) -> PartSearch.Findings {
    var all = PartSearch.Findings()
    while cursor < end {
      let audio = audioRanges.first { $0.upperBound > cursor && $0.lowerBound < end }
      let stop = max(cursor, audio?.lowerBound ?? end)
      if stop > cursor {
        let found = try search.frames(in: cursor..<stop)
        all.frames += found.frames
        unknownBytes += found.unknown
        cutOffBytes += found.cutOff
      }
      cursor = max(stop, audio?.upperBound ?? end)
    }
    audioRanges.removeAll { $0.upperBound <= cursor }
    return all
  }

  /// Writes audio as the recording wrote it, and silence if it is damaged or unknown.
  private mutating func enterAudio(
    _ first: UInt32, at offset: Int64, _ count: UInt32, _ sum: ContentChecksum, _ time: Instant?
  ) throws(OvercrankError) {
    guard let audio else { return }
    let (end, isBeyond) = offset.addingReportingOverflow(Int64(count))
    guard offset >= 0, !isBeyond, end <= search.file.size, count > 0,
      Int64(count) % Int64(audio.accounting.input.format.sampleBytes) == 0
    else { return }
    audioRanges.append(offset..<end)
    // Each damaged entry may have described a second at most.
    let most = Int64(damagedEntries + 1) * Int64(audio.accounting.input.format.rate)
    try writeSilence(min(audio.missing(before: first), most))
    let bytes = try bytes(at: offset, count: Int(count))
    let isSound = try bytes.span.bytes.withUnsafeBytes { (samples) throws(OvercrankError) in
      guard sum.matches(samples) else { return false }
      try master.writeAudio(samples, at: time)
      return true
    }
    if isSound {
      self.audio?.append(byteCount: count, at: time)
    } else {
      unknownBytes += try search.unknown(in: offset..<end)
      try writeSilence(Int64(count) / Int64(audio.accounting.input.format.sampleBytes))
    }
  }

  /// Writes silence in place of audio that is lost.
  private mutating func writeSilence(_ samples: Int64) throws(OvercrankError) {
    guard let format = audio?.accounting.input.format else { return }
    var rest = samples
    while rest > 0 {
      let piece = min(rest, Int64(format.rate))
      let zeros = [UInt8](repeating: 0, count: Int(piece) * format.sampleBytes)
      try zeros.span.bytes.withUnsafeBytes { (zeros) throws(OvercrankError) in
        try master.writeAudio(zeros, at: nil)
      }
      audio?.enterSilence(piece)
      rest -= piece
    }
  }

  /// Records what the damaged entries described, and what was not found, by the gaps in the numbers.
  private mutating func endGap(before entry: JournalEntry) {
    guard damaged > 0 else { return }
    for loss in held {
      accounting.enterGap(before: loss.sequence, at: .disk)
      enterLoss(loss)
    }
    accounting.enterGap(before: entry.sequence, at: .disk)
    held = []
    damaged = 0
  }

  private mutating func enterLoss(_ entry: JournalEntry) {
    guard case .lost(let count, let stage) = entry.content else { return }
    accounting.enterLost(sequence: entry.sequence, count: count, at: stage)
  }

  private var usualInterval: Duration { interval ?? .nanoseconds(33_333_333) }

  /// Writes a frame that was found by the search.
  private mutating func write(
    _ frame: PartSearch.Frame, _ number: UInt32, _ time: Instant
  ) throws(OvercrankError) {
    try search.file.path.checkRecoveryContinues()
    let bytes = try bytes(at: frame.offset, count: frame.byteCount)
    try bytes.span.bytes.withUnsafeBytes { (bytes) throws(OvercrankError) in
      try master.write(bytes, sequence: number, timestampNanoseconds: time.nanoseconds)
      accounting.enterWritten(
        sequence: number, at: time, isEstimated: true,
        isDependent: search.format.role(of: bytes) == .dependent)
    }
  }

  /// Writes the frame of `entry`; returns whether its content is what the recording wrote there.
  private mutating func write(
    _ entry: JournalEntry, at offset: Int64, _ count: UInt32, _ sum: ContentChecksum, _ time: Instant,
    _ isTimedAtDequeue: Bool
  ) throws(OvercrankError) -> Bool {
    let bytes = try bytes(at: offset, count: Int(count))
    return try bytes.span.bytes.withUnsafeBytes { (frame) throws(OvercrankError) in
      guard isSound(frame, sum) else { return false }
      try master.write(frame, sequence: entry.sequence, timestampNanoseconds: time.nanoseconds)
      accounting.enterWritten(
        sequence: entry.sequence, at: time, isTimedAtDequeue: isTimedAtDequeue,
        isDependent: search.format.role(of: frame) == .dependent)
      return true
    }
  }

  private func bytes(at offset: Int64, count: Int) throws(OvercrankError) -> [UInt8] {
    return try search.file.bytes(at: offset, count: count)
  }

  private func isSound(_ frame: UnsafeRawBufferPointer, _ sum: ContentChecksum) -> Bool {
    guard !frame.isEmpty, sum.matches(frame) else { return false }
    guard search.format.codec.layout == nil else { return search.frameBytes == frame.count }
    return search.format.codec != .mjpeg || JPEGMarkers.haveBothEnds(frame)
  }
}
