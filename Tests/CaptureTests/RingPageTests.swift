import Testing

@testable import Capture

@Suite("A ring on pages of any size")
struct RingPageTests {
  @Test("has whole pages, all that was asked for, and little more", arguments: [4 << 10, 16 << 10, 64 << 10])
  func capacity(_ page: Int) {
    // The arena begins at a multiple of a huge page, and so its halves at a page.
    #expect((2 << 20) % page == 0)
    for minimum in [
      0, 1, page - 1, page, page + 1, 1_000_003, (16 << 20) - 1, 16 << 20, (16 << 20) + 1, 3 << 30,
    ] {
      let capacity = RingMemory.capacity(for: minimum)
      #expect(capacity % page == 0 && capacity >= minimum)
      #expect(capacity - minimum <= max(64 << 10, minimum / 8))
    }
  }
}
