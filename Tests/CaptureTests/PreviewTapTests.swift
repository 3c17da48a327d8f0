import CameraModel
import Cameras
import FrameJudge
import Media
import Platform
import Simulator
import Testing
import Timebase

@testable import Capture

@Suite("A preview", .timeLimit(.minutes(1)))
struct PreviewTapTests {
  private let clock = VirtualClock(at: Instant(nanoseconds: 0))

  /// Returns a frame of a simulated camera in `format`.
  private func frame(
    _ format: PixelFormat, width: Int, height: Int
  ) throws -> (record: RingRecord, bytes: [UInt8], configuration: StreamConfiguration) {
    let interval = FrameInterval(1, 120)
    let camera = SimulatedCamera(
      description: SimulatedCameraDescription(modes: [
        .init(format: format, width: width, height: height, intervals: [interval])
      ]), clock: clock)
    var stream = try camera.start(
      format: format, width: width, height: height, interval: interval, startingAt: 0)
    stream.begin()
    var taken: (RingRecord, [UInt8])?
    _ = try stream.next(within: .seconds(1)) { frame in
      var bytes = [UInt8](repeating: 0, count: frame.byteCount)
      bytes.withUnsafeMutableBytes { if let base = $0.baseAddress { frame.copyBytes(to: base) } }
      taken = (
        RingRecord(
          kind: .frame, sequence: frame.sequence, timestampNanoseconds: frame.timestampNanoseconds), bytes
      )
    }
    let (record, bytes) = try #require(taken)
    return (record, bytes, stream.configuration)
  }

  @Test(
    "is at most of the requested size, has the frame's proportions, and its JPEG has the same size",
    arguments: [
      (PixelFormat.mjpeg, 1280, 720, 640, 480, 640, 360), (.mjpeg, 1280, 720, 639, 480, 320, 180),
      (.mjpeg, 1280, 720, 100, 100, 100, 56), (.mjpeg, 320, 180, 640, 480, 320, 180),
      (.yuyv, 640, 480, 320, 320, 320, 240), (.yuyv, 640, 480, 640, 480, 640, 480),
      (.grey, 640, 480, 160, 120, 160, 120), (.nv12, 1280, 720, 333, 1000, 333, 187),
    ])
  func size(
    format: PixelFormat, width: Int, height: Int, mostColumns: Int, mostRows: Int, columns: Int, rows: Int
  ) async throws {
    let (record, bytes, configuration) = try frame(format, width: width, height: height)
    let preview = try PreviewTap(
      fitting: Dimensions(width: UInt32(mostColumns), height: UInt32(mostRows)))
    let pictures = preview.pictures
    bytes.withUnsafeBytes { _ = preview.frames.offer($0, record, configuration, at: 0) }
    var iterator = pictures.makeAsyncIterator()
    let shown = try #require(await iterator.next())
    #expect((shown.picture.width, shown.picture.height) == (columns, rows))
    #expect(shown.sequence == record.sequence)
    #expect(preview.newest?.sequence == record.sequence)
    #expect(preview.failure == nil)
    var decoder = try JPEGDecoder()
    let jpeg = try shown.jpeg()
    let again = try jpeg.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
      try decoder.decode(bytes)
    }
    #expect((again.width, again.height) == (columns, rows))
    preview.close()
    #expect(await iterator.next() == nil)
  }

  @Test(
    "has the colours of the frame, whatever its format",
    arguments: [PixelFormat.yuyv, .nv12])
  func colours(format: PixelFormat) throws {
    func mean(_ format: PixelFormat) throws -> [Double] {
      let (record, bytes, configuration) = try frame(format, width: 640, height: 480)
      let frame = bytes.withUnsafeBytes { CapturedFrame(record, $0, configuration) }
      var decoder = PreviewDecoder(fitting: Dimensions(width: 160, height: 120))
      let picture = PreviewPicture(
        sequence: 0, timestamp: 0, picture: try decoder.decode(frame))
      var jpegDecoder = try JPEGDecoder()
      let jpeg = try picture.jpeg(quality: 95)
      let shown = try jpeg.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try jpegDecoder.decode(bytes)
      }
      return (0..<3).map { plane in
        let rows = shown.layout.planes(width: shown.width, height: shown.height)?[plane].rows ?? 0
        var (sum, count) = (0, 0)
        for row in 0..<rows {
          shown.withRow(row, plane: plane) { row in
            for index in row.indices { sum += Int(row[index]) }
            count += row.count
          }
        }
        return Double(sum) / Double(count)
      }
    }
    for (own, reference) in zip(try mean(format), try mean(.mjpeg)) { #expect(abs(own - reference) < 3) }
  }

  @Test("is missing for a damaged frame, but not for the next one", .tags(.program), .timeLimit(.minutes(1)))
  func damaged() async throws {
    let (record, bytes, configuration) = try frame(.mjpeg, width: 640, height: 480)
    let preview = try PreviewTap(
      fitting: Dimensions(width: 160, height: 120), minimumInterval: .nanoseconds(1))
    [UInt8](bytes.prefix(50)).withUnsafeBytes {
      _ = preview.frames.offer($0, record, configuration, at: 0)
    }
    while preview.failure == nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(preview.newest == nil)
    bytes.withUnsafeBytes { _ = preview.frames.offer($0, record, configuration, at: 1) }
    while preview.newest == nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(preview.failure == nil)
  }

  @Test("ends its thread and its listeners if it is dropped or closed twice")
  func closing() async throws {
    var preview: PreviewTap? = try PreviewTap(fitting: Dimensions(width: 160, height: 120))
    let pictures = try #require(preview?.pictures)
    preview?.close()
    preview?.close()
    for await _ in pictures {}
    let late = try #require(preview?.pictures)
    for await _ in late {}
    preview = nil
    let dropped = try PreviewTap(fitting: Dimensions(width: 160, height: 120)).frames
    #expect(dropped.next() == nil)
  }
}
