public import Platform
internal import CLibAV

extension Picture {
  /// Multiplies the picture's light by `gain`: luma from black, colours from grey, each rounded to the
  /// nearest step. Changes it in place, or a copy if its memory is shared.
  ///
  /// - Precondition: it is planar, in luma and chroma; `gain` is above 0 and below 8.
  public consuming func multiplyingLight(by gain: Double) throws(OvercrankError) -> Picture {
    precondition(gain > 0 && gain < 8, "a gain of \(gain) is out of range")
    guard av_frame_make_writable(frame) >= 0 else { throw OvercrankError.outOfMemory("a picture") }
    let bits = layout.bitsPerSample
    // The fourth plane is transparency.
    for (index, plane) in (layout.planes(width: width, height: height) ?? []).prefix(3).enumerated() {
      guard let base = planeBases[index] else { continue }
      let line = LightLine(
        factor: Int32(clamping: (gain * Double(1 << LightLine.fractionBits)).rounded()),
        centre: index == 0 ? black : 1 << (bits - 1), highest: 1 << bits - 1)
      for row in 0..<plane.rows {
        let samples = base + row * Int(planeStrides[index])
        if bits > 8 {
          line.applyDeep(samples, plane.bytesPerRow / 2)
        } else {
          line.apply(samples, plane.bytesPerRow)
        }
      }
    }
    return self
  }

  /// The mean of its luma above black, as a fraction of white; slightly outside 0...1 if the picture exceeds
  /// a limited range.
  ///
  /// - Precondition: it is planar, in luma and chroma.
  public var meanLight: Double {
    let rows = rowSums
    guard width > 0, !rows.isEmpty else { return 0 }
    return light(ofSum: rows.reduce(0) { $0 + UInt64($1) }, of: width * rows.count)
  }

  /// The mean of each row's luma above black, as a fraction of white, from the top; empty without pixels.
  ///
  /// - Precondition: it is planar, in luma and chroma, or luma alone.
  package var rowLight: [Float] {
    guard width > 0 else { return [] }
    return rowSums.map { Float(light(ofSum: UInt64($0), of: width)) }
  }

  /// Returns the light of `count` samples of luma that add up to `sum`.
  private func light(ofSum sum: UInt64, of count: Int) -> Double {
    let top =
      color.range == .full ? Double(1 << layout.bitsPerSample - 1) : Double(235 << (layout.bitsPerSample - 8))
    return (Double(sum) / Double(count) - Double(black)) / (top - Double(black))
  }

  /// The sum of each row's luma.
  private var rowSums: [UInt32] {
    let isDeep = layout.bitsPerSample > 8
    guard let base = planeBases[0] else { return [] }
    return (0..<height).map { row in
      let line = base + row * Int(planeStrides[0])
      return isDeep ? Self.sumDeep(line, width) : Self.sum(line, width)
    }
  }

  /// The value of black.
  fileprivate var black: Int32 { color.range == .full ? 0 : 16 << (layout.bitsPerSample - 8) }

  private static func sum(_ line: UnsafeMutablePointer<UInt8>, _ count: Int) -> UInt32 {
    var sum: UInt32 = 0
    for index in 0..<count { sum &+= UInt32(truncatingIfNeeded: line[index]) }
    return sum
  }

  private static func sumDeep(_ line: UnsafeMutablePointer<UInt8>, _ count: Int) -> UInt32 {
    let line = UnsafeRawPointer(line)
    var sum: UInt32 = 0
    for index in 0..<count {
      sum &+= UInt32(truncatingIfNeeded: line.load(fromByteOffset: 2 * index, as: UInt16.self))
    }
    return sum
  }
}

/// A straight line through `centre`, in fixed point, which the compiler vectorizes.
private struct LightLine {
  static let fractionBits: Int32 = 12

  /// The slope in units of 2^-12; below 2^15, so that products with 16 bits fit.
  let factor: Int32
  let centre: Int32
  let highest: Int32

  @inline(__always)
  private func value(_ sample: Int32) -> Int32 {
    let half: Int32 = 1 << (Self.fractionBits - 1)
    let scaled = centre &+ (((sample &- centre) &* factor &+ half) &>> Self.fractionBits)
    return min(max(scaled, 0), highest)
  }

  func apply(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int) {
    for index in 0..<count {
      samples[index] = UInt8(truncatingIfNeeded: value(Int32(truncatingIfNeeded: samples[index])))
    }
  }

  func applyDeep(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int) {
    let samples = UnsafeMutableRawPointer(samples)
    for offset in stride(from: 0, to: 2 * count, by: 2) {
      let sample = Int32(truncatingIfNeeded: samples.load(fromByteOffset: offset, as: UInt16.self))
      samples.storeBytes(
        of: UInt16(truncatingIfNeeded: value(sample)), toByteOffset: offset, as: UInt16.self)
    }
  }
}
