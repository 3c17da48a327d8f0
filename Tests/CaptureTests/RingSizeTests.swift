import CameraModel
import Cameras
import Testing
import Timebase

@testable import Capture

@Suite("A ring's size")
struct RingSizeTests {
  private func configuration(
    _ format: PixelFormat, largestFrame: Int, interval: FrameInterval = FrameInterval(1, 100)
  ) -> StreamConfiguration {
    StreamConfiguration(
      FrameFormat(format, width: 640, height: 480, acceptedInterval: interval, clock: .monotonic),
      largestFrame: largestFrame, bufferCount: 4)
  }

  @Test(
    "is accepted in seconds, frames and bytes",
    arguments: [
      ("4s", .duration(.seconds(4))), ("250ms", .duration(.milliseconds(250))), ("960f", .frames(960)),
      ("960frames", .frames(960)), ("512MiB", .bytes(512 << 20)), ("2GiB", .bytes(2 << 30)),
    ] as [(String, RingSize)])
  func text(_ text: String, _ size: RingSize) throws { #expect(try RingSize(text: text) == size) }

  @Test(
    "is refused if malformed",
    arguments: [
      "", "4", "0s", "-1s", "0f", "-3f", "f", "0MiB", "MiB", "5MB", "1e9MiB", "99999999999GiB", "nan",
    ])
  func wrong(_ text: String) { #expect(throws: QuantityError.self) { try RingSize(text: text) } }

  @Test("is computed for frames of any size, rate and number")
  func extremes() {
    let claimed = configuration(.mjpeg, largestFrame: 1 << 20, interval: FrameInterval(.max, 1))
    #expect(claimed.frameFormat.nominalInterval == nil)
    #expect(
      RingDepth(byteCount: 1 << 40, frameBytes: 1, interval: .seconds(86_400)).duration
        == .seconds(86_400) * ((1 << 40 - RingProducer.headroom) / 128))
    var frames = claimed.frameFormat
    (frames.width, frames.height) = (Int(UInt32.max), Int(UInt32.max))
    #expect(frames.pixelCount == .max)
    #expect(RingSize.usual(for: frames, largestFrame: 1 << 20, available: nil).byteCount(for: claimed) > 0)
  }

  @Test(
    "leaves an armed session room for the next frame, however small", arguments: [PixelFormat.yuyv, .mjpeg])
  func margin(_ format: PixelFormat) {
    for bytes in [300, 4096, 76_800, 640 * 480 * 2] {
      let camera = configuration(format, largestFrame: bytes)
      let least = RingSize.bytes(1).byteCount(for: camera)
      let next = RingLayout.recordBytes(payload: bytes) + RingProducer.headroom
      #expect((next..<least).contains(camera.ringMargin(of: least)), "\(bytes)")
    }
  }

  @Test("holds exactly the requested number of raw frames")
  func exact() throws {
    let raw = configuration(.yuyv, largestFrame: 640 * 480 * 2)
    for size in [RingSize.frames(7), .duration(.milliseconds(60))] {
      var ends = try Ring.make(minimumCapacity: size.byteCount(for: raw))
      var count: UInt32 = 0
      while ends.producer.push(
        RingRecord(kind: .frame, sequence: count, timestampNanoseconds: 0), payloadBytes: raw.largestFrame,
        fill: { _ in })
      {
        count += 1
      }
      #expect(count == 7)
      #expect(
        RingDepth(byteCount: ends.consumer.capacity, frameBytes: raw.largestFrame, interval: .nanoseconds(10))
          .frames == 7)
    }
  }

  @Test("for a pre-roll stays within its limits, and above the size of one frame")
  func bounds() {
    let raw = configuration(.yuyv, largestFrame: 640 * 480 * 2)
    let hour = Duration.seconds(3600)
    #expect(RingSize.usual(for: raw, preRoll: hour, available: 1 << 40) == .bytes(4 << 30))
    #expect(RingSize.usual(for: raw, preRoll: hour, available: 1 << 30) == .bytes(512 << 20))
    // A driver with buffers as large as uncompressed frames.
    let jpeg = configuration(.mjpeg, largestFrame: 640 * 480 * 2)
    guard case .bytes(let bytes) = RingSize.usual(for: jpeg, preRoll: .seconds(2), available: 1 << 40)
    else {
      Issue.record("the usual size is one in bytes")
      return
    }
    #expect(bytes < 400 * 640 * 480)
    #expect(bytes > 400 * 640 * 480 / 3)
    #expect(RingSize.bytes(1).byteCount(for: raw) > 4 * raw.largestFrame)
    #expect(RingSize.frames(.max / 2).byteCount(for: raw) == 1 << 60)
  }

