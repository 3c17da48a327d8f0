import Foundation
import Testing

/// script/test-kernel runs what has the tag, so that a test without it would run nowhere.
@Suite("Tests that need the kernel's cameras say so")
struct KernelTagTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "..").standardizedFileURL

  /// The text between the parentheses of each attribute of a suite or a test.
  private func attributes(in source: String) -> [(isSuite: Bool, text: Substring)] {
    source.matches(of: /@(Suite|Test)\(/).map { match in
      var depth = 1
      let rest = source[match.range.upperBound...]
      let end = rest.firstIndex { character in
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        return depth == 0
      }
      return (match.1 == "Suite", rest[..<(end ?? rest.endIndex)])
    }
  }

  @Test("by the tag that script/test-kernel looks for")
  func tags() throws {
    let files = try #require(
      FileManager.default.enumerator(at: Self.tests, includingPropertiesForKeys: nil))
    var (tagged, missing): (Int, [String]) = (0, [])
    for case let file as URL in files where file.lastPathComponent.hasSuffix("Tests.swift") {
      let attributes = attributes(in: try String(contentsOf: file, encoding: .utf8))
      let hasSuite = attributes.contains { $0.isSuite && $0.text.contains(".tags(.kernel)") }
      for (isSuite, text) in attributes where text.contains(/KernelCameras|USBCamera/) {
        if text.contains(".tags(.kernel)") || (hasSuite && !isSuite) {
          tagged += 1
        } else {
          missing.append("\(file.lastPathComponent): \(text)")
        }
      }
    }
    #expect(tagged > 10)
    #expect(missing.isEmpty, "\(missing)")
  }
}
