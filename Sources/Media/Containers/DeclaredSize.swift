import Platform
import SystemPackage
import Timebase

/// The length that a container declares: the one sign of a cut-off file that libav silently ignores.
struct DeclaredSize {
  /// The missing part, as the end of a sentence; `nil` if the file is complete, or declares no length.
  let shortfall: String?
  /// The damaged bytes in front of other parts; known for FLV.
  let gaps: [Range<Int64>]

  /// The largest number of parts that are examined: more than a day of frames has.
  static let mostParts = 4_000_000
  /// The most bytes of damage behind which the next part is searched.
  static let longestGap: Int64 = 64 << 20

  /// Reads the heads of the parts of the file at `path`.
  ///
  /// A file that cannot be read has no shortfall: opening it reports the reason.
  init(of path: FilePath) {
    (shortfall, gaps) = (try? Self.read(InputFile(path))) ?? (nil, [])
  }

  private static func read(_ file: InputFile) throws(OvercrankError) -> (
    shortfall: String?, gaps: [Range<Int64>]
  ) {
    guard let tags = try FLVTags(file) else { return (try shortfall(of: file), []) }
    return (missing(tags.end, file), tags.gaps)
  }

  private static func shortfall(of file: InputFile) throws(OvercrankError) -> String? {
    let head = try file.bytes(at: 0, count: 600)
    func begins(_ magic: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: magic) }
    if begins([0x1a, 0x45, 0xdf, 0xa3]) { return try matroska(file) }
    if begins(Array("RIFF".utf8)), ["AVI ", "WEBP"].contains(where: { begins(Array($0.utf8), at: 8) }) {
      return try riff(file)
    }
    if begins(Array("GIF8".utf8)) { return try gif(file) }
    if begins([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]) { return try png(file) }
    if begins(Array("nut/multimedia container\0".utf8)) { return try nut(file) }
    if begins(Array("OggS".utf8)) { return try ogg(file) }
    if begins(Array("DKIF".utf8)) { return try ivf(file, head) }
    if begins([0x30, 0x26, 0xb2, 0x75]) { return try asf(file) }
    if begins([0, 0, 1, 0xba]) { return try programStream(file) }
    if head.count >= 8, movieTypes.contains(String(decoding: head[4..<8], as: UTF8.self)) {
      return try movie(file)
    }
    if begins([0, 0, 0, 0, 1, 0xbc]) { return try gxf(file) }
    if begins([0x84, 0x10, 0xff, 0xff, 0xff, 0xff]) { return try roq(file) }
    return try transportStream(file, head)
  }

  /// Describes the missing bytes of a part that ends at `end`; `nil` if there are none.
  static func missing(_ end: Int64, _ file: InputFile) -> String? {
    let count = end.subtracting(clamping: file.size)
    return count > 0 ? "\(count) \(count == 1 ? "byte is" : "bytes are") missing at its end" : nil
  }
}
