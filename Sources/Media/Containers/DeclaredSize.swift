import Platform
import SystemPackage
import Timebase

/// What a container says of its own length: the one sign that a file is cut off which libav passes over in silence.
struct DeclaredSize {
  /// What is missing, as the end of a sentence; `nil` where the file is whole, or does not say.
  let shortfall: String?

  /// So many parts of a file are looked at: more than a day of frames has.
  static let mostParts = 4_000_000

  /// Reads the heads of the parts that the file at `path` is made of.
  ///
  /// A file that cannot be read has no shortfall: whoever opens it is told why.
  init(of path: FilePath) {
    do {
      shortfall = try Self.shortfall(of: InputFile(path))
    } catch {
      shortfall = nil
    }
  }

  private static func shortfall(of file: InputFile) throws(OvercrankError) -> String? {
    let head = try file.bytes(at: 0, count: 600)
    func begins(_ magic: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: magic) }
    if begins([0x1a, 0x45, 0xdf, 0xa3]) { return try matroska(file) }
    if begins(Array("RIFF".utf8)), begins(Array("AVI ".utf8), at: 8) { return try avi(file) }
    if begins(Array("FLV".utf8)) { return try flv(file, head) }
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

  /// What is missing of a part that ends at `end`.
  static func missing(_ end: Int64, _ file: InputFile) -> String? {
    let count = end.subtracting(clamping: file.size)
    return count > 0 ? "\(count) \(count == 1 ? "byte is" : "bytes are") missing at its end" : nil
  }
}
