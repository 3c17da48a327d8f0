import CameraModel
import Glibc
import Platform
import Testing
import Timebase

@testable import Simulator

@Suite struct SimulatedStreamTests {
  /// The facts about a frame that has been returned.
  struct Taken: Equatable {
    var sequence: UInt32
    var timestampNanoseconds: Int64
    var isCorrupt: Bool
    var bytes: [UInt8]
  }

  static let interval = FrameInterval(1, 100)

  static func camera(
    _ faults: String = "", format: PixelFormat = .mjpeg, clock: VirtualClock
  ) throws -> SimulatedCamera<VirtualClock> {
    let mode = SimulatedCameraDescription.Mode(format: format, width: 256, height: 96, intervals: [interval])
    return SimulatedCamera(
      name: "sim:small", description: SimulatedCameraDescription(modes: [mode]),
      faults: try SimulatedFaults(text: faults), clock: clock)
  }

  static func take(
    _ count: Int, from stream: inout SimulatedStream<VirtualClock>
  ) throws -> [Taken] {
    var taken: [Taken] = []
    for _ in 0..<count {
      let arrival = try stream.next(within: .seconds(60)) { frame in
        taken.append(
          Taken(
            sequence: frame.sequence, timestampNanoseconds: frame.timestampNanoseconds,
            isCorrupt: frame.isCorrupt, bytes: frame.bytes()))
      }
      #expect(arrival == .frame)
    }
    return taken
  }

  static func captured(_ count: Int, _ faults: String, format: PixelFormat = .mjpeg) throws -> [Taken] {
    let camera = try camera(faults, format: format, clock: VirtualClock(at: Instant(nanoseconds: 0)))
    var stream = try camera.start(format: format, width: 256, height: 96, interval: interval)
    return try take(count, from: &stream)
  }

  @Test("a camera whose drawing was stopped has no frames, and ends as soon as it begins")
  func stopped() throws {
    for faults in ["", "scene=100ms"] {
      let camera = try Self.camera(faults, clock: VirtualClock(at: Instant(nanoseconds: 0)))
      var stream = try camera.start(
        format: .mjpeg, width: 256, height: 96, interval: Self.interval, unless: { true })
      stream.begin()
      let arrival = try stream.next(within: .seconds(60)) { _ in Issue.record("a frame came") }
      #expect(arrival == .ended)
      stream.stop()
    }
  }

  @Test func sequenceTimestampAndStripAreTheSensors() throws {
    let clock = VirtualClock(at: Instant(nanoseconds: 1234))
    var stream = try Self.camera(clock: clock).start(
      format: .mjpeg, width: 256, height: 96, interval: Self.interval)
    let frames = try Self.take(50, from: &stream)
    #expect(frames.map(\.sequence) == Array(0..<50))
    let due = (1...50).map { (frame: Int64) in 1234 + frame * 10_000_000 }
    #expect(frames.map(\.timestampNanoseconds) == due)
    #expect(try frames.map { try LumaPicture(jpeg: $0.bytes).stripNumber } == Array(0..<50))
    #expect(!frames.contains { $0.isCorrupt })
    stream.stop()
  }

  @Test func theStartCanBeGiven() throws {
    let clock = VirtualClock(at: Instant(nanoseconds: 0))
    var stream = try Self.camera(clock: clock).start(
      format: .mjpeg, width: 256, height: 96, interval: Self.interval, startingAt: Instant(nanoseconds: 500))
    #expect(try Self.take(1, from: &stream).map(\.timestampNanoseconds) == [10_000_500])
    #expect(clock.now.nanoseconds == 10_000_500)
  }

