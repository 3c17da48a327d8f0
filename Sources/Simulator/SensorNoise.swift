import Glibc

/// The noise of a sensor: normally distributed, and determined by the frame's number and a seed.
///
/// Rows take their noise from random places in one table, so that a frame needs no new random numbers per
/// pixel.
struct SensorNoise {
  /// The width of the widest row; see ``SimulatedPicture``.
  private static let longestRow = 16_384
  private static let starts = 1 << 16

  private let table: [Int16]
  private let noise: FrameNoise

  /// Creates noise of this standard deviation, in steps of luma.
  init(sigma: Double, seed: UInt64) {
    noise = FrameNoise(seed: seed, stream: 5)
    let source = FrameNoise(seed: seed, stream: 6)
    table = (0..<Self.starts + Self.longestRow).map { index in
      // The Box-Muller transform of two uniform distributions.
      let value = source.value(of: Int64(index))
      let radius = Double(value >> 32 | 1) / 4_294_967_296
      let angle = Double(value & 0xffff_ffff) / 4_294_967_296
      return Int16(clamping: Int((-2 * log(radius)).squareRoot() * cos(2 * .pi * angle) * sigma * 8))
    }
  }

  /// Returns a random number for a part of frame `number`.
  func choice(_ part: Int, of number: UInt32) -> UInt64 {
    noise.value(of: Int64(number) << 24 | Int64(part))
  }

  /// Adds noise to `count` pixels of a row.
  ///
  /// - Parameters:
  ///   - row: The row's number.
  ///   - number: The frame's number.
  ///   - line: The first sample.
  ///   - step: Bytes from one pixel's samples to the next pixel's.
  ///   - samples: The number of bytes in a pixel, all with the same noise.
  func add(
    toRow row: Int, of number: UInt32, _ line: UnsafeMutablePointer<UInt8>, count: Int, step: Int,
    samples: Int
  ) {
    let start = Int(choice(row, of: number) % UInt64(Self.starts))
    table.withUnsafeBufferPointer { table in
      guard let noise = table.baseAddress.map({ $0 + start }) else { return }
      // A `while` loop, because this runs for every pixel of every frame, in debug builds too.
      var pixel = 0
      while pixel < count {
        var sample = 0
        while sample < samples {
          let place = pixel &* step &+ sample
          // The table holds eighths, so that faint noise is not rounded away.
          let value = (Int32(line[place]) &* 8 &+ Int32(noise[pixel]) &+ 4) >> 3
          line[place] = value < 0 ? 0 : value > 255 ? 255 : UInt8(truncatingIfNeeded: value)
          sample &+= 1
        }
        pixel &+= 1
      }
    }
  }
}
