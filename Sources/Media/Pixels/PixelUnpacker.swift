package import Platform
internal import CLibAV

/// An unpacker of ``PixelPacking`` frames to pictures that libav supports. Use from one thread at a time.
package struct PixelUnpacker: ~Copyable {
  private let packing: PixelPacking
  private let width: Int
  private let height: Int
  private let color: ColorDescription
  private let planes: [PixelLayout.Plane]
  private var pool = PicturePool()
  /// The decoder of compressed frames.
  private var decoder: WebcamDecoder?

  /// Creates an unpacker of frames of this size and in these colours.
  ///
  /// - Throws: `badData` if the size is impossible.
  package init(_ packing: PixelPacking, width: Int, height: Int, color: ColorDescription)
    throws(OvercrankError)
  {
    let decoder =
      packing.isCompressed ? WebcamDecoder(fourcc: packing.fourcc, width: width, height: height) : nil
    guard let planes = packing.planes(width: width, height: height) ?? (decoder == nil ? nil : []) else {
      throw OvercrankError(.badData, "a frame of \(packing) cannot be \(width)x\(height).")
    }
    self.init(packing, width, height, color, planes, decoder)
  }

  /// Nothing in it throws: see the initializer of `OutputFile`.
  private init(
    _ packing: PixelPacking, _ width: Int, _ height: Int, _ color: ColorDescription,
    _ planes: [PixelLayout.Plane], _ decoder: consuming WebcamDecoder?
  ) {
    self.packing = packing
    self.width = width
    self.height = height
    self.color = color
    self.planes = planes
    self.decoder = decoder
  }

  /// Unpacks one frame; bytes after its end are ignored.
  ///
  /// - Throws: `badData` if bytes are missing, or if a compressed frame is damaged.
  package mutating func unpack(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) -> Picture {
    guard !packing.isCompressed else { return try decode(bytes) }
    let byteCount = planes.reduce(0) { $0 + $1.bytesPerRow * $1.rows }
    guard bytes.count >= byteCount, let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      throw OvercrankError(
        .badData,
        "a frame of \(packing) \(width)x\(height) has \(bytes.count) bytes instead of \(byteCount).")
    }
    let picture = try pool.picture(layout: packing.unpacked, width: width, height: height, color: color)
    switch packing.form {
    case .plain:
      for (index, plane) in planes.enumerated() {
        eachRow(of: plane, base, picture, index) { row, target in
          target.update(from: row, count: plane.bytesPerRow)
        }
      }
    case .mipi(let bits):
      eachRow(of: planes[0], base, picture, 0) { row, target in
        unpackMIPI(row, bits: bits, to: target)
      }
    case .words(let bits):
      eachRow(of: planes[0], base, picture, 0) { row, target in
        shiftWords(row, by: 16 - bits, to: target)
      }
    case .stream(let stream):
      eachRow(of: planes[0], base, picture, 0) { row, target in
        stream.unpack(row, width: width, to: target)
      }
    case .fields(let fields): unpack(fields, base, to: picture)
    case .packedWords(let isHalf):
      // The first sample and the distance to the next one of the plane, in bytes.
      let places = isHalf ? [(0, 4), (2, 8), (6, 8)] : [(0, 6), (2, 6), (4, 6)]
      for (plane, (first, step)) in places.enumerated() {
        eachRow(of: planes[0], base, picture, plane) { row, target in
          for index in 0..<(isHalf && plane > 0 ? (width + 1) / 2 : width) {
            target[2 * index] = row[first + step * index]
            target[2 * index + 1] = row[first + step * index + 1]
          }
        }
      }
    case .vyuy:
      eachRow(of: planes[0], base, picture, 0) { row, target in
        for index in stride(from: 0, to: planes[0].bytesPerRow, by: 4) {
          (target[index], target[index + 1]) = (row[index + 2], row[index + 1])
          (target[index + 2], target[index + 3]) = (row[index], row[index + 3])
        }
      }
    case .semiplanar422(let isRedFirst):
      eachRow(of: planes[0], base, picture, 0) { row, target in target.update(from: row, count: width) }
      for (plane, first) in [(1, isRedFirst ? 1 : 0), (2, isRedFirst ? 0 : 1)] {
        eachRow(of: planes[1], base, picture, plane) { row, target in
          for index in 0..<(width + 1) / 2 { target[index] = row[2 * index + first] }
        }
      }
    case .y41p:
      for (offset, plane) in [(0, 1), (2, 2)] {
        eachRow(of: planes[0], base, picture, plane) { row, target in
          for index in 0..<(width + 3) / 4 { target[index] = row[index / 2 * 12 + index % 2 * 4 + offset] }
        }
      }
      eachRow(of: planes[0], base, picture, 0) { row, target in
        for column in 0..<width {
          let place = column % 8
          target[column] = row[column / 8 * 12 + (place < 4 ? 2 * place + 1 : place + 4)]
        }
      }
    case .m420:
      let bytesPerRow = planes[0].bytesPerRow
      for row in 0..<planes[0].rows {
        // A last row of luma may stand alone before its row of chroma.
        let isChroma = row % 3 == 2 || row == height + height / 2
        let (plane, place) = isChroma ? (1, row / 3) : (0, row / 3 * 2 + row % 3)
        guard let target = picture.planeBases[plane] else { continue }
        (target + place * Int(picture.planeStrides[plane])).update(
          from: base + row * bytesPerRow, count: plane == 1 ? bytesPerRow : width)
      }
    case .rows(let coding):
      let strides = picture.planeStrides.prefix(3).map { Int($0) }
      for row in 0..<height {
        let targets = zip(picture.planeBases, strides).compactMap { base, stride in
          base.map { $0 + row * stride }
        }
        coding.unpack(base + row * planes[0].bytesPerRow, width: width, to: targets)
      }
    case .wordsAndDepth(let bits):
      let words = PixelLayout.Plane(offset: 0, bytesPerRow: 2 * width, rows: height)
      eachRow(of: words, base, picture, 0) { row, target in shiftWords(row, by: 16 - bits, to: target) }
    case .webcam(let layout): layout.unpack(base, to: picture)
    case .compressed: break
    case .redFirst:
      for (source, plane) in [(0, 0), (1, 2), (2, 1)] {
        eachRow(of: planes[source], base, picture, plane) { row, target in
          target.update(from: row, count: planes[source].bytesPerRow)
        }
      }
    }
    return picture
  }

  private mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) -> Picture {
    let picture = try pool.picture(layout: packing.unpacked, width: width, height: height, color: color)
    guard decoder?.decode(bytes, to: picture) == true else {
      throw OvercrankError(
        .badData,
        "libv4lconvert cannot decode a frame of \(packing) \(width)x\(height) of \(bytes.count) bytes.")
    }
    return picture
  }

  private borrowing func unpack(_ fields: PixelFields, _ base: UnsafePointer<UInt8>, to picture: Picture) {
    let stride = fields.byteCount * width
    guard !fields.isRGB else { return fields.unpack(base, stride: stride, toRGB: picture) }
    let strides = (0..<3).map { Int(picture.planeStrides[$0]) }
    guard let first = picture.planeBases[0], let second = picture.planeBases[1],
      let third = picture.planeBases[2]
    else { return }
    fields.unpack(base, stride: stride, width: width, rows: height) { row, column, values in
      first[row * strides[0] + column] = values.0
      second[row * strides[1] + column] = values.1
      third[row * strides[2] + column] = values.2
    }
  }

  private borrowing func eachRow(
    of plane: PixelLayout.Plane, _ base: UnsafePointer<UInt8>, _ picture: Picture, _ index: Int,
    _ body: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
  ) {
    guard let target = picture.planeBases[index] else { return }
    let stride = Int(picture.planeStrides[index])
    for row in 0..<plane.rows {
      body(base + plane.offset + row * plane.bytesPerRow, target + row * stride)
    }
  }

  /// Converts words with their value in the low bits to words that use all bits.
  private borrowing func shiftWords(
    _ row: UnsafePointer<UInt8>, by shift: Int, to target: UnsafeMutablePointer<UInt8>
  ) {
    for index in 0..<width {
      let value = (UInt16(row[2 * index]) | UInt16(row[2 * index + 1]) << 8) << UInt16(shift)
      target[2 * index] = UInt8(truncatingIfNeeded: value)
      target[2 * index + 1] = UInt8(truncatingIfNeeded: value >> 8)
    }
  }

  /// Unpacks MIPI CSI-2, chapter 11.4: the kernel's pixfmt-srggb10p, -12p and -14p have tables of the bits.
  private borrowing func unpackMIPI(
    _ row: UnsafePointer<UInt8>, bits: Int, to target: UnsafeMutablePointer<UInt8>
  ) {
    let perGroup = bits == 12 ? 2 : 4
    let groupBytes = perGroup * bits / 8
    let lowBits = bits - 8
    let mask = UInt32(1) << UInt32(lowBits) - 1
    var (column, group) = (0, row)
    while column < width {
      var low: UInt32 = 0
      for index in perGroup..<groupBytes { low |= UInt32(group[index]) << UInt32(8 * (index - perGroup)) }
      for index in 0..<min(perGroup, width - column) {
        target[2 * (column + index)] = UInt8(truncatingIfNeeded: (low & mask) << UInt32(8 - lowBits))
        target[2 * (column + index) + 1] = group[index]
        low >>= UInt32(lowBits)
      }
      column += perGroup
      group += groupBytes
    }
  }
}
