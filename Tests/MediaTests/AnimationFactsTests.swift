import FrameJudge
import Foundation
import SystemPackage
import Testing
import Timebase

@testable import Media

@Suite("The facts of an animated image") struct AnimationFactsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func facts(_ bytes: [UInt8]) throws -> AnimationFacts? {
    let path = folder.path("x")
    try Data(bytes).write(to: URL(filePath: path))
    return AnimationFacts(of: FilePath(path))
  }

  /// Checks the facts, and that no part of the file is taken for a whole one.
  private func check(
    _ bytes: [UInt8], _ container: Container, frames: Int, seconds: Fraction, playCount: Int,
    wholeFrom least: Int
  ) throws {
    let facts = try #require(try facts(bytes))
    #expect(facts.container == container && facts.width == 320 && facts.height == 2)
    #expect(facts.frameCount == frames && facts.duration == seconds && facts.playCount == playCount)
    for count in Array(stride(from: 0, to: least, by: 11)) + [least - 1] {
      #expect(try self.facts(Array(bytes[..<count])) == nil, "\(count)")
    }
  }

  @Test("are those of a GIF, with the time of its last frame", arguments: [(nil, 1), (0, 0), (4, 5)])
  func gif(repetitions: UInt8?, playCount: Int) throws {
    var bytes = Array("GIF89a".utf8) + [0x40, 1, 2, 0, 0x80, 0, 0] + [UInt8](repeating: 9, count: 6)
    if let repetitions {
      bytes += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, repetitions, 0, 0]
    }
    for delay: UInt8 in [7, 6, 30] {
      bytes += [0x21, 0xf9, 4, 0, delay, 0, 0, 0]
      // With a table of its own in four colours, and parts of 2 and 255 bytes.
      bytes += [0x2c, 0, 0, 0, 0, 0x40, 1, 2, 0, 0x81] + [UInt8](repeating: 0x2c, count: 12)
      bytes += [2, 2, 0x3b, 0x3b, 255] + [UInt8](repeating: 0x21, count: 255) + [0]
    }
    bytes.append(0x3b)
    try check(
      bytes, .gif, frames: 3, seconds: Fraction(43, 100), playCount: playCount, wholeFrom: bytes.count)
  }

  @Test("are those of an animated WebP, which libav does not read")
  func webP() throws {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [UInt8(content.count), 0, 0, 0] + content + (content.count % 2 == 0 ? [] : [0])
    }
    var chunks = chunk("VP8X", [2, 0, 0, 0, 0x3f, 1, 0, 1, 0, 0]) + chunk("ANIM", [0, 0, 0, 0, 3, 0])
    for time: UInt8 in [33, 34] {
      chunks += chunk("ANMF", [0, 0, 0, 0, 0, 0, 0x3f, 1, 0, 1, 0, 0, time, 0, 0, 0, 1, 2, 3])
    }
    let bytes = Array("RIFF".utf8) + [UInt8(chunks.count + 4), 0, 0, 0] + Array("WEBP".utf8) + chunks
    try check(
      bytes, .webp, frames: 2, seconds: Fraction(67, 1000), playCount: 3, wholeFrom: bytes.count)
    #expect(try facts(Array("RIFF".utf8) + [12, 0, 0, 0] + Array("WEBP".utf8) + chunk("VP8 ", [])) == nil)
  }

  @Test("are those of an APNG; another PNG has none")
  func apng() throws {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(content.count)] + Array(name.utf8) + content + [0, 0, 0, 0]
    }
    let head =
      [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10] + chunk("IHDR", [0, 0, 1, 0x40, 0, 0, 0, 2, 8, 2, 0, 0, 0])
    let frame = [UInt8](repeating: 0, count: 20)
    let bytes =
      head + chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]) + chunk("fcTL", frame + [0, 1, 0, 15, 0, 0])
      + chunk("IDAT", [1, 2]) + chunk("fcTL", frame + [0, 5, 0, 0, 0, 0]) + chunk("fdAT", [1])
      + chunk("IEND", [])
    try check(
      bytes, .apng, frames: 2, seconds: Fraction(1, 15) + Fraction(1, 20), playCount: 0,
      wholeFrom: bytes.count)
    #expect(try facts(head + chunk("IDAT", [1]) + chunk("IEND", [])) == nil)
  }
}
