import FrameJudge
import Media
import Platform
import Testing
import Timebase

@testable import Retime

@Suite("The layout of several cameras' pictures")
struct LayoutGeometryTests {
  private func geometry(_ layout: ClipLayout, _ sizes: [(Int64, Int64)]) throws -> LayoutGeometry {
    try LayoutGeometry(
      layout,
      of: sizes.map { LayoutGeometry.Shape(width: Fraction($0.0), height: Fraction($0.1)) })
  }

  private func check(
    _ layout: ClipLayout, _ sizes: [(Int64, Int64)], is size: (Int, Int), _ parts: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let geometry = try geometry(layout, sizes)
    #expect(geometry.size == size, sourceLocation: sourceLocation)
    #expect(
      geometry.parts(width: size.0, height: size.1).map(\.description) == parts,
      sourceLocation: sourceLocation)
  }

  @Test("side by side, all have the height of the highest")
  func side() throws {
    try check(
      .side, [(320, 180), (640, 360)], is: (1280, 360), ["640x360+0+0", "640x360+640+0"])
    try check(
      .side, [(180, 320), (320, 180)], is: (748, 320), ["180x320+0+0", "568x320+180+0"])
  }

  @Test("in a stack, all have the width of the widest")
  func stack() throws {
    try check(
      .stack, [(320, 180), (640, 360)], is: (640, 720), ["640x360+0+0", "640x360+0+360"])
  }

  @Test("in a grid, cells are alike, and a picture of another shape is in the middle of its cell")
  func grid() throws {
    try check(
      .grid, [(320, 180), (320, 180), (320, 180)], is: (640, 360),
      ["320x180+0+0", "320x180+320+0", "320x180+0+180"])
    try check(.grid, [(320, 180), (180, 320)], is: (640, 320), ["320x180+0+70", "180x320+390+0"])
    for (count, columns) in [(1, 1), (2, 2), (4, 2), (5, 3), (9, 3), (10, 4)] {
      let size = try geometry(.grid, Array(repeating: (320, 180), count: count)).size
      #expect(size.width == 320 * columns)
    }
  }

  @Test("inset, the first is whole, and the others are a quarter as wide, from the lower right clockwise")
  func inset() throws {
    try check(
      .inset, Array(repeating: (640, 360), count: 5), is: (640, 360),
      ["640x360+0+0", "160x90+480+270", "160x90+0+270", "160x90+0+0", "160x90+480+0"])
    // One that is high is no higher than half of the picture.
    try check(.inset, [(640, 360), (180, 720)], is: (640, 360), ["640x360+0+0", "44x180+596+180"])
  }

  @Test("refuses more cameras than it has places for, with the remedy")
  func tooMany() {
    let six = Array(repeating: (Int64(640), Int64(360)), count: 6)
    let error = #expect(throws: OvercrankError.self) { try geometry(.inset, six) }
    #expect(error?.code == .outOfRange && error?.description.contains("Choose another layout") == true)
    let many = Array(repeating: (Int64(640), Int64(360)), count: 17)
    #expect(throws: OvercrankError.self) { try geometry(.grid, many) }
    #expect(throws: OvercrankError.self) { try geometry(.side, [(16000, 2), (2, 16000)]) }
  }

  @Test("has even parts within the picture, side by side without a gap, in any size", arguments: 1...40)
  func even(seed: UInt64) throws {
    var generator = SplitMix(state: seed)
    let sizes = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
      (Int64.random(in: 16...2000, using: &generator), Int64.random(in: 16...2000, using: &generator))
    }
    for layout in ClipLayout.allCases {
      let geometry = try geometry(layout, sizes)
      let width = 2 * Int.random(in: 32...960, using: &generator)
      let height = 2 * Int.random(in: 32...540, using: &generator)
      let parts = geometry.parts(width: width, height: height)
      #expect(parts.count == sizes.count)
      for part in parts {
        #expect(part.liesWithin(width: width, height: height), "\(part)")
        #expect([part.x, part.y, part.width, part.height].allSatisfy { $0 % 2 == 0 }, "\(part)")
      }
      if layout == .side {
        #expect(parts.last.map { $0.x + $0.width } == width)
        for (one, next) in zip(parts, parts.dropFirst()) { #expect(one.x + one.width == next.x) }
      }
    }
  }
}
