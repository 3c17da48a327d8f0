import CameraModel
import Glibc
import Media
public import Platform
import Timebase

/// The frames that a program writes.
///
/// The time of a frame is that of its arrival, and its number is always 0, because nothing tells how many frames
/// the program left out.
public struct ProgramStream: ~Copyable, CameraStream, @unchecked Sendable {
  // Unchecked: it is the only owner of its memory, and taking a frame requires exclusive access.

  /// The configuration that the user stated.
  public let configuration: StreamConfiguration
  private let camera: ProgramCamera
  /// The size in bytes of a raw frame; `nil` for JPEGs.
  private let rawFrame: Int?
  private var program: ChildProgram?
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  /// The bytes that were read and not lent yet lie from `start` to `end`.
  private var (start, end) = (0, 0)
  /// The place up to which no JPEG ends.
  private var searched = 0
  private let plane: UnsafeMutablePointer<FramePlane>
  private var hasSentFrame = false

  init(_ camera: ProgramCamera) {
    self.camera = camera
    rawFrame = camera.rawFrame
    configuration = StreamConfiguration(
      FrameFormat(
        camera.format, width: Int(camera.mode.width), height: Int(camera.mode.height),
        acceptedInterval: camera.mode.interval, clock: .dequeue),
      largestFrame: camera.largestFrame, bufferCount: 1)
    capacity = 2 * camera.largestFrame
    memory = .allocate(byteCount: capacity, alignment: 64)
    plane = .allocate(capacity: 1)
  }

  deinit {
    memory.deallocate()
    plane.deallocate()
  }

  /// Starts the program.
  public mutating func begin() throws(OvercrankError) { program = try ChildProgram(camera.command) }

  /// Waits at most `timeout` for the end of the next frame, and lends it to `body`.
  ///
  /// - Throws: `OvercrankError` if the program fails, or writes something else than it should.
  public mutating func next(
    within timeout: Duration, _ body: (borrowing Frame) -> Void
  ) throws(OvercrankError) -> Arrival {
    let deadline = MonotonicClock.now + timeout
    while true {
      if let found = try found() {
        lend(found.count, isCorrupt: found.isCorrupt, body)
        return .frame
      }
      let rest = max(.zero, deadline - MonotonicClock.now)
      switch try read(within: CInt(clamping: rest.wholeNanoseconds / 1_000_000)) {
      case .bytes(let count): end += count
      case .nothing: break
      case .ended:
        guard start == end else {
          // The rest of a frame that never became whole.
          lend(end - start, isCorrupt: true, body)
          return .frame
        }
        try program?.finish()
        return .ended
      }
      // Bytes that never become a frame must not keep the capture from ending.
      guard MonotonicClock.now < deadline else { return .nothing }
    }
  }

  /// Ends the program.
  public consuming func stop() { program?.end() }

  private mutating func read(within milliseconds: CInt) throws(OvercrankError) -> ChildProgram.Reading {
    if start > 0 {
      memmove(memory, memory + start, end - start)
      (searched, end, start) = (max(0, searched - start), end - start, 0)
    }
    let space = UnsafeMutableRawBufferPointer(start: memory + end, count: capacity - end)
    return try program?.read(into: space, within: milliseconds) ?? .ended
  }

  /// Returns the size of the next frame; `nil` if it has not arrived yet.
  private mutating func found() throws(OvercrankError) -> (count: Int, isCorrupt: Bool)? {
    if let rawFrame { return end - start >= rawFrame ? (rawFrame, false) : nil }
    // Some programs fill up with zeros between frames.
    while start < end, byte(start) == 0 { start += 1 }
    while endsJPEG() {
      let bytes = UnsafeRawBufferPointer(start: memory + start, count: end - start)
      switch JPEGWalk(bytes.bindMemory(to: UInt8.self).span) {
      case .whole(let count, let width, let height):
        try check(width, height)
        return (count, false)
      // A smaller picture in its header has ended.
      case .unfinished: continue
      case .none: return (try damage(), true)
      }
    }
    return end - start > configuration.largestFrame ? (try damage(), true) : nil
  }

  private func check(_ width: Int, _ height: Int) throws(OvercrankError) {
    let (stated, rows) = (configuration.frameFormat.width, configuration.frameFormat.height)
    guard width != stated || height != rows else { return }
    throw OvercrankError(
      .badData,
      "\(camera.command): writes frames of \(width)x\(height), and \(stated)x\(rows) was stated. State the size that it "
        + "writes.")
  }

  private func byte(_ place: Int) -> UInt8 { memory.load(fromByteOffset: place, as: UInt8.self) }

  /// Returns whether the marker that ends a JPEG is among the bytes that were not searched yet.
  private mutating func endsJPEG() -> Bool {
    searched = max(start, searched)
    while end - searched >= 2 {
      guard let found = memchr(memory + searched, 0xff, end - searched - 1) else {
        searched = end - 1
        return false
      }
      searched = found - memory + 1
      if byte(searched) == 0xd9 { return true }
    }
    return false
  }

  /// Returns the number of bytes before the next JPEG, which are no frame.
  ///
  /// - Throws: `badData` if no frame came before: then the program writes something else.
  private func damage() throws(OvercrankError) -> Int {
    guard hasSentFrame else {
      throw OvercrankError(
        .badData,
        "\(camera.command): does not write JPEGs of at most \(configuration.largestFrame >> 10) KiB. State the format that "
          + "it writes, or have it write Motion JPEG.")
    }
    var place = start + 1
    while end - place >= 3 {
      if byte(place) == 0xff, byte(place + 1) == 0xd8, byte(place + 2) == 0xff { return place - start }
      place += 1
    }
    return end - start
  }

  private mutating func lend(_ count: Int, isCorrupt: Bool, _ body: (borrowing Frame) -> Void) {
    plane.initialize(
      to: FramePlane(base: memory + start, rows: 1, rowBytes: count, stride: count))
    let now = MonotonicClock.now.nanoseconds
    start += count
    hasSentFrame = hasSentFrame || !isCorrupt
    body(
      Frame(
        sequence: 0, timestampNanoseconds: now, receivedNanoseconds: now, isCorrupt: isCorrupt,
        planes: UnsafeBufferPointer(start: plane, count: 1)))
  }
}
