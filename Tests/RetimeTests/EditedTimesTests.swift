import Media
import Testing

@testable import Retime

@Suite("Times of parts that an edit list joins") struct EditedTimesTests {
  /// Joins frames at `times`, each decoded at its place in `decoded`; keyframes are those at `keyframes`.
  private func joined(_ times: [Int64], decoded: [Int64], keyframes: Set<Int>) -> [Int64]? {
    var edits = EditedTimes()
    for (index, time) in decoded.enumerated() {
      edits.note(decodedAt: time, isKeyframe: keyframes.contains(index), after: index)
    }
    return edits.joined(times.map { FrameTime(timestamp: $0, duration: 7) })?.map(\.timestamp)
  }

  @Test("follow one another where they overlap")
  func overlapping() {
    #expect(
      joined(
        [0, 20, 10, 10, 30, 20, 60, 70], decoded: [-10, 0, 10, -10, 0, 10, 5, 15], keyframes: [0, 3, 6])
        == [0, 20, 10, 30, 50, 40, 60, 70])
    // A part of one frame lasts as long as the frame before it did.
    #expect(
      joined([0, 10, 10, 10], decoded: [0, 10, 10, 10], keyframes: [0, 2, 3]) == [0, 10, 20, 30])
    #expect(joined([5, 5], decoded: [0, 0], keyframes: [0, 1]) == [5, 12])
  }

  @Test("stay as they are if no part overlaps the one before it, or there is only one")
  func apart() {
    #expect(joined([0, 20, 10, 27, 50, 40], decoded: [-10, 0, 10, 5, 6, 7], keyframes: [0, 3]) == nil)
    #expect(joined([0, 20, 10, 10], decoded: [-10, 0, 10, 20], keyframes: [0, 3]) == nil)
    #expect(joined([0, 20, 10, 10], decoded: [-10, 0, 10, 5], keyframes: [0]) == nil)
    #expect(joined([], decoded: [], keyframes: []) == nil)
    #expect(joined([.max, .min], decoded: [0, 0], keyframes: [0, 1]) != nil)
  }
}
