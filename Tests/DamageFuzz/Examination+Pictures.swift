import CameraModel
import FrameJudge
import Media
import Takes

extension Examination {
  func decode(_ bytes: [UInt8], _ random: inout SplitMix) throws {
    let reduction = [1, 1, 2, 4, 8].randomElement(using: &random) ?? 1
    var decoder = try JPEGDecoder(reduction: reduction)
    try touch(try Self.withExactly(bytes) { try decoder.decode($0) })
  }

  /// Makes a still from a camera's JPEG.
  func still(_ bytes: [UInt8], _ random: inout SplitMix) throws {
    let walk = Self.withExactly(bytes) { JPEGWalk($0.bindMemory(to: UInt8.self).span) }
    if case .whole(let count, _, _) = walk, !(4...bytes.count).contains(count) {
      throw Wrong(description: "a JPEG of \(count) bytes was found in \(bytes.count)")
    }
    let jpeg = try JPEGHuffmanTables.added(to: bytes)
    guard try JPEGHuffmanTables.added(to: jpeg) == jpeg else {
      throw Wrong(description: "Huffman tables were added twice")
    }
    try decode(jpeg, &random)
  }

  /// Makes a still from an uncompressed frame, of the right size or another.
  func still(ofFrame bytes: [UInt8], _ random: inout SplitMix) throws {
    let fourcc = Self.rawFormats.randomElement(using: &random) ?? "YUYV"
    guard let codec = PixelFormat(fourcc: fourcc).flatMap(MasterFormat.init)?.codec else {
      throw Unready(description: "there is no master of \(fourcc)")
    }
    var (width, height) = (64, 32)
    if random.next() % 4 == 0 { width = Self.sides.randomElement(using: &random) ?? 1 }
    if random.next() % 4 == 0 { height = Self.sides.randomElement(using: &random) ?? 1 }
    var frame = bytes
    // Exactly the bytes that it needs, so that a read beyond them is found.
    if let count = codec.byteCount(width: width, height: height), count < bytes.count {
      frame.removeLast(bytes.count - count)
    }
    let range: ColorDescription.Range = random.next() % 2 == 0 ? .full : .limited
    let color = ColorDescription(primaries: .bt709, transfer: .srgb, matrix: .bt601, range: range)
    let jpeg = try Self.withExactly(frame) {
      try StillEncoder.jpeg(
        of: $0.bindMemory(to: UInt8.self).span, codec: codec, width: width, height: height, color: color)
    }
    var decoder = try JPEGDecoder(reduction: 1)
    let picture = try jpeg.withUnsafeBytes { try decoder.decode($0) }
    guard (picture.width, picture.height) == (width, height) else {
      throw Wrong(description: "a still of \(width)x\(height) is \(picture.width)x\(picture.height)")
    }
    try touch(picture)
  }

  private static let rawFormats = [
    "YUYV", "UYVY", "YVYU", "VYUY", "NV12", "NV21", "NV16", "YU12", "YV12", "422P", "RGB3", "BGR3", "XR24",
    "GREY", "Y10 ", "Y16 ", "BA81", "RG10", "BG12", "pRAA", "pGCC",
  ]
  private static let sides = [0, 1, 2, 3, 31, 63, 65, 65_500, 65_501, 1 << 20, 0x7fff_ffff, 0xffff_ffff]

  /// Calls `read` with memory of exactly that size, so that a byte too far belongs to another allocation.
  private static func withExactly<Result, Failure: Error>(
    _ bytes: [UInt8], _ read: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let exact = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { exact.deallocate() }
    exact.copyBytes(from: bytes)
    return try read(UnsafeRawBufferPointer(exact))
  }

  /// Reads every sample of `picture`.
  private func touch(_ picture: Picture) throws {
    guard let planes = picture.layout.planes(width: picture.width, height: picture.height) else {
      throw Wrong(
        description: "a picture of \(picture.width)x\(picture.height) \(picture.layout) has no planes")
    }
    var sum = 0
    for (index, plane) in planes.enumerated() {
      for row in 0..<plane.rows {
        picture.withRow(row, plane: index) { row in
          for column in row.indices { sum &+= Int(row[column]) }
        }
      }
    }
    guard sum >= 0 else { throw Wrong(description: "impossible samples") }
  }
}
