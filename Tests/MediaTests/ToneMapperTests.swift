import Platform
import Testing

@testable import Media

@Suite("The conversion of a high dynamic range to the standard one")
struct ToneMapperTests {
  static let hlg = ColorDescription(primaries: .bt2020, transfer: .hlg, matrix: .bt2020, range: .limited)
  static let pq = ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .bt2020, range: .limited)

  /// Luma, Cb and Cr.
  typealias Sample = (y: Double, cb: Double, cr: Double)

  /// Returns a picture of one colour.
  private func picture(_ values: [Int], _ color: ColorDescription, _ side: Int = 8) throws -> Picture {
    var pool = PicturePool()
    let picture = try pool.picture(layout: ToneTable.sourceLayout, width: side, height: side, color: color)
    for (plane, value) in values.enumerated() {
      let size = plane == 0 ? side : side / 2
      for row in 0..<size {
        let line = picture.planeBases[plane].map { $0 + row * Int(picture.planeStrides[plane]) }
        for column in 0..<size {
          line?[2 * column] = UInt8(value & 255)
          line?[2 * column + 1] = UInt8(value >> 8)
        }
      }
    }
    return picture
  }

  /// Returns the mean of a picture's samples, because they are dithered.
  private func mean(_ picture: Picture) -> Sample {
    let means = (0..<3).map { plane in
      let size = plane == 0 ? picture.height : picture.height / 2
      let sum = (0..<size).reduce(0) { sum, row in
        picture.withRow(row, plane: plane) { bytes in bytes.indices.reduce(sum) { $0 + Int(bytes[$1]) } }
      }
      return Double(sum) / Double(size * size)
    }
    return (means[0], means[1], means[2])
  }

  private func mapped(_ values: [Int], _ mapper: inout ToneMapper, _ color: ColorDescription) throws -> Sample
  {
    let result = try mapper.map(try picture(values, color))
    #expect(result.layout == .yuv420p && result.color == .bt709)
    return mean(result)
  }

  /// A colour in 10 bits, and the result of the formulae of BT.2100, BT.2390 and BT.1886 in floating point.
  struct Case: Sendable, CustomTestStringConvertible {
    var color = ToneMapperTests.hlg
    var peak: Double?
    let source: [Int]
    let result: [Double]
    var testDescription: String { "\(color.transfer == .hlg ? "HLG" : "PQ") \(source)" }
  }

  /// Black, 18 % grey, reference white and the peak.
  static let greys = [
    Case(source: [64, 512, 512], result: [16, 128, 128]),
    Case(source: [397, 512, 512], result: [109.40, 128, 128]),
    Case(source: [721, 512, 512], result: [213.49, 128, 128]),
    Case(source: [940, 512, 512], result: [235, 128, 128]),
    Case(color: pq, source: [64, 512, 512], result: [16, 128, 128]),
    Case(color: pq, source: [397, 512, 512], result: [109.06, 128, 128]),
    Case(color: pq, source: [572, 512, 512], result: [213.18, 128, 128]),
    Case(color: pq, source: [723, 512, 512], result: [235, 128, 128]),
    // Brighter than the peak.
    Case(color: pq, source: [900, 512, 512], result: [235, 128, 128]),
    Case(color: pq, peak: 4000, source: [572, 512, 512], result: [195.26, 128, 128]),
    Case(color: pq, peak: 4000, source: [855, 512, 512], result: [235, 128, 128]),
    // Reference white is the peak, so nothing is compressed.
    Case(color: pq, peak: 203, source: [572, 512, 512], result: [234.32, 128, 128]),
  ]

  /// Skin, lamps and other colours of 8 to 900 cd/m2.
  static let colors = [
    Case(source: [335, 469, 541], result: [91.49, 116.27, 139.52]),
    Case(source: [641, 407, 551], result: [174.86, 93.56, 152.65]),
    Case(source: [855, 423, 547], result: [192.70, 89.67, 155.47]),
    Case(source: [593, 622, 476], result: [140.90, 174.51, 105.41]),
    Case(source: [418, 464, 599], result: [112.59, 116.54, 161.58]),
    Case(source: [480, 449, 446], result: [129.53, 111.49, 94.53]),
    Case(source: [858, 409, 518], result: [226.69, 75.39, 132.63]),
    Case(color: pq, source: [360, 486, 527], result: [91.65, 116.24, 139.23]),
    Case(color: pq, source: [525, 466, 531], result: [174.76, 93.34, 152.60]),
    Case(color: pq, source: [664, 462, 532], result: [193.17, 89.24, 155.16]),
    Case(color: pq, source: [499, 568, 496], result: [140.88, 174.58, 105.86]),
    Case(color: pq, source: [408, 489, 549], result: [112.70, 116.41, 161.69]),
    Case(color: pq, source: [439, 484, 484], result: [129.21, 111.22, 94.29]),
    Case(color: pq, source: [666, 455, 515], result: [226.52, 75.35, 132.22]),
  ]

  @Test("follows the standards' formulae", arguments: greys + colors)
  func values(_ item: Case) throws {
    var mapper = ToneMapper(try ToneTable(from: item.color, peak: item.peak))
    let (y, cb, cr) = try mapped(item.source, &mapper, item.color)
    #expect(abs(y - item.result[0]) < 0.4, "\(y)")
    // Close to an edge of BT.709, the table is coarse.
    #expect(abs(cb - item.result[1]) < 1.5 && abs(cr - item.result[2]) < 1.5, "\(cb) \(cr)")
  }

  @Test("keeps greys grey, and their order", arguments: [hlg, pq])
  func greyRamp(_ color: ColorDescription) throws {
    var mapper = ToneMapper(try ToneTable(from: color))
    var last = 0.0
    for value in 0..<1024 {
      let (y, cb, cr) = try mapped([value, 512, 512], &mapper, color)
      #expect(cb == 128 && cr == 128, "\(value)")
      // The factors of highlights are rounded, which moves one of 16 dithered pixels.
      #expect(y >= last - 0.07, "\(value)")
      #expect((16...235).contains(y))
      last = y
    }
    #expect(last == 235)
  }

  @Test("stays within the limits of samples, whatever it is given", arguments: [hlg, pq])
  func anyValue(_ color: ColorDescription) throws {
    var mapper = ToneMapper(try ToneTable(from: color))
    for y in stride(from: 0, through: 1023, by: 93) {
      for cb in stride(from: 0, through: 1023, by: 93) {
        for cr in stride(from: 0, through: 1023, by: 93) {
          let result = try mapped([y, cb, cr], &mapper, color)
          #expect((16...235).contains(result.y), "\(y) \(cb) \(cr)")
          #expect((16...240).contains(result.cb) && (16...240).contains(result.cr), "\(y) \(cb) \(cr)")
        }
      }
    }
  }

  @Test("maps the full range like the limited one")
  func fullRange() throws {
    var color = Self.hlg
    color.range = .full
    var mapper = ToneMapper(try ToneTable(from: color))
    for (value, expected) in [(0, 16.0), (389, 109.4), (767, 213.4), (1023, 235)] {
      let (y, cb, cr) = try mapped([value, 512, 512], &mapper, color)
      #expect(abs(y - expected) < 0.4 && cb == 128 && cr == 128, "\(value): \(y)")
    }
  }

  @Test("has the matrix of its primaries in a clip of red, green and blue", arguments: [480, 1080])
  func matrix(_ height: Int) {
    let color = ColorDescription(primaries: .bt2020, transfer: .pq, matrix: .rgb, range: .full)
    #expect(color.inClip(height: height).matrix == .bt2020)
  }

  @Test("dithers, so that the mean of a gradient has no steps")
  func dither() throws {
    var mapper = ToneMapper(try ToneTable(from: Self.hlg))
    let means = try (600..<640).map { try mapped([$0, 512, 512], &mapper, Self.hlg).y }
    let steps = zip(means.dropFirst(), means).map { $0 - $1 }
    #expect(steps.allSatisfy { (0.05...0.6).contains($0) }, "\(steps)")
  }
}
