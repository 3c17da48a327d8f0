import Foundation
import Testing

@testable import Retime

@Suite("docs/json.md")
struct JSONPageTableTests {
  @Test("has a row for every command that prints JSON")
  func allCommands() throws {
    let page = try JSONPage()
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/OvercrankCLI/Commands").standardizedFileURL
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      guard text.contains("Console.sayJSON"), let match = text.firstMatch(of: /commandName: "([a-z]+)"/)
      else {
        continue
      }
      let parent = ["Profiles", "Setups", "Takes"].first { name.hasPrefix($0) }?.lowercased()
      let command = (parent.map { "\($0) " } ?? "") + match.output.1
      #expect(page.names(command), "docs/json.md does not say what \(command) --json prints")
    }
  }

  @Test("has a row for every stage of a clip")
  func allStages() throws {
    let rows = try JSONPage().keys.filter { $0.hasPrefix("stage.") }
    #expect(rows == Set(PictureStages.kinds.map { "stage.\($0.name)" }))
  }
}
