import Foundation
import FuzzedParsers
import Testing

@Suite("What guided fuzzing begins with, and what it found")
struct CorpusTests {
  @Test("is read or refused by its parser, without a promise broken", arguments: FuzzedParser.allCases)
  func replay(_ parser: FuzzedParser) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/Corpora/\(parser.rawValue)")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files.sorted(by: { $0.path < $1.path }) {
      #expect(throws: Never.self, "\(parser.rawValue)/\(file.lastPathComponent)") {
        try parser.feed(Array(Data(contentsOf: file)))
      }
    }
  }
}
