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

  /// An FLV of video tags of `sizes` bytes.
  private func flv(_ sizes: [Int]) -> (data: Data, places: [Int]) {
    var bytes = Array("FLV".utf8) + [1, 1, 0, 0, 0, 9, 0, 0, 0, 0]
    var places: [Int] = []
    for size in sizes {
      places.append(bytes.count)
      bytes += [9, 0, 0, UInt8(size), 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 9, count: size)
      bytes += [0, 0, 0, UInt8(size + 11)]
    }
    return (Data(bytes), places)
  }

  @Test("of FLV is that of its tags, and damage in front of others is told with its place")
  func flv() throws {
    let folder = try TemporaryFolder()
    func declared(_ data: Data) throws -> DeclaredSize {
      try data.write(to: folder.url.appending(path: "a.flv"))
      return DeclaredSize(of: FilePath(folder.path("a.flv")))
    }
    let (whole, places) = flv([20, 30, 40, 50])
    for extra in [Data(), Data("foreign".utf8)] {
      let sound = try declared(whole + extra)
      #expect(sound.shortfall == nil && sound.gaps.isEmpty)
    }
    #expect(try declared(whole.dropLast(5)).shortfall == "5 bytes are missing at its end")
    #expect(try declared(whole.prefix(places[3] + 3)).shortfall == "8 bytes are missing at its end")
    // A length that reaches to the end, or beyond it; another type; a whole tag.
    let gap = Int64(places[1])..<Int64(places[2])
    for (range, byte) in [(1..<4, 0), (1..<4, 0xff), (0..<1, 0xff), (0..<45, 0xa5)] as [(Range<Int>, UInt8)] {
      var data = whole
      for place in range { data[places[1] + place] = byte }
      let damaged = try declared(data)
      #expect(damaged.shortfall == nil && damaged.gaps == [gap], "\(range) \(byte): \(damaged)")
      #expect(try declared(data.dropLast()).shortfall == "1 byte is missing at its end")
    }
    // Some writers state no length behind a tag.
    var other = whole
    for place in places.dropFirst() + [whole.count] { other[place - 1] = 0 }
    let sound = try declared(other)
    #expect(sound.shortfall == nil && sound.gaps.isEmpty)
  }

  @Test("of a MOV or MP4 is that of its boxes, and damage in front of fragments is told with its place")
  func movie() throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(8 + content.count)] + Array(type.utf8) + content
    }
    let fragment =
      box("moof", box("mfhd", [0, 0, 0, 0, 0, 0, 0, 1])) + box("mdat", [UInt8](repeating: 0x6d, count: 40))
    let start = box("ftyp", Array("isom0000".utf8)) + box("moov", [])
    let whole = start + fragment + fragment
    let folder = try TemporaryFolder()
    func shortfall(_ bytes: [UInt8]) throws -> String? {
      try Data(bytes).write(to: folder.url.appending(path: "a.mp4"))
      return DeclaredSize(of: FilePath(folder.path("a.mp4"))).shortfall
    }
    #expect(try shortfall(whole) == nil)
    #expect(try shortfall(whole + Array("foreign data".utf8)) == nil)
    #expect(try shortfall(whole.dropLast(3)) == "3 bytes are missing at its end")
    // The length of the first media data, which leads into the second fragment or beyond the end.
    let place = start.count + 24
    for byte in [50, 0xff] as [UInt8] {
      var damaged = whole
      damaged[place + 2] = byte
      #expect(try shortfall(damaged) == "what follows byte \(place) cannot be read")
    }
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
