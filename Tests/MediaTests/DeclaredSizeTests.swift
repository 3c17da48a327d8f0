import FrameJudge
import Foundation
import SystemPackage
import Testing

@testable import Media

@Suite("The length that a container declares") struct DeclaredSizeTests {
  /// An IVF of frames of `sizes` bytes, whose header states `count` of them.
  private func ivf(_ sizes: [Int], stating count: UInt8) -> Data {
    let header: [UInt8] =
      Array("DKIF".utf8) + [0, 0, 32, 0] + Array("VP80".utf8) + [
        64, 0, 48, 0, 25, 0, 0, 0, 1, 0, 0, 0, count, 0, 0, 0,
      ]
      + [0, 0, 0, 0]
    return sizes.reduce(into: Data(header)) {
      $0 += [UInt8($1), 0, 0, 0] + [UInt8](repeating: 0, count: 8 + $1)
    }
  }

  private func shortfall(_ data: Data) throws -> String? {
    let folder = try TemporaryFolder()
    try data.write(to: folder.url.appending(path: "a.ivf"))
    return DeclaredSize(of: FilePath(folder.path("a.ivf"))).shortfall
  }

  @Test("of IVF is that of its frames, behind which another file may begin")
  func ivf() throws {
    let whole = ivf([5, 0, 7], stating: 3)
    #expect(try shortfall(whole) == nil)
    #expect(try shortfall(whole.dropLast(2)) == "2 bytes are missing at its end")
    #expect(try shortfall(ivf([5, 0], stating: 3)) == "it has 2 of 3 frames")
    #expect(try shortfall(whole + ivf([9], stating: 1)) == "another IVF file begins after its 3 frames")
  }

  @Test("of PNG and APNG is that of their chunks, behind which anything may follow")
  func png() throws {
    func chunk(_ name: String, _ size: Int) -> [UInt8] {
      [0, 0, 0, UInt8(size)] + Array(name.utf8) + [UInt8](repeating: 0, count: size + 4)
    }
    let begin = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10] + chunk("IHDR", 13) + chunk("fdAT", 30)
    let whole = Data(begin + chunk("IEND", 0))
    #expect(try shortfall(whole) == nil)
    #expect(try shortfall(whole + [1, 2, 3]) == nil)
    #expect(try shortfall(whole.dropLast(3)) == "3 bytes are missing at its end")
    #expect(try shortfall(Data(begin)) == "its last chunk is missing")
    #expect(try shortfall(Data(begin.dropLast())) == "1 byte is missing at its end")
  }
}
