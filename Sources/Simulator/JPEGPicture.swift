import Platform
import Media

/// The prerendered frames of a Motion JPEG mode.
///
/// A frame consists of a header and its coded rows, joined by restart markers. Only the overlay's rows, made
/// of flat blocks, are coded for each frame.
struct JPEGPicture: ~Copyable {
  // At this quality, a frame of 1280x720 is as large as a webcam's, between 70 and 100 kB.
  private static let quality = 75

  /// The maximum size of a frame in bytes.
  let largestByteCount: Int
  private let rows: CodedRows
  private let readout: FrameCounterOverlay
  /// The light in each frame of a cycle; empty for steady light.
  private let lighting: [Lighting]
  /// The overlay line that each row belongs to; `nil` if none.
  private let lines: [Int?]
  private let levels: FrameMemory
  private let frame: FrameMemory
  /// The pixel rows below the overlay, which a flash whitens.
  private let seenRows: Range<Int>
  /// The coder of rows in which a flash begins or ends; `nil` if none comes.
  private let flashed: FlashedRow?

  /// Prerenders pictures of this size, with Huffman tables in every frame or, as from many cameras, in none.
  ///
  /// - Throws: `OvercrankError`, with `cancelled` if `stop` cancels the drawing.
  init(
    width: Int, height: Int, huffmanTables: Bool, conditions: SceneConditions, _ stop: DrawingStop
  ) throws(OvercrankError) {
    let lighting = conditions.brightness.map { Lighting($0, model: .fullRange) }
    let scene = try Scene(
      width: width, height: height, isOther: conditions.isOtherScene, model: .fullRange, stop)
    let rows = try CodedRows(
      scene, width: width, height: height, quality: Self.quality, huffmanTables: huffmanTables,
      conditions: conditions, lighting: lighting, stop)
    let readout = scene.readout
    let lines = (0..<rows.count).map { row in
      readout.lines.firstIndex { $0.contains(row * CodedRows.rowHeight) }
    }
    let readoutRow = FlatBlockCoder.capacity(blocks: readout.blocksPerLine)
    var largest = rows.header.count
    for row in 0..<rows.count {
      // Any row of two samples a pixel, coded in as many bytes as it has samples: no row of a scene is longer.
      let flashedRow = conditions.hasFlashes ? (width + 16) * CodedRows.rowHeight * 2 : 0
      let still = rows.largestByteCount(row: row)
      largest += 2 + max(lines[row] == nil ? 0 : readoutRow, still, flashedRow)
    }
    self.flashed = conditions.hasFlashes ? try FlashedRow(width: width, quality: Self.quality) : nil
    self.seenRows = min(readout.height, height)..<height
    self.largestByteCount = largest
    self.rows = rows
    self.lighting = lighting
    self.readout = readout
    self.lines = lines
    self.levels = FrameMemory(count: readout.blocksPerLine)
    self.frame = FrameMemory(count: largest)
  }

  /// The number of bytes before the first row.
  var headerByteCount: Int { rows.header.count }

  /// Composes frame `number` with white in the rows `white`; its bytes are valid until the next call.
  borrowing func compose(_ number: UInt32, white: [Range<Int>]) -> UnsafeRawBufferPointer {
    var next = append(rows.header, 0..<rows.header.count, at: frame.base)
    var lastRow = next
    for row in 0..<rows.count {
      let start = next
      if let line = lines[row] {
        if row > 0, line == lines[row - 1] {
          // Repeats the row above, without its marker.
          let count = next - lastRow - 2
          next.copyMemory(from: lastRow, byteCount: count)
          next += count
        } else {
          next = code(line: line, number, at: next)
        }
      } else if let end = whiten(row: row, of: number, white, at: next) {
        next = end
      } else {
        next = append(rows.bytes, rows.place(row: row, of: number), at: next)
      }
      lastRow = start
      let isLast = row == rows.count - 1
      let marker: JPEGMarkers.Marker = isLast ? .endOfImage : .restart(row)
      next.storeBytes(of: 0xff, as: UInt8.self)
      next.storeBytes(of: marker.rawValue, toByteOffset: 1, as: UInt8.self)
      next += 2
    }
    return UnsafeRawBufferPointer(start: frame.base, count: next - frame.base)
  }

  /// Codes a row with the pixel rows that are `white`; `nil` if none is.
  private borrowing func whiten(
    row: Int, of number: UInt32, _ white: [Range<Int>], at target: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? {
    guard let flashed, !white.isEmpty else { return nil }
    let pixels = (row * CodedRows.rowHeight..<(row + 1) * CodedRows.rowHeight).clamped(to: seenRows)
    var jpeg: [UInt8]?
    for rows in white where rows.overlaps(pixels) {
      let part = rows.clamped(to: pixels)
      let top = row * CodedRows.rowHeight
      jpeg = flashed.code(
        jpeg ?? self.rows.jpeg(row: row, of: number), white: part.lowerBound - top..<part.upperBound - top)
    }
    guard let jpeg else { return nil }
    return append(jpeg, rows.scan(of: jpeg), at: target)
  }

  private borrowing func code(
    line: Int, _ number: UInt32, at target: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let levels = self.levels.base.assumingMemoryBound(to: UInt8.self)
    readout.fill(line: line, number: number, into: levels)
    // The lamp does not light the strip.
    if line > 0, !lighting.isEmpty {
      lighting[Int(number % UInt32(lighting.count))].light(levels, count: readout.blocksPerLine)
    }
    let end = rows.coder.write(
      levels, count: readout.blocksPerLine, to: target.assumingMemoryBound(to: UInt8.self))
    return UnsafeMutableRawPointer(end)
  }

  private borrowing func append(
    _ source: borrowing [UInt8], _ range: Range<Int>, at target: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    source.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress {
        target.copyMemory(from: base + range.lowerBound, byteCount: range.count)
      }
    }
    return target + range.count
  }
}
