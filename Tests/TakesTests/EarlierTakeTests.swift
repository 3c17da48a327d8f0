import FrameJudge
import Foundation
import SystemPackage
import Testing
import Timebase

@testable import Takes

/// `Tests/Fixtures/Takes` holds the take of the same recording by each version:
/// `record sim:,drop=5-6 --max-width 640 --frames 12 --speed 1/8 --label "first drop" -o drop.mp4`.
@Suite("Takes of every version")
struct EarlierTakeTests {
  static let versions = ["0.1.0", "0.2.0"]

  @Test("are read in full", arguments: versions)
  func readInFull(version: String) throws {
    let path = FilePath("\(#filePath)").removingLastComponent()
      .appending("../Fixtures/Takes/\(version).take.json").lexicallyNormalized()
    let read = try Take.read(from: path)
    let take = try #require(read)
    #expect(take.overcrank == version)
    #expect(take.label == "first drop")
    #expect(take.mode.fourcc == "YUYV" && take.mode.width == 640 && take.mode.height == 480)
    #expect(take.frames.written == 12 && take.frames.sent == 14)
    #expect(take.frames.lost.driver == 2 && take.frames.lost.total == 2)
    #expect(take.losses == [Loss(sequence: 5, count: 2, stage: .driver)])
    #expect(Array(take.sequences) == [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13])
    #expect(take.clips.first?.file == "drop.mp4" && take.clips.first?.frames == 14)
    #expect(take.controls["gain"]?.value == 16)
  }
}
