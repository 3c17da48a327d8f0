import CameraModel
import Testing

@testable import Media

@Suite("The role of a frame") struct FrameRoleTests {
  /// A frame of units with these headers, each with a few more bytes.
  private func frame(_ headers: [UInt8], startCode: [UInt8] = [0, 0, 0, 1]) -> [UInt8] {
    headers.flatMap { startCode + [$0, 0x80, 0, 0, 3, 1, 0x65] }
  }

  private func role(_ frame: [UInt8], _ fourcc: String) -> FrameRole? {
    frame.withUnsafeBytes { PixelFormat(fourcc: fourcc)?.stream?.role(of: $0) }
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
    for fourcc in ["H264", "M264"] {
      #expect(self.role(frame(headers), fourcc) == role)
      #expect(self.role(frame(headers, startCode: [0, 0, 1]), fourcc) == role)
    }
    #expect(self.role(frame(headers, startCode: [0, 0, 0, 7]), "AVC1") == role)
  }

  @Test(
    "is that of its first slice in HEVC, too",
    arguments: [
      ([32, 33, 34, 19], FrameRole.entry), ([35, 32, 33, 34, 39, 20], .entry), ([32, 33, 34, 21], .entry),
      ([19], .key), ([33, 34, 19], .key), ([1], .dependent), ([32, 33, 34, 1], .dependent),
      ([40], .dependent),
    ])
  func hevc(_ types: [UInt8], _ role: FrameRole) {
    #expect(self.role(frame(types.map { $0 << 1 }), "HEVC") == role)
  }

  @Test("is that of its picture's header in MPEG")
  func mpeg() {
    // Time 0, and the kind of the picture.
    func picture(_ kind: UInt8) -> [UInt8] { [0, 0, 1, 0, 0, kind << 3, 0xff] }
    let sequence: [UInt8] = [0, 0, 1, 0xb3, 0x14, 0, 0xb4, 0x18]
    let group: [UInt8] = [0, 0, 1, 0xb8, 0, 8, 0, 0x40]
    for fourcc in ["MPG1", "MPG2"] {
      #expect(role(sequence + group + picture(1), fourcc) == .entry)
      #expect(role(group + picture(1), fourcc) == .key)
      for kind in [UInt8(0), 2, 3, 4] { #expect(role(sequence + picture(kind), fourcc) == .dependent) }
      #expect(role(sequence + picture(1).prefix(5), fourcc) == .dependent)
    }
    let layer: [UInt8] = [0, 0, 1, 0xb0, 1, 0, 0, 1, 0, 0, 0, 1, 0x20, 0, 0xc4]
    for fourcc in ["MPG4", "XVID"] {
      #expect(role(layer + [0, 0, 1, 0xb6, 0x10], fourcc) == .entry)
      #expect(role([0, 0, 1, 0xb6, 0x10], fourcc) == .key)
      for kind in [UInt8(1), 2, 3] {
        #expect(role(layer + [0, 0, 1, 0xb6, kind << 6], fourcc) == .dependent)
      }
    }
  }

  @Test(
    "is in the first bits of H.263, VP8 and VP9",
    arguments: [
      ("H263", [0, 0, 0x80, 0x02, 0x0c, 0x04], FrameRole.entry),
      ("H263", [0, 0, 0x80, 0x02, 0x0e, 0x04], .dependent),
      // The extended form: its picture's type follows 18 bits of options, or none.
      ("H263", [0, 0, 0x80, 0x02, 0x1c, 0x80, 0, 0x00], .entry),
      ("H263", [0, 0, 0x80, 0x02, 0x1c, 0x80, 0, 0x04], .dependent),
      ("H263", [0, 0, 0x80, 0x02, 0x1c, 0x02], .entry), ("H263", [0, 0, 0x80, 0x02, 0x1c, 0x10], .dependent),
      ("H263", [0, 0, 0x80], .dependent), ("H263", [], .dependent),
      ("VP80", [0xf0, 0x62, 0, 0x9d, 0x01, 0x2a, 0x40], .entry),
      ("VP80", [0xf1, 0x62, 0, 0x9d, 0x01, 0x2a], .dependent),
      ("VP80", [0xf0, 0x62, 0, 0x9d, 0x01], .dependent), ("VP80", [], .dependent),
      ("VP90", [0x82, 0x49, 0x83, 0x42, 0], .entry), ("VP90", [0x86, 0x49, 0x83, 0x42], .dependent),
      // Profile 3 has a bit more; the third shows an earlier frame again.
      ("VP90", [0xb1, 0x24, 0xc1, 0xa1, 0], .entry), ("VP90", [0x88, 0x49, 0x83, 0x42], .dependent),
      ("VP90", [0x82, 0x49, 0x83], .dependent), ("VP90", [], .dependent),
    ] as [(String, [UInt8], FrameRole)])
  func heads(_ fourcc: String, _ frame: [UInt8], _ role: FrameRole) {
    #expect(self.role(frame, fourcc) == role)
  }

  @Test("does not depend on bytes after the frame's end, or on an unfinished unit")
  func short() {
    for count in 0..<4 { #expect(role(Array([0, 0, 1, 0x65].prefix(count)), "H264") == .dependent) }
    #expect(role([0, 0, 1, 0x65], "H264") == .key)
    let unit: [UInt8] = [0, 0, 0, 1, 0x65]
    for count in 0..<5 { #expect(role(Array(unit.prefix(count)), "AVC1") == .dependent) }
    #expect(role(unit, "AVC1") == .key)
    for length in [[0, 0, 0, 2], [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0]] as [[UInt8]] {
      #expect(role(length + [0x65], "AVC1") == .dependent)
    }
  }

  @Test("is to stand alone for JPEGs and raw frames")
  func alone() {
    for fourcc in ["MJPG", "GREY", "S910"] { #expect(PixelFormat(fourcc: fourcc)?.stream == nil) }
  }

  @Test("depends on the family: none of these formats is raw")
  func families() {
    for format in StreamFormat.all { #expect(PixelFormat(fourcc: format.fourcc)?.family == .interframe) }
  }
}

@Suite("The header of H.264 without start codes") struct AVCHeaderTests {
  @Test("has the parameter sets of a frame, and none if the frame lacks one")
  func collected() {
    func header(_ frame: [UInt8]) -> [UInt8]? { frame.withUnsafeBytes { AVCHeader.collected(from: $0) } }
    let sequence: [UInt8] = [0, 0, 0, 5, 0x67, 100, 0, 31, 9]
    let picture: [UInt8] = [0, 0, 0, 4, 0x68, 1, 2, 3]
    #expect(
      header(sequence + picture + [0, 0, 0, 1, 0x65]) == [
        1, 100, 0, 31, 0xff, 0xe1, 0, 5, 0x67, 100, 0, 31, 9, 1, 0, 4, 0x68, 1, 2, 3, 0xfd, 0xf8, 0xf8, 0,
      ])
    #expect(header(sequence) == nil && header(picture) == nil && header([]) == nil)
    #expect(header([0, 0, 0, 1, 0x67] + picture) == nil)
  }
}
