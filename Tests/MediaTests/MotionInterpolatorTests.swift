import Foundation
import Testing

@testable import Media

@Suite("Interpolated pictures") struct MotionInterpolatorTests {
  /// Returns a picture of `sample(plane, column, row)`, in 256ths of the layout's range.
  func picture(
    _ layout: PixelLayout = .yuv420p, width: Int = 160, height: Int = 96, sample: (Int, Int, Int) -> Double
  ) throws -> Picture {
    var pool = PicturePool()
    let picture = try pool.picture(layout: layout, width: width, height: height, color: .jpeg)
    let isDeep = layout.bitsPerSample > 8
    for (plane, geometry) in try #require(layout.planes(width: width, height: height)).enumerated() {
      let base = try #require(picture.planeBases[plane])
      for row in 0..<geometry.rows {
        let line = UnsafeMutableRawPointer(base + row * Int(picture.planeStrides[plane]))
        for column in 0..<(geometry.bytesPerRow / (isDeep ? 2 : 1)) {
          let value = min(255, max(0, sample(plane, column, row)))
          if isDeep {
            line.storeBytes(of: UInt16(value * 4), toByteOffset: 2 * column, as: UInt16.self)
          } else {
            line.storeBytes(of: UInt8(value), toByteOffset: column, as: UInt8.self)
          }
        }
      }
    }
    return picture
  }

  /// Returns waves of several lengths in all directions, at (`x`, `y`).
  static func waves(_ x: Double, _ y: Double) -> Double {
    128 + 40 * sin(x / 5) * cos(y / 7) + 30 * sin(x / 13 + y / 11) + 20 * cos(x / 29 - y / 17)
  }

  /// Returns the waves shifted by `x` and `y` pixels of luma.
  func waves(_ layout: PixelLayout = .yuv420p, movedBy x: Double, _ y: Double) throws -> Picture {
    try picture(layout) { plane, column, row in
      let (across, down) =
        plane == 0 ? (1.0, 1.0) : layout == .yuv420p ? (2, 2) : (2, 1)
      return Self.waves(Double(column) * across - x, Double(row) * down - y)
    }
  }

  /// Returns the samples of a plane without padding.
  func samples(_ picture: Picture, plane: Int = 0) throws -> [Double] {
    let planes = try #require(picture.layout.planes(width: picture.width, height: picture.height))
    return (0..<planes[plane].rows).flatMap { row in
      picture.withRow(row, plane: plane) { bytes in
        guard picture.layout.bitsPerSample > 8 else { return (0..<bytes.count).map { Double(bytes[$0]) } }
        return stride(from: 0, to: bytes.count, by: 2).map {
          Double(Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8) / 4
        }
      }
    }
  }

  /// Returns the mean squared difference of a plane of two pictures.
  func difference(_ one: Picture, _ other: Picture, plane: Int = 0) throws -> Double {
    let pairs = zip(try samples(one, plane: plane), try samples(other, plane: plane))
    let squares = pairs.map { ($0 - $1) * ($0 - $1) }
    return squares.reduce(0, +) / Double(squares.count)
  }

  static let deep = PixelLayout(name: "yuv422p10le")

  @Test("show a moving object where it is at that time", arguments: [64, 128, 200])
  func motion(share: Int) async throws {
    for layout in [PixelLayout.yuv420p, try #require(Self.deep)] {
      let (last, next) = (try waves(layout, movedBy: 0, 0), try waves(layout, movedBy: 9, -5))
      let part = Double(share) / 256
      let truth = try waves(layout, movedBy: 9 * part, -5 * part)
      let interpolator = try MotionInterpolator(like: last)
      let made = try await interpolator.picture(between: last, and: next, share: share)
      #expect(made.heldPart < 0.01)
      for plane in 0..<3 {
        let (ours, held) = (
          try difference(made.picture, truth, plane: plane),
          try difference(share <= 128 ? last : next, truth, plane: plane)
        )
        #expect(ours < 5 && ours < held / 20, "\(layout) plane \(plane): \(ours), held \(held)")
      }
    }
  }

  @Test func picturesAfterOneAnotherAreFollowed() async throws {
    let pictures = try (0..<4).map { try waves(movedBy: 4 * Double($0), 2 * Double($0)) }
    let interpolator = try MotionInterpolator(like: pictures[0])
    // Consecutive pairs, a repeated pair, and a skipped picture.
    for (last, next) in [(0, 1), (1, 2), (0, 1), (1, 3), (2, 3)] {
      let made = try await interpolator.picture(between: pictures[last], and: pictures[next], share: 128)
      let middle = Double(last + next) / 2
      #expect(try difference(made.picture, waves(movedBy: 4 * middle, 2 * middle)) < 3)
    }
  }

  @Test func whatStandsStillStaysToThePixel() async throws {
    let (last, next) = (try waves(movedBy: 0, 0), try waves(movedBy: 0, 0))
    let interpolator = try MotionInterpolator(like: last)
    let made = try await interpolator.picture(between: last, and: next, share: 77)
    for plane in 0..<3 { #expect(try difference(made.picture, last, plane: plane) == 0) }
  }

  @Test("repeat a frame at a cut and a flash", arguments: [100, 128, 129, 200])
  func breaks(share: Int) async throws {
    let last = try waves(movedBy: 0, 0)
    let other = try picture { _, column, row in Double(column * column * 7 + row * row * 13 % 101 * 5 % 256) }
    let flash = try picture { plane, column, row in
      plane == 0 ? Self.waves(Double(column), Double(row)) * 0.4 + 150 : 128
    }
    for next in [other, flash] {
      let interpolator = try MotionInterpolator(like: last)
      let made = try await interpolator.picture(between: last, and: next, share: share)
      #expect(made.heldPart == 1 && made.picture === (share <= 128 ? last : next))
    }
  }

  /// Scenes that are hard for optical flow: the luma at a place at time `n`.
  static let hardVideos: [(name: String, luma: @Sendable (Double, Double, Double) -> Double)] = [
    (
      "a fence that the camera pans across",
      { x, y, n in
        let bar = abs((x + 5 * n).truncatingRemainder(dividingBy: 16) - 8) < 4
        return bar && (40..<120).contains(y) ? 200 : Self.waves(x + 5 * n, y)
      }
    ),
    (
      "a ball that moves by more than its width",
      { x, y, n in
        let distance = ((x - 100 - 24 * n) * (x - 100 - 24 * n) + (y - 90) * (y - 90)).squareRoot()
        return distance < 10 ? 235 : Self.waves(x, y)
      }
    ),
    (
      "a wheel that nearly repeats",
      { x, y, n in
        let distance = ((x - 160) * (x - 160) + (y - 90) * (y - 90)).squareRoot()
        let spoke = cos(8 * (atan2(y - 90, x - 160) + n * 21.5 * .pi / 180)) > 0.6
        return distance < 70 ? (spoke ? 220 : 40) : Self.waves(x, y)
      }
    ),
    (
      "scrolling text",
      { x, y, n in
        let noise =
          sin((x / 4).rounded(.down) * 12.9898 + ((y + 8 * n) / 5).rounded(.down) * 78.233) * 43758.5453
        return noise - noise.rounded(.down) > 0.6 ? 230 : 20
      }
    ),
  ]

  @Test("of hard scenes are at most half a decibel worse than repeated frames", arguments: hardVideos.indices)
  func hardVideo(index: Int) async throws {
    let video = Self.hardVideos[index]
    let pictures = try (0..<3).map { n in
      try picture(.gray, width: 320, height: 180) { _, column, row in
        video.luma(Double(column), Double(row), Double(n))
      }
    }
    let interpolator = try MotionInterpolator(like: pictures[0])
    let made = try await interpolator.picture(between: pictures[0], and: pictures[2], share: 128).picture
    let (ours, held) = (try difference(made, pictures[1]), try difference(pictures[0], pictures[1]))
    #expect(ours <= held * 1.122, "\(video.name): \(ours), held \(held)")
  }

  @Test(
    "are reproducible for any size",
    arguments: [
      (1, 1), (1, 50), (50, 1), (2, 2), (7, 9), (8, 8), (9, 8), (17, 33), (31, 200), (257, 12), (643, 359),
    ])
  func sizes(width: Int, height: Int) async throws {
    for layout in [PixelLayout.yuv420p, .yuv444p, .gray, try #require(Self.deep)] {
      let noise = noise(4 * width * height + 64, seed: width + height)
      let last = try picture(layout, width: width, height: height) { plane, column, row in
        Double(noise[plane * width * height / 2 + row * width + column])
      }
      let next = try picture(layout, width: width, height: height) { plane, column, row in
        Double(noise[plane * width * height / 2 + row * width + column + 3])
      }
      var made: [[Double]] = []
      for _ in 0..<2 {
        let interpolator = try MotionInterpolator(like: last)
        let picture = try await interpolator.picture(between: last, and: next, share: 100).picture
        #expect((picture.width, picture.height) == (width, height))
        made.append(try samples(picture))
      }
      #expect(made[0] == made[1])
    }
  }
}
