import CameraModel
import Platform
internal import SystemPackage

/// The first line of Y4M, such as `YUV4MPEG2 W1280 H720 F240:1`, which any program may have written.
enum Y4MHeader {
  private static let magic = "YUV4MPEG2"
  /// The number of bytes that libav reads of it.
  private static let mostBytes = 96
  /// The plausible frames per second of a camera, from one a day on.
  private static let rates = 1.0 / 86_400...1_000_000.0

  /// Checks a header for impossible numbers: libav would use others, or stop without a reason.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - head: its first bytes.
  /// - Throws: `badData`.
  static func check(_ path: FilePath, head: [UInt8]) throws(OvercrankError) {
    guard head.starts(with: magic.utf8),
      let bytes = try? InputFile(path).bytes(at: 0, count: mostBytes),
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
    else { return }
    let line = String(decoding: bytes[..<end], as: UTF8.self)
    let words = line.split(separator: " ").dropFirst()
    func word(_ letter: Character) -> Substring? { words.first { $0.first == letter }?.dropFirst() }
    let width = word("W").flatMap { Int32($0) } ?? 0
    let height = word("H").flatMap { Int32($0) } ?? 0
    guard width > 0, height > 0, Int(width) * Int(height) <= VideoDecoder.mostPixels else {
      throw refusal(path, "W\(word("W") ?? "") H\(word("H") ?? "")", "not a valid frame size")
    }
    // 0:0 means an unknown rate.
    guard let rate = word("F"), rate != "0:0" else { return }
    let terms = rate.split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) ?? 0 }
    guard terms.count == 2, terms.allSatisfy({ $0 > 0 }),
      rates.contains(Double(terms[0]) / Double(terms[1]))
    else { throw refusal(path, "F\(rate)", "not a valid frame rate") }
  }

  private static func refusal(_ path: FilePath, _ words: String, _ meaning: String) -> OvercrankError {
    OvercrankError(
      .badData,
      "\(path): its Y4M header has \(words.printable), which is \(meaning). Have the program that wrote it "
        + "write a valid one.")
  }
}
