import Foundation
import Testing

@testable import Overcrank

@Suite("The library folder")
struct LibraryFolderTests {
  @Test("names files by local time, to the millisecond")
  func stamp() throws {
    let text = LibraryFolder.stamp(Date(timeIntervalSince1970: 1_546_343_940.999))
    #expect(text.wholeMatch(of: /\d{8}T\d{6}\.99[89]/) != nil, "\(text)")
  }
}
