import Media
public import Platform
public import SystemPackage
public import Takes
import Timebase

/// What came of reading a take's files to their ends.
public struct TakeVerification: Hashable, Sendable {
  /// Something that is not as the take says.
  public struct Finding: Hashable, Sendable {
    /// The file.
    public let file: FilePath
    /// What is wrong with it.
    public let words: String
  }

  /// The take file.
  public let take: FilePath
  /// Frames that were read, by file.
  public private(set) var frames: [FilePath: Int] = [:]
  /// What is not as it should be; empty where all is well.
  public private(set) var findings: [Finding] = []

  /// Whether all is as the take says.
  public var isSound: Bool { findings.isEmpty }

  /// Reads all files of `entry`, and decodes every frame.
  ///
  /// - Parameters:
  ///   - entry: the take.
  ///   - progress: is told how many frames were read, and of how many, after each.
  /// - Throws: `OvercrankError` where it is no take, and `cancelled` where the task was.
  public init(
    _ entry: LibraryEntry, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(OvercrankError) {
    take = entry.path
    let content = try entry.take()
    for problem in entry.problems {
      guard case .newer = problem else {
        findings.append(Finding(file: entry.path, words: "\(problem)"))
        continue
      }
    }
    checkCounts(content)
    let total = content.clips.reduce(content.timestamps.count) { $0.adding(clamping: $1.frames) }
    var done = 0
    func count() { progress(done, total) }
    if let master = entry.master {
      let speed = content.masterSpeed.flatMap { try? Speed(text: $0) }?.factor.doubleValue ?? 1
      var times = MasterTimes(content.timestamps, speed: speed)
      check(master, frames: content.timestamps.count) { (time, base) in
        done += 1
        count()
        return times.finding(at: time, base)
      }
    }
    for clip in content.clips {
      guard let path = entry.path.file(named: clip.file), entry.clips.contains(path) else { continue }
      check(path, frames: clip.frames) { (_, _) in
        done += 1
        count()
        return nil
      }
    }
    if Task.isCancelled { throw OvercrankError(.cancelled, "\(entry.path): was not verified to the end.") }
  }

  /// Whether the take's own numbers add up.
  private mutating func checkCounts(_ take: Take) {
    func check(_ holds: Bool, _ words: String) {
      if !holds { findings.append(Finding(file: self.take, words: words)) }
    }
    let frames = take.frames
    check(
      frames.sent == frames.written.adding(clamping: frames.lost.total),
      "\(frames.sent) frames were sent, but \(frames.written) written and \(frames.lost.total) lost")
    check(
      frames.written == Int64(take.sequences.count) && frames.written == Int64(take.timestamps.count),
      "\(frames.written) frames were written, but it has numbers of \(take.sequences.count) and times of "
        + "\(take.timestamps.count)")
    let lost = take.losses.reduce(Int64(0)) { $0.adding(clamping: $1.count) }
    check(
      lost == frames.lost.total, "\(frames.lost.total) frames were lost, but its ledger tells of \(lost)")
    if take.hasReliableSequence, let number = Self.firstStray(in: take) {
      check(false, "frame number \(number) does not follow the one before it, written or lost")
    }
  }

  /// The first number of a take's frames, written and lost, that does not follow the one before it; `nil` where all do.
  private static func firstStray(in take: Take) -> Int64? {
    var losses = take.losses.sorted { $0.sequence < $1.sequence }[...]
    var next: Int64?
    func follows(_ number: Int64, count: Int64) -> Bool {
      defer { next = number.adding(clamping: count) }
      return next == nil || next == number
    }
    for number in take.sequences {
      while let loss = losses.first, loss.sequence < number {
        guard follows(loss.sequence, count: loss.count) else { return loss.sequence }
        losses.removeFirst()
      }
      guard follows(number, count: 1) else { return number }
    }
    return losses.first { !follows($0.sequence, count: $0.count) }?.sequence
  }

  /// Reads a film to its end.
  private mutating func check(
    _ path: FilePath, frames expected: Int, frame: (Int64?, Double) -> String?
  ) {
    do throws(OvercrankError) {
      let film = try WholeFilm(path, frame: frame)
      frames[path] = film.count
      func add(_ words: String) { findings.append(Finding(file: path, words: words)) }
      if film.count != expected { add("holds \(film.count) frames, and its take tells of \(expected)") }
      if let damage = film.damage { add(damage) }
      if let time = film.timeFinding { add(time) }
    } catch {
      findings.append(Finding(file: path, words: error.description))
    }
  }
}

/// When the frames of a master are shown, against when they were captured.
private struct MasterTimes {
  private var captured: FrameTimes.Iterator
  private let speed: Double
  private var first: (shown: Int64, captured: Instant)?
  private var lastTick: Int64 = -1
  private var number = 0

