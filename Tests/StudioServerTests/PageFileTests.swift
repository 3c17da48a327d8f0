import Foundation
import Testing

@testable import StudioServer

@Suite("The files of the page") struct PageFileTests {
  @Test("are those of Page/, each served at its own path, with its own type")
  func complete() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/StudioServer/Page").standardizedFileURL
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(PageFile.all.map(\.path).sorted() == files.map { $0 == "index.html" ? "/" : "/\($0)" }.sorted())
    for file in PageFile.all {
      let name = file.path == "/" ? "index.html" : String(file.path.dropFirst())
      #expect(try Data(file.bytes) == Data(contentsOf: folder.appending(path: name)), "\(name)")
      #expect(file.type != "application/octet-stream", "\(name)")
    }
  }
}
