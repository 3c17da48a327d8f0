import CameraModel
import Foundation
import Testing
import Timebase

@testable import Cameras

/// The table of a real camera, with the mode that must be chosen at each rate.
struct KnownCamera: Decodable, CustomTestStringConvertible, Sendable {
  struct Answer: Decodable, Hashable, Sendable {
    var fourcc: String
    var width: UInt32
    var height: UInt32
    var interval: FrameInterval?
  }

  var id: String
  var expected: [String: Answer?]
  var table = CameraTable(rows: [])
  var testDescription: String { id }

  enum CodingKeys: CodingKey { case id, expected }

  static let all: [KnownCamera] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/cameras").standardizedFileURL
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.sorted { $0.path < $1.path }.compactMap { file in
      guard let data = try? Data(contentsOf: file),
        var camera = try? JSONDecoder().decode(KnownCamera.self, from: data),
        let table = try? CameraTable(json: data, named: file.lastPathComponent)
      else { return nil }
      camera.table = table
      return camera
    }
  }()
}

@Suite("The tables of real cameras")
struct RealCameraTests {
  @Test("are all read")
  func count() {
    #expect(KnownCamera.all.count == 34)
  }

  @Test("lead to the right mode at each rate", arguments: KnownCamera.all)
  func choice(_ camera: KnownCamera) throws {
    #expect(camera.expected.count == 5)
    for (rate, answer) in camera.expected {
      let choice = ModeChoice(from: camera.table, for: .init(rate: try FrameRate(text: rate)))
      #expect(choice.mode?.fourcc == answer?.fourcc, "at \(rate)")
      #expect(choice.mode?.width == answer?.width, "at \(rate)")
      #expect(choice.mode?.height == answer?.height, "at \(rate)")
      if let interval = answer?.interval { #expect(choice.mode?.interval == interval, "at \(rate)") }
      // Other modes are listed too: the fast ones after the chosen one, or slower ones instead of it.
      let floor = choice.request.floor
      #expect(choice.ranking.allSatisfy { $0.rate.map { $0.framesPerSecond >= floor } == true }, "at \(rate)")
      #expect(Set(choice.ranking).count == choice.ranking.count, "at \(rate)")
      #expect(choice.nearest.allSatisfy { $0.rate.map { $0.framesPerSecond < floor } == true }, "at \(rate)")
      let hasRates = camera.table.rows.contains {
        !$0.intervals.isEmpty || $0.stepwise != nil || $0.continuous != nil
      }
      #expect(choice.nearest.isEmpty == (choice.mode != nil || !hasRates), "at \(rate)")
    }
  }

  @Test("survive a round trip through JSON", arguments: KnownCamera.all)
  func roundTrip(_ camera: KnownCamera) throws {
    let json = try JSONEncoder().encode(camera.table)
    #expect(try CameraTable(json: json, named: "again") == camera.table)
  }
}
