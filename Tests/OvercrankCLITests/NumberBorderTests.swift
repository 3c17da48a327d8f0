import Foundation
import Testing

/// The forms that stop the program if an external number is out of range; see
/// docs/architecture.md, "Numbers from outside".
@Suite("No source computes with an external number in a way that may stop the program")
struct NumberBorderTests {
  /// The violations in `line`: quotients converted to whole numbers, `abs`, and forced conversions.
  static func violations(in line: some StringProtocol) -> [String] {
    let text = String(line)
    // Regular expressions are slow: only a few lines are examined twice.
    guard [".rounded(", "abs(", ")!"].contains(where: text.contains),
      !text.drop(while: \.isWhitespace).hasPrefix("//")
    else { return [] }
    return
      text.matches(of: /\bU?Int(?:8|16|32|64|128)?\((?!clamping:|exactly:)[^"]*\.rounded\([^"]*/)
      .map { String($0.output) }
      + text.matches(of: /\babs\([^"]*/).map { String($0.output) }
      + text.matches(of: /(?:exactly|bitPattern): [^"]*\)!/).map { String($0.output) }
  }

  @Test("in any module")
  func rooms() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardizedFileURL
    let all = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    let files = all.compactMap { $0 as? URL }.filter {
      $0.pathExtension == "swift" && $0.lastPathComponent != "Clamping.swift"
    }
    #expect(files.count > 200)
    for file in files {
      let lines = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        let found = Self.violations(in: line)
        #expect(found.isEmpty, "\(file.path):\(number + 1): \(found.joined(separator: "; "))")
      }
    }
  }

  @Test(
    "and such a line is found",
    arguments: [
      ("let a = Int((x * 10).rounded())", 1), ("let a = Int64(clamping: (x * 10).rounded())", 0),
      ("let a = abs(b - c)", 1), ("let a = UInt32(exactly: b)!", 1), ("/// abs(x) and Int(x.rounded())", 0),
      ("let a = (b - c).magnitude", 0), ("let a = Int(fraction.rounded)", 0),
    ])
  func examples(_ line: String, _ count: Int) {
    #expect(Self.violations(in: line).count == count)
  }
}
