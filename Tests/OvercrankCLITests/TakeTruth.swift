import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing

/// Expects every frame between a take's first and last to be written or in the ledger, and none to be both.
func checkTruth(_ take: Take) {
  #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
  #expect(take.frames.written == Int64(take.sequences.count))
  #expect(take.frames.written == Int64(take.timestamps.count))
  #expect(zip(take.timestamps, take.timestamps.dropFirst()).allSatisfy { $0 < $1 })
  #expect(take.losses.reduce(0) { $0 + $1.count } == take.frames.lost.total)
  let lost = Set(take.losses.flatMap { Array($0.sequence..<$0.sequence + $0.count) })
  let first = min(take.sequences.first ?? 0, lost.min() ?? .max)
  #expect(Set(take.sequences).isDisjoint(with: lost))
  let isComplete = Set(take.sequences).union(lost) == Set(first..<first + take.frames.sent)
  #expect(isComplete, "\(take.frames), from \(first): \(take.losses)")
}

/// Expects a USB camera's take to hold the truth, and the numbers in its pixels to be the driver's: the camera sends all
/// of its frames, so a missing one was lost on the way.
///
/// On a busy machine, uvcvideo's workers sometimes complete buffers out of order. The take then says that its numbers are
/// not reliable, and each frame is in it once.
func checkNumbers(_ video: StripVideo, of take: Take) {
  checkTruth(take)
  let numbers = video.numbers.map { $0.map(Int64.init) }
  if take.hasReliableSequence {
    #expect(numbers == take.sequences.map(Optional.some))
  } else {
    #expect(numbers.count == take.sequences.count && !numbers.contains(nil), "\(numbers)")
    #expect(Set(numbers).count == numbers.count, "\(numbers)")
  }
}

extension TemporaryFolder {
  /// Waits until a recording of `clip` has written another quarter of a megabyte, however slow the machine, or has
  /// ended.
  func waitForVideo(of process: Process, clip: String = "x") {
    let path = path("\(clip).master.mov.part")
    func size() -> Int { (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int ?? 0 }
    let start = size()
    while process.isRunning, size() < start + 1 << 18 { usleep(20_000) }
  }

  /// The take of `clip`.
  func take(_ clip: String = "x") throws -> Take {
    try #require(try Take.read(from: FilePath(path("\(clip).take.json"))))
  }
}
