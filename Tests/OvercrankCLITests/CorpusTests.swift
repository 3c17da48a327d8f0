import Foundation
import FuzzedParsers
import Testing

@Suite("Inputs of guided fuzzing, and those that once failed")
struct CorpusTests {
  @Test("are read or refused by their parser, which keeps its promises", arguments: FuzzedParser.allCases)
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
