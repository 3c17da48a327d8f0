import Testing

@testable import Retime

@Suite("The order of decoded pictures")
struct PictureOrderTests {
  /// The pictures and their indices, for pictures whose times state these indices.
  private func ordered(_ stated: [Int]) -> [[Int]] {
    var order = PictureOrder<Int>()
    var all = stated.enumerated().compactMap { order.add($0.offset, $0.element) }
    if let last = order.last() { all.append(last) }
    return all.map { [$0.picture, $0.index] }
  }

  @Test("is that of their times")
  func right() {
    #expect(ordered([0, 1, 3, 4]) == [[0, 0], [1, 1], [2, 3], [3, 4]])
    #expect(ordered([]) == [])
  }

  @Test("is that of their times if a decoder returns a few out of order")
  func reordered() {
    #expect(ordered([0, 2, 1, 3]) == [[0, 0], [2, 1], [1, 2], [3, 3]])
  }

  @Test("is the decoder's if one states a time that is far too late")
  func late() {
    let stated = [0, 8, 1, 2, 3, 4, 5, 6, 7, 9, 10]
    #expect(ordered(stated) == (0...10).map { [$0, $0] })
    // To the end of the source.
    #expect(ordered([0, 7, 1, 2, 3, 4, 5, 6]) == (0...7).map { [$0, $0] })
  }
}