  @Test func theConfigurationIsWhatWasAskedFor() throws {
    let camera = try Self.camera("buffers=5", format: .yuyv, clock: VirtualClock(at: Instant(nanoseconds: 0)))
    let stream = try camera.start(format: .yuyv, width: 256, height: 96, interval: FrameInterval(2, 200))
    let configuration = stream.configuration
    #expect(
      configuration.frameFormat.pixelFormat == .yuyv && configuration.frameFormat.width == 256
        && configuration.frameFormat.height == 96)
    #expect(configuration.frameFormat.acceptedInterval == FrameInterval(2, 200))
    #expect(configuration.frameFormat.clock == .monotonic)
    #expect(configuration.bufferCount == 5)
    #expect(configuration.largestFrame == 256 * 96 * 2)
  }

  @Test func nothingComesBeforeItsTime() throws {
    let clock = VirtualClock(at: Instant(nanoseconds: 0))
    var stream = try Self.camera(clock: clock).start(
      format: .mjpeg, width: 256, height: 96, interval: Self.interval)
    var count = 0
    #expect(try stream.next(within: .zero) { _ in count += 1 } == .nothing)
    #expect(try stream.next(within: .milliseconds(9)) { _ in count += 1 } == .nothing)
    #expect(clock.now.nanoseconds == 9_000_000)
    clock.advance(by: .milliseconds(1))
    #expect(try stream.next(within: .zero) { _ in count += 1 } == .frame)
    #expect(clock.now.nanoseconds == 10_000_000)
    #expect(count == 1)
  }

  @Test func aReaderThatHoldsFramesTooLongLosesThem() throws {
    let clock = VirtualClock(at: Instant(nanoseconds: 0))
    var stream = try Self.camera("buffers=4", clock: clock).start(
      format: .mjpeg, width: 256, height: 96, interval: Self.interval)
    var numbers: [UInt32] = []
    for turn in 0..<6 {
      #expect(
        try stream.next(within: .seconds(1)) { frame in
          numbers.append(frame.sequence)
          if turn == 0 { clock.advance(by: .milliseconds(90)) }
        } == .frame)
    }
    #expect(numbers == [0, 1, 2, 3, 10, 11])
  }

  @Test func droppedFramesAreGapsInSequenceAndStrip() throws {
    let frames = try Self.captured(6, "drop=0+2-4+7")
    #expect(frames.map(\.sequence) == [1, 5, 6, 8, 9, 10])
    #expect(try frames.map { try LumaPicture(jpeg: $0.bytes).stripNumber } == [1, 5, 6, 8, 9, 10])
  }

  @Test func corruptJPEGsAreCutOffInTheirScanAndNotFlagged() throws {
    let whole = try Self.captured(8, "")
    let frames = try Self.captured(8, "corrupt=2+5-6")
    for (frame, original) in zip(frames, whole) {
      #expect(!frame.isCorrupt)
      guard [2, 5, 6].contains(frame.sequence) else {
        #expect(frame == original)
        continue
      }
      let scan = try #require(BaselineJPEG(original.bytes)).scan
      #expect((scan.startIndex + 1..<scan.endIndex - 1).contains(frame.bytes.count))
      #expect(frame.bytes[...] == original.bytes.prefix(frame.bytes.count))
    }
  }

  @Test func corruptRawFramesAreShortWhichADriverKnows() throws {
    let frames = try Self.captured(4, "corrupt=2", format: .yuyv)
    #expect(frames.map(\.bytes.count) == [49_152, 49_152, 24_576, 49_152])
    #expect(frames.map(\.isCorrupt) == [false, false, true, false])
  }

  @Test(arguments: [PixelFormat.mjpeg, .nv12])
  func flaggedFramesAreWhole(format: PixelFormat) throws {
    let frames = try Self.captured(5, "flagged=1+3", format: format)
    #expect(frames.map(\.isCorrupt) == [false, true, false, true, false])
    #expect(try frames.map(\.bytes) == Self.captured(5, "", format: format).map(\.bytes))
  }

  @Test func whatChanceCorruptsAndWhatItFlagsAreNotTheSame() throws {
    let frames = try Self.captured(64, "corrupt=50%,flagged=50%")
    let whole = try Self.captured(64, "").map(\.bytes.count)
    let isCut = zip(frames, whole).map { $0.0.bytes.count < $0.1 }
    #expect(isCut.contains(true) && isCut.contains(false))
    #expect(isCut != frames.map(\.isCorrupt))
  }

  @Test func huffmanTablesAreMissingWhereAskedFor() throws {
    for (faults, isPresent) in [("", true), ("huffman=missing", false)] {
      let frame = try #require(try Self.captured(1, faults).first)
      let markers = try #require(BaselineJPEG(frame.bytes)).segments.map(\.marker)
      #expect(markers.contains(.huffmanTables) == isPresent)
    }
  }

  @Test func anUnpluggedCameraIsAnErrorFromItsFrameOn() throws {
    let camera = try Self.camera("disconnect=3", clock: VirtualClock(at: Instant(nanoseconds: 0)))
    var stream = try camera.start(format: .mjpeg, width: 256, height: 96, interval: Self.interval)
    #expect(try Self.take(3, from: &stream).map(\.sequence) == [0, 1, 2])
    for _ in 0..<2 {
      do {
        _ = try stream.next(within: .seconds(1)) { _ in Issue.record("a frame after the camera was unplugged")
        }
        Issue.record("no error after the camera was unplugged")
      } catch {
        #expect(error.code == .disconnected)
        #expect(error.description.contains("sim:small"))
      }
    }
  }

  @Test func aStallIsASilenceOfTheStream() throws {
    let camera = try Self.camera("stall=2s@1", clock: VirtualClock(at: Instant(nanoseconds: 0)))
    var stream = try camera.start(format: .mjpeg, width: 256, height: 96, interval: Self.interval)
    #expect(try Self.take(1, from: &stream).map(\.sequence) == [0])
    #expect(try stream.next(within: .seconds(1)) { _ in } == .nothing)
    #expect(try Self.take(1, from: &stream).map(\.timestampNanoseconds) == [2_020_000_000])
  }

  @Test func twoStreamsOfOneSeedAreAlike() throws {
    let faults = "drop=10%,corrupt=10%,flagged=10%,jitter=3ms,seed=4"
    let frames = try Self.captured(60, faults)
    #expect(try Self.captured(60, faults) == frames)
    #expect(try Self.captured(60, faults + "1") != frames)
  }

  @Test func inRealTimeNoFrameComesBeforeItIsExposed() throws {
    let mode = SimulatedCameraDescription.Mode(
      format: .grey, width: 256, height: 96, intervals: [FrameInterval(1, 240)])
    let camera = SimulatedCamera(description: SimulatedCameraDescription(modes: [mode]))
    let start = MonotonicClock.now.nanoseconds
    var stream = try camera.start(
      format: .grey, width: 256, height: 96, interval: FrameInterval(1, 240),
      startingAt: Instant(nanoseconds: start))
    var last: Int64 = -1
    for _ in 0..<24 {
      _ = try stream.next(within: .seconds(60)) { frame in
        let bytes = frame.bytes()
        #expect(Int64(frame.sequence) > last)
        last = Int64(frame.sequence)
        #expect(frame.timestampNanoseconds == start + Fraction(1, 240).scaling((last + 1) * 1_000_000_000))
        #expect(frame.timestampNanoseconds <= MonotonicClock.now.nanoseconds)
        #expect(FrameStrip.number(inLuma: bytes.span, stride: 256, width: 256) == frame.sequence)
      }
    }
    #expect(last >= 23)
  }
}
