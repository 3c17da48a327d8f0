import Media
public import Platform
public import SystemPackage
public import Takes
import Timebase

/// The result of reading the files of a take or photo to their ends.
public struct TakeVerification: Hashable, Sendable {
  /// A deviation from the take.
  public struct Finding: Hashable, Sendable {
    /// The file.
    public let file: FilePath
    /// A description of the deviation.
    public let words: String
  }

  /// The take file, the photo's, or the group's.
  public let take: FilePath
  /// Frames read, by file.
  public private(set) var frames: [FilePath: Int] = [:]
  /// The deviations; empty if there are none.
  public private(set) var findings: [Finding] = []

  /// Whether everything is as it should be.
  public var isSound: Bool { findings.isEmpty }

  /// Reads all files of `entry`, and decodes every frame.
  ///
  /// - Parameters:
  ///   - entry: the take or photo.
  ///   - progress: called after each frame or picture with the number of those read and the total.
  /// - Throws: `OvercrankError` if it is neither, and `cancelled` if the task was cancelled.
  public init(
    _ entry: LibraryEntry, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(OvercrankError) {
    take = entry.path
    let content = try entry.photo == nil ? entry.take() : nil
    findings = entry.problems.filter(\.isOfFiles).map { Finding(file: entry.path, words: "\($0)") }
    guard let content else {
      if let photo = entry.photo { try check(photo, progress) }
      return
    }
    checkCounts(content)
    let total = content.clips.reduce(content.timestamps.count) { $0.adding(clamping: $1.frames) }
    var done = 0
    func count() { progress(done, total) }
    if let master = entry.master {
      var times = MasterTimes(content)
      check(master, frames: content.timestamps.count) { (time, base) in
        done += 1
        count()
        return times.finding(at: time, base)
      }
    }
    let clips = Set(entry.clips)
    for clip in content.clips {
      guard let path = entry.path.file(named: clip.file), clips.contains(path) else { continue }
      checkClip(path, frames: clip.frames) {
        done += 1
        count()
      }
    }
    if Task.isCancelled { throw OvercrankError(.cancelled, "\(entry.path): was not verified to the end.") }
  }

  /// Checks what `group` has beside its takes: that all takes and clips that its file names are there, and that each
  /// clip of all cameras plays. The takes are verified by ``init(_:progress:)``.
  ///
  /// - Parameters:
  ///   - group: the group.
  ///   - progress: called after each frame with the number of those read.
  /// - Throws: `OvercrankError` with `cancelled` if the task was cancelled.
  public init(_ group: StoredGroup, progress: (Int) -> Void = { _ in }) throws(OvercrankError) {
    take = group.path
    for camera in group.group.cameras {
      do throws(OvercrankError) {
        let take = try TakeGroup.take(of: camera, inGroupAt: group.path)
        guard take.exists else {
          let words = "the take \(camera.take) of camera \(camera.name) is missing"
          findings.append(Finding(file: group.path, words: words))
          continue
        }
      } catch {
        findings.append(Finding(file: group.path, words: error.description))
      }
    }
    findings += group.problems.map { Finding(file: group.path, words: $0.description) }
    var done = 0
    for clip in group.clips {
      checkClip(clip, frames: group.listing(of: clip)?.frames) {
        done += 1
        progress(done)
      }
    }
    if Task.isCancelled { throw OvercrankError(.cancelled, "\(group.path): was not verified to the end.") }
  }

  /// Reads a clip to its end.
  ///
  /// - Parameters:
  ///   - expected: the number of frames that it must have; `nil` if nothing says that.
  ///   - count: called after each frame.
  private mutating func checkClip(_ path: FilePath, frames expected: Int?, count: () -> Void) {
    // libavcodec does not decode an animated WebP, so only its length can be checked.
    if Container(ofClip: path) == .webp {
      if Demuxer.isCutOff(path) { findings.append(Finding(file: path, words: "is cut off")) }
      return
    }
    check(path, frames: expected) { (_, _) in
      count()
      return nil
    }
  }

  /// Checks that the take's own numbers agree.
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
      "\(frames.written) frames were written, but the take lists \(take.sequences.count) numbers and "
        + "\(take.timestamps.count) times")
    let lost = take.losses.reduce(Int64(0)) { $0.adding(clamping: $1.count) }
    check(
      lost == frames.lost.total, "\(frames.lost.total) frames were lost, but its ledger lists \(lost)")
    if take.hasReliableSequence, let number = Self.firstStray(in: take) {
      check(false, "frame number \(number) does not follow the frame before it, written or lost")
    }
  }

  /// Returns the first number of a take's frames, written and lost, that does not follow the one before it;
  /// `nil` if all do.
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

  private mutating func check(
    _ photo: LibraryPhoto, _ progress: (Int, Int) -> Void
  ) throws(OvercrankError) {
    for (place, picture) in photo.pictures.enumerated() where !Task.isCancelled {
      do throws(OvercrankError) {
        if let damage = try photo.damage(of: picture) {
          findings.append(Finding(file: picture, words: damage))
        }
      } catch {
        findings.append(Finding(file: picture, words: picture.omitted(from: error.description)))
      }
      progress(place + 1, photo.pictures.count)
    }
    if Task.isCancelled { throw OvercrankError(.cancelled, "\(photo.path): was not verified to the end.") }
  }

  /// Reads a video to its end.
  private mutating func check(
    _ path: FilePath, frames expected: Int?, frame: (Int64?, Double) -> String?
  ) {
    do throws(OvercrankError) {
      let video = try WholeVideo(path, frame: frame)
      frames[path] = video.count
      func add(_ words: String) { findings.append(Finding(file: path, words: words)) }
      if let expected, video.count != expected {
        let owner = GroupVideo.isNamed(by: take) ? "group" : "take"
        add("holds \(video.count) frames, but its \(owner) lists \(expected)")
      }
      if let damage = video.damage { add(damage) }
      if let time = video.timeFinding { add(time) }
    } catch {
      // The finding names the file itself.
      findings.append(Finding(file: path, words: path.omitted(from: error.description)))
    }
  }
}

