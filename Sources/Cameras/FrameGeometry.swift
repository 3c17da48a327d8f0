import Media
package import V4L2

/// The layout of a frame's rows in the driver's memory.
package struct FrameGeometry: Sendable {
  /// A picture plane: its memory plane, its offset in bytes, and its rows.
  package struct Plane: Sendable {
    var memoryPlane: Int
    var offset: Int
    var rows: Int
    var rowBytes: Int
    var stride: Int
    /// The end of the needed bytes, exclusive; the padding of the last row may be missing.
    package var end: Int { offset + (rows - 1) * stride + rowBytes }
  }

  /// The picture planes; empty for compressed frames and for formats of unknown layout: then the frame is all
  /// that the driver filled.
  package let planes: [Plane]

  /// Computes the geometry of frames of `format`, which was checked: its products fit into 64 bits.
  package init(of format: CaptureFormat) {
    let tight = format.pixelFormat.codec?.planes(width: Int(format.width), height: Int(format.height)) ?? []
    let isSplit = format.pixelFormat.isInMemoryPlanes && format.bytesPerLine.count >= tight.count
    let stride = Int(format.bytesPerLine.first ?? 0)
    var planes: [Plane] = []
    for (index, plane) in tight.enumerated() {
      let given =
        isSplit ? Int(format.bytesPerLine[index]) : Self.stride(of: plane, tight[0], lumaStride: stride)
      let before = isSplit ? nil : planes.last
      planes.append(
        Plane(
          memoryPlane: isSplit ? index : 0, offset: before.map { $0.offset + $0.stride * $0.rows } ?? 0,
          rows: plane.rows, rowBytes: plane.bytesPerRow, stride: max(given, plane.bytesPerRow)))
    }
    self.planes = planes
  }

  /// Returns the stride of `plane` in a single memory plane; if a driver gives none for luma, or one shorter
  /// than a row, rows are not padded.
  ///
  /// V4L2 gives the stride of luma. The rows of Cb and of Cr have it divided by their subsampling, 1, 2 or 4;
  /// rows of interleaved chroma have it once, or twice without subsampling.
  private static func stride(of plane: PixelLayout.Plane, _ luma: PixelLayout.Plane, lumaStride: Int) -> Int {
    guard plane.bytesPerRow < luma.bytesPerRow else {
      return lumaStride * (plane.bytesPerRow / luma.bytesPerRow)
    }
    let subsampling = plane.bytesPerRow * 2 >= luma.bytesPerRow ? 2 : 4
    return (lumaStride + subsampling - 1) / subsampling
  }

  /// Bytes of a whole frame without row padding; 0 if unknown.
  package var byteCount: Int { planes.reduce(0) { $0 + $1.rows * $1.rowBytes } }

  /// Returns the maximum size in bytes of a frame of `format`, whose geometry this is.
  package func largestFrame(of format: CaptureFormat) -> Int {
    planes.isEmpty ? format.sizeImage.reduce(0) { $0 + Int($1) } : byteCount
  }
}
