import Platform
import CameraModel
import FrameJudge
import Foundation
import Testing

@testable import Cameras

@Suite("Damaged tables are read or refused without a crash")
struct MutationTests {
  private func mutated(_ source: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = source
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(contentsOf: Array("4294967295.999999".utf8), at: place)
      default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
      }
    }
    return bytes
  }

  /// Reads a table, and chooses a mode from it. Returns whether it could be read.
  private func isRead(_ bytes: [UInt8], prints: Bool = true) -> Bool {
    do throws(OvercrankError) {
      let table = try CameraTable(contents: bytes, named: "x")
      _ = ModeChoice.preferences(from: table)
      if prints {
        let sheet = ModeSheet(table)
        #expect(sheet.text(.init(width: 80)).count + sheet.csv.count > 1)
      }
      return true
    } catch {
      #expect(error.code == .badData)
      #expect(error.description.hasPrefix("x"))
      return false
    }
  }

  @Test("as text of v4l2-ctl", .timeLimit(.minutes(1)))
  func texts() {
    var random = SplitMix(state: 1)
    let source = Array((ListingSample.newer + ListingSample.several).utf8)
    let read = (0..<10_000).count { isRead(mutated(source, &random), prints: $0 % 10 == 0) }
    #expect((1..<10_000).contains(read))
  }

  @Test("as JSON", .timeLimit(.minutes(1)))
  func json() throws {
    var random = SplitMix(state: 2)
    var tables = HostileTables(random: SplitMix(state: 3))
    let encoder = JSONEncoder()
    let sources = try (0..<20).map { _ in Array(try encoder.encode(tables.table())) }
    let read = (0..<10_000).count { isRead(mutated(sources[$0 % sources.count], &random)) }
    #expect((1..<10_000).contains(read))
  }
}