/// A video that was read and decoded to its end.
struct WholeVideo {
  /// The number of frames.
  private(set) var count = 0
  /// A description of the damaged frames; `nil` if there are none.
  private(set) var damage: String?
  /// The first deviation of a frame's time; `nil` if there is none.
  private(set) var timeFinding: String?

  /// The frames that can be stored before one that is shown earlier: those of H.264 and HEVC are at most 16.
  private static let mostReordered = 16

  init(_ path: FilePath, frame: (Int64?, Double) -> String? = { _, _ in nil }) throws(OvercrankError) {
    var video = try Demuxer(path)
    var check = try FrameCheck(video.track)
    let base = video.timeBase.doubleValue
    var damaged: (count: Int, first: Int, words: String)?
    func note(_ words: String?, at index: Int) {
      guard let words else { return }
      damaged = damaged.map { ($0.count + 1, $0.first, $0.words) } ?? (1, index, words)
    }
    // Frames that later ones depend on may be stored before frames that are shown earlier.
    var waiting: [Int64] = []
    let mostWaiting = video.track.codec.isIntraOnly ? 0 : Self.mostReordered
    func tell(_ time: Int64?) {
      let words = frame(time, base)
      timeFinding = timeFinding ?? words
    }
    while !Task.isCancelled, let packet = try video.nextPacket() {
      if packet.isHidden { continue }
      if let time = packet.presentationTimestamp {
        waiting.insert(time, at: waiting.firstIndex { $0 > time } ?? waiting.endIndex)
        if waiting.count > mostWaiting { tell(waiting.removeFirst()) }
      } else {
        tell(nil)
      }
      note(check.damage(in: packet), at: count)
      count += 1
    }
    waiting.forEach(tell)
    note(Task.isCancelled ? nil : check.finish(count), at: count)
    if let damaged {
      damage =
        damaged.count == 1
        ? "frame \(damaged.first) is damaged: \(damaged.words)"
        : "\(damaged.count) frames are damaged, the first is \(damaged.first): \(damaged.words)"
    }
  }
}

/// Decodes frames to check them.
private struct FrameCheck: ~Copyable {
  private let track: VideoTrack
  private var jpegDecoder: JPEGDecoder?
  private var unpacker: PixelUnpacker?
  private var decoder: VideoDecoder?
  private var pictureCount = 0

  init(_ track: VideoTrack) throws(OvercrankError) {
    var jpegDecoder: JPEGDecoder?
    var unpacker: PixelUnpacker?
    var decoder: VideoDecoder?
    switch track.codec {
    // Even at a reduced size, all of a JPEG's data is read.
    case .mjpeg: jpegDecoder = try JPEGDecoder(reduction: 8)
    case .packed(let packing):
      unpacker = try PixelUnpacker(
        packing, width: track.width, height: track.height, color: track.pictureColor)
    case .raw: break
    default: decoder = try VideoDecoder(track, isImmediate: true)
    }
    self.init(track, jpegDecoder, unpacker, decoder)
  }

  /// Nothing in it throws: see the initializer of `OutputFile`.
  private init(
    _ track: VideoTrack, _ jpegDecoder: consuming JPEGDecoder?, _ unpacker: consuming PixelUnpacker?,
    _ decoder: consuming VideoDecoder?
  ) {
    self.track = track
    self.jpegDecoder = jpegDecoder
    self.unpacker = unpacker
    self.decoder = decoder
  }

  /// Returns the damage of a frame; `nil` if none is found, or none yet.
  mutating func damage(in packet: Packet) -> String? {
    if let expected = track.codec.byteCount(width: track.width, height: track.height) {
      return packet.byteCount >= expected ? nil : "has \(packet.byteCount) of \(expected) bytes"
    }
    do throws(OvercrankError) {
      if track.codec == .mjpeg {
        _ = try packet.withBytes { bytes throws(OvercrankError) in try jpegDecoder?.decode(bytes) }
      } else if unpacker != nil {
        _ = try packet.withBytes { bytes throws(OvercrankError) in try unpacker?.unpack(bytes) }
      } else {
        try decoder?.send(packet)
        try takePictures()
      }
      return nil
    } catch {
      return error.description
    }
  }

  /// Returns the damage of the whole video of `count` frames; `nil` if none is found.
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
      if picture.isDamaged { throw OvercrankError(.badData, "parts of it were filled in by the decoder") }
    }
  }
}
