import CameraModel
import Foundation
import Testing

@testable import Media

@Suite("The tables of docs/formats.md")
struct FormatPageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  /// The codes in the table rows of the page, up to the heading of formats that are not recorded, and from there.
  private static func codes() throws -> (recorded: Set<String>, refused: Set<String>) {
    let page = try String(contentsOf: folder.appending(path: "docs/formats.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "## Formats that are not recorded")
    let refused = try #require(parts.last).components(separatedBy: "\n## ")[0]
    func codes(_ text: String) -> Set<String> {
      Set(
        text.split(separator: "\n").filter { $0.hasPrefix("| ") }.flatMap { row in
          let cells = row.split(separator: "|")
          return cells[0].matches(of: /`([^`]+)`/).map { String($0.1) }
        })
    }
    return (codes(parts[0]), codes(refused))
  }

  private static func isRecorded(_ code: String) -> Bool {
    PixelFormat(fourcc: code).map { $0.codec != nil || $0.stream != nil } ?? false
  }

  @Test("have all formats that are recorded, and refuse no other")
  func program() throws {
    let codes = try Self.codes()
    #expect(codes.recorded.filter { !Self.isRecorded($0) } == [])
    #expect(codes.refused.filter { Self.isRecorded($0) } == [])
    #expect(Set(PixelPacking.all.map(\.fourcc)).subtracting(codes.recorded) == [])
  }

  /// Newer headers have formats that the page does not know.
  private static let header: String? = {
    let version = try? String(contentsOfFile: "/usr/include/linux/version.h", encoding: .utf8)
    let lines = version?.split(separator: "\n") ?? []
    guard lines.contains("#define LINUX_VERSION_MAJOR 6"),
      lines.contains("#define LINUX_VERSION_PATCHLEVEL 1")
    else {
      return nil
    }
    return try? String(contentsOfFile: "/usr/include/linux/videodev2.h", encoding: .utf8)
  }()

  @Test("have each format of videodev2.h as of Linux 6.1", .enabled(if: header != nil))
  func kernel() throws {
    let codes = try Self.codes()
    let define = /#define V4L2_PIX_FMT_\w+\s+v4l2_fourcc(_be)?\('(.)', ?'(.)', ?'(.)', ?'(.)'\)/
    let formats = try #require(Self.header).matches(of: define).map { match in
      "\(match.2)\(match.3)\(match.4)\(match.5)" + (match.1 == nil ? "" : "-BE")
    }
    #expect(formats.count > 200)
    #expect(formats.filter { !codes.recorded.contains($0) && !codes.refused.contains($0) } == [])
  }
}