  @Test("without a pre-roll holds two seconds of JPEGs of two bits per pixel, if memory allows")
  func stall() {
    let jpeg = configuration(.mjpeg, largestFrame: 640 * 480 * 2, interval: FrameInterval(1, 240))
    guard case .bytes(let bytes) = RingSize.usual(for: jpeg, available: 1 << 40) else {
      Issue.record("the usual size is one in bytes")
      return
    }
    let frames = jpeg.frameFormat.frameCount(in: .seconds(2))
    #expect(bytes >= frames * 640 * 480 / 4)
    #expect(bytes < frames * 640 * 480 / 3)
    #expect(RingSize.usual(for: jpeg, available: 1 << 20) == .bytes(32 << 20))
  }

  @Test("without a pre-roll holds two full seconds of raw frames, because their size is fixed")
  func rawStall() {
    let raw = configuration(.yuyv, largestFrame: 640 * 480 * 2)
    #expect(
      RingSize.usual(for: raw, available: 1 << 40)
        == .bytes(RingSize.duration(.seconds(2)).byteCount(for: raw)))
  }

  @Test("is smaller in virtual time, which stands still while the disk stalls")
  func virtual() {
    let raw = configuration(.yuyv, largestFrame: 640 * 480 * 2)
    let settings = CaptureSettings()
    let usual = RingSize.usual(for: raw, preRoll: .zero).byteCount(for: raw)
    #expect(settings.ringBytes(for: raw, on: .monotonic) == usual)
    let enough = RingSize.duration(.milliseconds(500)).byteCount(for: raw)
    #expect(settings.ringBytes(for: raw, on: .virtual(VirtualClock())) == min(usual, enough))
  }

  @Test("is at most an exabyte, whatever is requested")
  func most() {
    let tiny = configuration(.mjpeg, largestFrame: 1)
    let record = RingLayout.recordBytes(payload: 1)
    #expect(RingSize.frames(.max / record).byteCount(for: tiny) == 1 << 60)
  }

  @Test("assumes 240 frames a second if no rate is known, plus one that has begun")
  func unknownRate() {
    let camera = configuration(.mjpeg, largestFrame: 1 << 20, interval: FrameInterval(0, 1))
    #expect(camera.frameFormat.frameCount(in: .seconds(1)) == 241)
  }

  @Test(
    "for a pre-roll may be half of the available memory, including the ring that it replaces",
    arguments: [(0, 1 << 30, 1 << 29), (1 << 30, 1 << 30, 1 << 30), (1 << 40, 1 << 40, 4 << 30)]
      as [(Int, Int, Int)])
  func mostBytes(_ taken: Int, _ available: Int, _ most: Int) {
    #expect(RingSize.mostBytes(beside: taken, available: available) == most)
  }

  @Test("has room for no frame if it is smaller than the headroom")
  func noDepth() {
    #expect(RingDepth(byteCount: 0, frameBytes: 1, interval: .seconds(1)).frames == 0)
    #expect(RingDepth(byteCount: 0, frameBytes: 1, interval: .seconds(1)).duration == .zero)
  }

  @Test("is reported with the pre-roll that it keeps, if that is shorter than requested")
  func report() throws {
    let raw = configuration(.yuyv, largestFrame: 640 * 480 * 2)
    let ends = try Ring.make(minimumCapacity: RingSize.frames(50).byteCount(for: raw))
    let report = RingReport(ends.consumer, raw, preRoll: .seconds(100))
    #expect(report.isExact)
    let kept = try #require(report.shorterPreRoll)
    #expect(kept > .zero && kept < .milliseconds(500))
    #expect(RingReport(ends.consumer, raw, preRoll: kept).shorterPreRoll == nil)
    // The size of compressed frames is not known before they arrive.
    let jpeg = RingReport(
      ends.consumer, configuration(.mjpeg, largestFrame: 640 * 480 * 2), preRoll: .seconds(100))
    #expect(!jpeg.isExact && jpeg.shorterPreRoll == nil)
  }
}
