import Testing

@testable import Media

@Suite("The role of a frame") struct FrameRoleTests {
  /// A frame of NAL units with these headers, each with a few more bytes.
  private func frame(_ headers: [UInt8], startCode: [UInt8] = [0, 0, 0, 1]) -> [UInt8] {
    headers.flatMap { startCode + [$0, 0x80, 0, 0, 3, 1, 0x65] }
  }

  private func role(_ frame: [UInt8], _ codec: VideoCodec) -> FrameRole {
    frame.withUnsafeBytes { codec.role(of: $0) }
  }

  @Test(
    "is that of its first slice in H.264, and a recording begins with one that has all parameter sets",
    arguments: [
      ([0x67, 0x68, 0x65], FrameRole.entry), ([0x09, 0x67, 0x68, 0x06, 0x65, 0x65], .entry), ([0x65], .key),
      ([0x67, 0x65], .key), ([0x41], .dependent), ([0x67, 0x68, 0x41], .dependent),
      ([0x01, 0x65], .dependent),
      ([0x67, 0x68], .dependent), ([], .dependent),
    ])
  func h264(_ headers: [UInt8], _ role: FrameRole) {
    #expect(self.role(frame(headers), .h264) == role)
    #expect(self.role(frame(headers, startCode: [0, 0, 1]), .h264) == role)
  }

  @Test(
    "is that of its first slice in HEVC, too",
    arguments: [
      ([32, 33, 34, 19], FrameRole.entry), ([35, 32, 33, 34, 39, 20], .entry), ([32, 33, 34, 21], .entry),
      ([19], .key), ([33, 34, 19], .key), ([1], .dependent), ([32, 33, 34, 1], .dependent),
      ([40], .dependent),
    ])
  func hevc(_ types: [UInt8], _ role: FrameRole) {
    #expect(self.role(frame(types.map { $0 << 1 }), .other("hevc")) == role)
  }

  @Test("does not depend on bytes after the frame's end, or on an unfinished unit")
  func short() {
    for count in 0..<4 { #expect(role(Array([0, 0, 1, 0x65].prefix(count)), .h264) == .dependent) }
    #expect(role([0, 0, 1, 0x65], .h264) == .key)
  }

  @Test("is to stand alone for JPEGs and raw frames")
  func alone() {
    for codec in [VideoCodec.mjpeg, .raw(.gray)] { #expect(role([0xff, 0xd8], codec) == .entry) }
  }
}