  init(_ times: FrameTimes, speed: Double) {
    captured = times.makeIterator()
    self.speed = speed
  }

  /// What is wrong with the next frame's time, `shown` ticks of `base` seconds; `nil` where nothing is.
  mutating func finding(at shown: Int64?, _ base: Double) -> String? {
    defer { number += 1 }
    guard let time = captured.next() else { return nil }
    guard let shown else { return "frame \(number) has no time" }
    let start = first ?? (shown, time)
    first = start
    // As masters are written: in whole microseconds that always move on.
    let tick = max((time - start.captured).wholeNanoseconds / 1000, lastTick.adding(clamping: 1))
    lastTick = tick
    let expected = Double(tick) / 1e6 / speed
    let found = Double(shown.subtracting(clamping: start.shown)) * base
    let tolerance = 1.5e-6 / speed + base + 1e-6 * expected
    guard (found - expected).magnitude > tolerance else { return nil }
    return "frame \(number) is shown at \(found) s, and by its take at \(expected) s"
  }
}

/// A film that was read and decoded to its end.
private struct WholeFilm {
  /// Frames in it.
  private(set) var count = 0
  /// Which frames are damaged; `nil` where none is.
  private(set) var damage: String?
  /// The first thing wrong with a frame's time; `nil` where nothing is.
  private(set) var timeFinding: String?

  init(_ path: FilePath, frame: (Int64?, Double) -> String?) throws(OvercrankError) {
    var film = try Demuxer(path)
    var check = try FrameCheck(film.track)
    let base = film.timeBase.doubleValue
    var damaged: (count: Int, first: Int, words: String)?
    func note(_ words: String?, at index: Int) {
      guard let words else { return }
      damaged = damaged.map { ($0.count + 1, $0.first, $0.words) } ?? (1, index, words)
    }
    while !Task.isCancelled, let packet = try film.nextPacket() {
      if packet.isHidden { continue }
      let words = frame(packet.presentationTimestamp, base)
      timeFinding = timeFinding ?? words
      note(check.damage(in: packet), at: count)
      count += 1
    }
    note(Task.isCancelled ? nil : check.finish(count), at: count)
    if let damaged {
      damage =
        damaged.count == 1
        ? "frame \(damaged.first) is damaged: \(damaged.words)"
        : "\(damaged.count) frames are damaged, the first is \(damaged.first): \(damaged.words)"
    }
  }
}

/// Decodes frames to find out whether they can be.
private struct FrameCheck: ~Copyable {
  private let track: VideoTrack
  private var jpegDecoder: JPEGDecoder?
  private var decoder: VideoDecoder?
  private var pictureCount = 0

  init(_ track: VideoTrack) throws(OvercrankError) {
    self.track = track
    switch track.codec {
    // All of a JPEG is read, whatever becomes of its pixels.
    case .mjpeg: jpegDecoder = try JPEGDecoder(reduction: 8)
    case .raw, .packed: break
    default: decoder = try VideoDecoder(track)
    }
  }

  /// What is wrong with a frame; `nil` where nothing is, or nothing yet.
  mutating func damage(in packet: Packet) -> String? {
    if let expected = track.codec.byteCount(width: track.width, height: track.height) {
      return packet.byteCount >= expected ? nil : "has \(packet.byteCount) of \(expected) bytes"
    }
    do throws(OvercrankError) {
      if track.codec == .mjpeg {
        _ = try packet.withBytes { bytes throws(OvercrankError) in try jpegDecoder?.decode(bytes) }
      } else {
        try decoder?.send(packet)
        try takePictures()
      }
      return nil
    } catch {
      return error.description
    }
  }

  /// What is wrong with the film as a whole that has `count` frames.
  mutating func finish(_ count: Int) -> String? {
    do throws(OvercrankError) {
      guard decoder != nil else { return nil }
      try decoder?.finish()
      try takePictures()
      return pictureCount == count ? nil : "\(pictureCount) of \(count) frames can be shown"
    } catch {
      return error.description
    }
  }

  private mutating func takePictures() throws(OvercrankError) {
    while let picture = try decoder?.nextPicture() {
      pictureCount += 1
      if picture.isDamaged { throw OvercrankError(.badData, "parts of it are made up") }
    }
  }
}
