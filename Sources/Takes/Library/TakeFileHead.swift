import FoundationEssentials
import Platform
import SystemPackage

extension Take {
  /// Reads the JSON before the per-frame lists of the take in the file at `path`, completed to an object.
  ///
  /// A take file has its description first and a number for each frame last, so this takes no longer for a
  /// long take than for a short one.
  ///
  /// - Throws: `OvercrankError` with `noInput` if there is no such file, `badData` if it is not a take or is
  ///   cut off.
  static func descriptionBytes(in path: FilePath) throws(OvercrankError) -> [UInt8] {
    let found = try head(of: InputFile(path))
    guard let found else {
      throw OvercrankError(
        .badData, "\(path): contains no list of frames, so it is not a take, or it was cut off.")
    }
    guard found.isClosed else {
      throw OvercrankError(.badData, "\(path): is cut off. Copy it again from a complete file.")
    }
    return found.head
  }

  /// The bytes of a take with losses of a million runs.
  private static let largestHead = 1 << 26

  private static func head(of file: InputFile) throws(OvercrankError) -> (head: [UInt8], isClosed: Bool)? {
    var count = 1 << 13
    while true {
      let bytes = try file.bytes(at: 0, count: count)
      if let end = TakeFileHead.end(in: bytes) {
        // A file that was cut off in its lists of numbers does not end with the closing brace.
        let tail = try file.bytes(at: max(0, file.size - 64), count: 64)
        return (
          TakeFileHead.closed(bytes[..<end]), tail.last { !TakeFileHead.isSpace($0) } == UInt8(ascii: "}")
        )
      }
      guard Int64(bytes.count) < file.size, count < largestHead else { return nil }
      count *= 8
    }
  }
}

/// A search for the end of the description in a take file.
enum TakeFileHead {
  private static let lists: [[UInt8]] = ["sequence", "timestamp_ns"].map { Array($0.utf8) }

  /// Returns the place of the first key of the outermost object whose value is a list with an entry for each
  /// frame; `nil` if there is none in `text`.
  static func end(in text: [UInt8]) -> Int? {
    text.withUnsafeBufferPointer { text in
      var (depth, place) = (0, 0)
      while place < text.count {
        switch text[place] {
        case UInt8(ascii: "\""):
          let start = place
          place += 1
          while place < text.count, text[place] != UInt8(ascii: "\"") {
            place += text[place] == UInt8(ascii: "\\") ? 2 : 1
          }
          guard place < text.count else { return nil }
          if depth == 1, isKey(text, at: place + 1),
            lists.contains(where: text[(start + 1)..<place].elementsEqual)
          {
            return start
          }
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        place += 1
      }
      return nil
    }
  }

  /// Returns whether a colon follows.
  private static func isKey(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    var place = place
    while place < text.count, isSpace(text[place]) { place += 1 }
    return place < text.count && text[place] == UInt8(ascii: ":")
  }

  /// Returns the JSON before the lists as a complete object.
  static func closed(_ head: ArraySlice<UInt8>) -> [UInt8] {
    var head = head
    while let last = head.last, isSpace(last) || last == UInt8(ascii: ",") { head.removeLast() }
    return head + [UInt8(ascii: "}")]
  }

  /// Returns whether `byte` is JSON white space.
  static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x0a, 0x0d, 0x09].contains(byte) }
}
