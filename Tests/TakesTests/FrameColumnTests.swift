import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Takes

@Suite("A number for each frame of a take")
struct FrameColumnTests {
  @Test("is read as it was entered, whatever its value")
  func anyNumbers() throws {
    var random = SplitMix(state: 3)
    for _ in 0..<300 {
      var numbers: [Int64] = []
      var number = Int64.random(in: .min ... .max, using: &random)
      for _ in 0..<Int.random(in: 0..<200, using: &random) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: number = [.min, .max, 0, -1].randomElement(using: &random) ?? 0
        case 1: number = Int64.random(in: .min ... .max, using: &random)
        case 2...4: number = number &+ 1
        default: number = number &+ Int64.random(in: -100_000...5_000_000, using: &random)
        }
        numbers.append(number)
      }
      let column = FrameColumn(numbers)
      #expect(Array(column) == numbers)
      #expect((column.first, column.last, column.count) == (numbers.first, numbers.last, numbers.count))
      #expect(try JSONDecoder().decode(FrameColumn.self, from: JSONEncoder().encode(column)) == column)
    }
  }

  @Test("needs about three bytes as a time, and none as a frame number")
  func memory() throws {
    var random = SplitMix(state: 4)
    var (numbers, times) = (FrameColumn(), FrameColumn())
    for number in 0..<200_000 as Range<Int64> {
      numbers.append(number)
      times.append(number * 4_166_667 + Int64.random(in: -20..<20, using: &random) * 1000)
    }
    #expect(numbers.byteCount < 100)
    #expect(times.byteCount < 3 * 200_000 + 1 << 17)
  }

  @Test("comes last in the take file, after the take's description")
  func file() throws {
    let folder = try TemporaryFolder()
    var accounting = FrameAccounting()
    for number in 0..<30_000 as Range<UInt32> {
      accounting.enterWritten(sequence: number, at: Instant(nanoseconds: Int64(number) * 1_000_003))
    }
    let take = Take(
      accounting, metadata: CutOffRecording.metadata, acceptedInterval: nil, clock: .monotonic, master: "x")
    let path = FilePath(folder.path("x.take.json"))
    try take.write(to: path, replacing: false)
    #expect(try Take.read(from: path) == take)
    let text = try String(contentsOfFile: path.string, encoding: .utf8)
    let list = try #require(text.range(of: "\"sequence\":["))
    #expect(text[..<list.lowerBound].utf8.count < 2000)
    for key in ["camera", "started_at", "frames", "losses", "trigger", "mode"] {
      #expect(text[..<list.lowerBound].contains("\"\(key)\":"))
    }
  }
}
