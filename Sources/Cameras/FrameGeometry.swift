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
      // In a single memory plane, planar chroma rows have half the luma's stride, and interleaved chroma rows
      // the whole. If a driver gives no stride, or one shorter than a row, rows are not padded.
      let isHalf = index > 0 && tight.count == 3
      let given = isSplit ? Int(format.bytesPerLine[index]) : isHalf ? (stride + 1) / 2 : stride
      let before = isSplit ? nil : planes.last
      planes.append(
        Plane(
          memoryPlane: isSplit ? index : 0, offset: before.map { $0.offset + $0.stride * $0.rows } ?? 0,
          rows: plane.rows, rowBytes: plane.bytesPerRow, stride: max(given, plane.bytesPerRow)))
    }
    self.planes = planes
  }

  /// Bytes of a whole frame without row padding; 0 if unknown.
  package var byteCount: Int { planes.reduce(0) { $0 + $1.rows * $1.rowBytes } }

  /// Returns the maximum size in bytes of a frame of `format`, whose geometry this is.
  package func largestFrame(of format: CaptureFormat) -> Int {
    planes.isEmpty ? format.sizeImage.reduce(0) { $0 + Int($1) } : byteCount
  }
}
