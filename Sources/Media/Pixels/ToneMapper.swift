package import Platform
internal import CLibAV
internal import CPixels

/// The conversion of the high dynamic range of a source (HLG or PQ) to the standard range: BT.709 in 8 bits,
/// with the tone curve of BT.2390.
///
/// Sendable because it is never written after it is made. Make one for a clip: it takes a twentieth of a second
/// and 2.6 MB.
package final class ToneTable: @unchecked Sendable {
  /// The colours of the pictures that it converts.
  package let sourceColor: ColorDescription
  fileprivate let table: OpaquePointer

  /// The layout of the pictures that it converts.
  package static let sourceLayout = PixelLayout(AV_PIX_FMT_YUV420P10LE)

  /// The peak of PQ if it is unknown: that of most mastering displays, in candela per square metre.
  private static let usualPeak = 1000.0

  /// Creates the conversion.
  ///
  /// - Parameters:
  ///   - color: the colours of the source.
  ///   - peak: the brightest light of PQ, in candela per square metre; `nil` if unknown.
  /// - Precondition: its transfer is HLG or PQ.
  package init(from color: ColorDescription, peak: Double? = nil) throws(OvercrankError) {
    precondition(color.transfer.isHDR, "only HLG and PQ have a high dynamic range")
    sourceColor = color.asToneSource
    var how = cpixels_tone(
      transfer: Int32(color.transfer.rawValue), primaries: Int32(clamping: color.primaries.rawValue),
      bits: Self.sourceLayout.bitsPerSample, is_full: color.range == .full,
      peak: peak ?? Self.usualPeak)
    guard let table = cpixels_tone_table_new(&how) else { throw OvercrankError.outOfMemory("a picture") }
    self.table = table
  }

  deinit { cpixels_tone_table_free(table) }
}

/// A converter of pictures by a ``ToneTable``. Use from one thread at a time.
package struct ToneMapper: ~Copyable {
  private let table: ToneTable
  private var pool = PicturePool()

  /// Creates a converter.
  package init(_ table: ToneTable) { self.table = table }

  /// Returns the picture in ``ColorDescription/bt709``, as 4:2:0 in 8 bits.
  ///
  /// - Precondition: it has the layout and the colours that the table converts, and an even size.
  package mutating func map(_ picture: Picture) throws(OvercrankError) -> Picture {
    let (width, height) = (picture.width, picture.height)
    precondition(
      picture.layout == ToneTable.sourceLayout, "a picture of \(picture.layout) has another layout")
    precondition(width % 2 == 0 && height % 2 == 0, "a picture of \(width)x\(height) has an odd size")
    let target = try pool.picture(layout: .yuv420p, width: width, height: height, color: .bt709)
    let planes = (0..<3).map { index in
      let shift = index == 0 ? 0 : 1
      return cpixels_plane(
        base: picture.planeBases[index], stride: Int(picture.planeStrides[index]),
        width: Int32(width >> shift), height: Int32(height >> shift),
        bits: ToneTable.sourceLayout.bitsPerSample)
    }
    cpixels_tone_rows(
      table.table, planes, target.planeBases, target.planeStrides.map { Int($0) }, 0, Int32(height))
    return target
  }
}

extension ColorDescription {
  /// These colours of a high dynamic range, with the matrix from which a ``ToneTable`` converts.
  package var asToneSource: ColorDescription {
    ColorDescription(
      primaries: primaries, transfer: transfer, matrix: .bt2020, range: range == .full ? .full : .limited)
  }
}

extension Picture {
  /// Returns the picture in the standard range, in 4:2:0 if it had a high dynamic range; the same one otherwise, or
  /// if it has an odd size.
  func inStandardRange() throws(OvercrankError) -> Picture {
    guard color.transfer.isHDR, width % 2 == 0, height % 2 == 0 else { return self }
    let table = try ToneTable(from: color)
    var converter = PictureConverter(
      width: width, height: height, color: table.sourceColor, layout: ToneTable.sourceLayout)
    var mapper = ToneMapper(table)
    return try mapper.map(try converter.convert(self))
  }
}
