import CameraModel
import Foundation
import Takes
import Testing
import Timebase
import Yams

@testable import StudioServer

@Suite("The documents of the API") struct DescriptionTests {
  private static let docs = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs").standardizedFileURL

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: docs.appending(path: name), encoding: .utf8)
  }

  private static func openAPI() throws -> Node {
    try #require(try Yams.compose(yaml: text("studio-openapi.yaml")))
  }

  /// `GET /api/takes/{id}` and so on, of the server itself.
  private static func served() -> Set<String> {
    Set(routes().map { "\($0.method.rawValue) \($0.pattern)" })
  }

  /// The routes of the API.
  private static func routes() -> [Route] {
    let studio = FakeStudio()
    let limits = ServerLimits()
    let parts = StudioHost.Parts(
      studio: studio, hub: studio.hub, library: TakeLibrary("/nonexistent"), ids: TakeIDs(),
      clips: ClipQueue(changed: {}, finished: { _ in }), libraryChanged: {})
    let site = Site(
      Gate(names: [], port: 1, token: Token()),
      StudioHost.routes(parts, StudioHost.catalog(parts, BlockingWork(limits)), limits),
      limits: limits)
    return site.router.routes.filter { $0.pattern.hasPrefix("/api/") }
  }

  @Test("list every route of the server, and no other")
  func routes() throws {
    let paths = try #require(Self.openAPI()["paths"]?.mapping)
    var described: Set<String> = []
    for (path, operations) in paths {
      for (method, _) in operations.mapping ?? [:] where method.string != "parameters" {
        described.insert("\((method.string ?? "").uppercased()) \(path.string ?? "")")
      }
    }
    #expect(described == Self.served())
    let page = try Self.text("studio-api.md")
    for route in Self.served() {
      let path = route.split(separator: " ")[1].replacing("{id}", with: "ID").replacing(
        "{index}", with: "INDEX"
      )
      .replacing("{name}", with: "NAME")
      #expect(page.contains(path), "docs/studio-api.md says nothing of \(path)")
    }
  }

  @Test("state which routes accept a ticket")
  func tickets() throws {
    let paths = try #require(Self.openAPI()["paths"]?.mapping)
    var opened: Set<String> = []
    for (path, operations) in paths where operations["get"]?["security"] != nil {
      opened.insert(path.string ?? "")
    }
    #expect(opened == Set(Self.routes().filter { $0.ticket != nil }.map(\.pattern)))
  }

  @Test("list the error codes")
  func codes() throws {
    let code = try Self.openAPI()["components"]?["schemas"]?["Error"]?["properties"]?["error"]?[
      "properties"]?["code"]
    let described = Set(code?["enum"]?.array().compactMap(\.string) ?? [])
    #expect(described == Set(APIError.Code.allCases.map(\.rawValue)))
    let page = try Self.text("studio-api.md")
    for code in described {
      #expect(page.contains("`\(code)`"), "docs/studio-api.md says nothing of \(code)")
    }
  }

  @Test("list the keys of the answers")
  func keys() throws {
    func required(_ schema: String) throws -> Set<String> {
      Set(
        try Self.openAPI()["components"]?["schemas"]?[schema]?["required"]?.array().compactMap(\.string) ?? []
      )
    }
    func keys(_ value: some Encodable) throws -> Set<String> {
      let object = try JSONSerialization.jsonObject(with: Data(JSONAnswer.bytes(value))) as? [String: Any]
      return Set(try #require(object).keys)
    }
    #expect(try keys(FakeStudio.state()) == required("State"))
    #expect(try keys(StudioSettings()) == required("Settings"))
    let change = try Self.openAPI()["components"]?["schemas"]?["SettingsChange"]?["properties"]?.mapping
    let changeable = Set(try #require(change).keys.compactMap(\.string))
    #expect(try required("Settings") == changeable)
    #expect(try keys(try #require(FakeStudio.exposure(1))) == required("Control"))
    #expect(try keys(try #require(StudioCamera.all().last)) == required("Camera"))
    let mode = StudioMode(Mode(fourcc: "MJPG", width: 640, height: 480, interval: FrameInterval(1, 240)))
    #expect(try required("Mode").isSubset(of: keys(mode)))
    let page = try Self.text("studio-api.md")
    for schema in [
      "State", "Settings", "Control", "Camera", "Take", "Clip", "SettingsChange", "Group", "GroupCamera",
      "GroupFrames",
    ] {
      for key in try required(schema) {
        #expect(
          page.contains("`\(key)`") || page.contains("\"\(key)\""),
          "docs/studio-api.md says nothing of \(key)")
      }
    }
  }
}
