package import CameraModel

/// A format of V4L2 whose frames may depend on one another.
package struct StreamFormat: Sendable {
  /// V4L2's code.
  package let fourcc: String
  /// The codec of its frames.
  package let codec: VideoCodec
  /// The header that a file needs for a decoder that cannot tell the form of the frames; empty if it can.
  package let header: [UInt8]
  private let readRole: @Sendable (UnsafeRawBufferPointer) -> FrameRole

  private init(
    _ fourcc: String, _ codec: VideoCodec, header: [UInt8] = [],
    role: @escaping @Sendable (UnsafeRawBufferPointer) -> FrameRole
  ) {
    self.fourcc = fourcc
    self.codec = codec
    self.header = header
    readRole = role
  }

  /// All of them.
  package static let all = [
    Self("H264", .h264) { UnitCoding.avc.role(afterStartCodes: $0) },
    Self("AVC1", .h264, header: AVCHeader.withoutSets) { UnitCoding.avc.role(afterLengths: $0) },
    // Decoders leave out the units of the second view.
    Self("M264", .h264) { UnitCoding.avc.role(afterStartCodes: $0) },
    Self("HEVC", .other("hevc")) { UnitCoding.hevc.role(afterStartCodes: $0) },
    Self("MPG1", .other("mpeg1video")) { UnitCoding.mpeg.role(afterStartCodes: $0) },
    Self("MPG2", .other("mpeg2video")) { UnitCoding.mpeg.role(afterStartCodes: $0) },
    Self("MPG4", .other("mpeg4")) { UnitCoding.mpeg4.role(afterStartCodes: $0) },
    Self("XVID", .other("mpeg4")) { UnitCoding.mpeg4.role(afterStartCodes: $0) },
    Self("H263", .other("h263")) { FrameHead.h263($0) },
    Self("VP80", .other("vp8")) { FrameHead.vp8($0) },
    Self("VP90", .other("vp9")) { FrameHead.vp9($0) },
  ]

  /// Returns the role of `frame`, which is whole as the camera sent it.
  package func role(of frame: UnsafeRawBufferPointer) -> FrameRole { readRole(frame) }
}

extension StreamFormat: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.fourcc == right.fourcc }

  package func hash(into hasher: inout Hasher) { hasher.combine(fourcc) }
}

extension PixelFormat {
  /// The format of a stream of such frames, which depend on others; `nil` for other formats, and for those that are not
  /// supported.
  package var stream: StreamFormat? { StreamFormat.all.first { $0.fourcc == description } }
}
