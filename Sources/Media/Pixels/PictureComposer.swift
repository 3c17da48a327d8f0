package import Platform
internal import CLibAV

/// A composer of pictures from smaller ones, which lie on black. Use from one thread at a time.
package struct PictureComposer: ~Copyable {
  private let width: Int
  private let height: Int
  private let layout: PixelLayout
  private let color: ColorDescription
  private var pool = PicturePool()

  /// Creates a composer of pictures of `width` x `height`, both even.
  ///
  /// - Parameters:
  ///   - width: the pixels per row.
  ///   - height: the number of rows.
  ///   - layout: the layout of all pictures: planar.
  ///   - color: the colours of all pictures.
  package init(width: Int, height: Int, layout: PixelLayout, color: ColorDescription) {
    self.width = width
    self.height = height
    self.layout = layout
    self.color = color
  }

  /// Returns a picture that shows each of `pictures` at its place; a later one covers those before it.
  ///
  /// - Parameter pictures: pictures in the composer's layout, and the even columns and rows at which they begin.
  /// - Throws: `OvercrankError` if memory runs out, or if a picture has another layout or reaches over the edge.
  package mutating func compose(
    _ pictures: [(picture: Picture, x: Int, y: Int)]
  ) throws(OvercrankError) -> Picture {
    let target = try pool.picture(layout: layout, width: width, height: height, color: color)
    guard let descriptor = av_pix_fmt_desc_get(layout.format),
      av_pix_fmt_count_planes(layout.format) == Int32(descriptor.pointee.nb_components), !layout.isRGB,
      let planes = layout.planes(width: width, height: height)
    else { throw OvercrankError(.unsupported, "a picture of \(layout) cannot be composed of others.") }
    let sampleSize = layout.bitsPerSample > 8 ? 2 : 1
    for (index, plane) in planes.enumerated() {
      guard let base = target.planeBases[index] else { continue }
      let stride = Int(target.planeStrides[index])
      fill(base, stride: stride, plane, with: blackSample(ofPlane: index), size: sampleSize)
      let isChroma = index == 1 || index == 2
      let across = isChroma ? Int(descriptor.pointee.log2_chroma_w) : 0
      let down = isChroma ? Int(descriptor.pointee.log2_chroma_h) : 0
      for (picture, x, y) in pictures {
        guard picture.layout == layout, x >= 0, y >= 0, x + picture.width <= width,
          y + picture.height <= height,
          let source = picture.planeBases[index],
          let part = layout.planes(width: picture.width, height: picture.height)?[index]
        else {
          throw OvercrankError(
            .unsupported,
            "a picture of \(picture.width)x\(picture.height) (\(picture.layout)) has no place at \(x),\(y) of one "
              + "of \(width)x\(height) (\(layout)).")
        }
        let from = Int(picture.planeStrides[index])
        for row in 0..<part.rows {
          let line = base + ((y >> down) + row) * stride + (x >> across) * sampleSize
          line.update(from: source + row * from, count: part.bytesPerRow)
        }
      }
    }
    return target
  }

  /// Returns the sample of an opaque black pixel.
  private func blackSample(ofPlane index: Int) -> UInt16 {
    let depth = layout.bitsPerSample
    let most = UInt16(truncatingIfNeeded: (1 << depth) - 1)
    return switch index {
    case 0: color.range == .full ? 0 : 16 << (depth - 8)
    case 3: most
    // Grey with transparency has no chroma.
    case 1 where layout.lacksChroma: most
    default: 1 << (depth - 1)
    }
  }

  private func fill(
    _ base: UnsafeMutablePointer<UInt8>, stride: Int, _ plane: PixelLayout.Plane, with sample: UInt16,
    size: Int
  ) {
    for row in 0..<plane.rows {
      let line = base + row * stride
      if size == 1 {
        line.update(repeating: UInt8(truncatingIfNeeded: sample), count: plane.bytesPerRow)
      } else {
        line.withMemoryRebound(to: UInt16.self, capacity: plane.bytesPerRow / 2) {
          $0.update(repeating: sample.littleEndian, count: plane.bytesPerRow / 2)
        }
      }
    }
  }
}
