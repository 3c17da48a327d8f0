package import V4L2

/// Where the rows of a frame lie in the driver's memory.
package struct FrameGeometry: Sendable {
  /// A picture plane: which memory plane it lies in, from which byte, and its rows.
  package struct Plane: Sendable {
    var memoryPlane: Int
    var offset: Int
    var rows: Int
    var rowBytes: Int
    var stride: Int
    /// The last byte that is needed, plus one; the padding of the last row may be missing.
    package var end: Int { offset + (rows - 1) * stride + rowBytes }
  }

  /// Empty where frames are compressed or of a format whose rows are not known: then all that the driver
  /// filled is the frame.
  package let planes: [Plane]

  /// The geometry of frames of `format`, which was checked: its products fit into 64 bits.
  package init(of format: CaptureFormat) {
    let tight = format.pixelFormat.codec?.planes(width: Int(format.width), height: Int(format.height)) ?? []
    let isSplit = format.pixelFormat.isInMemoryPlanes && format.bytesPerLine.count >= tight.count
    let stride = Int(format.bytesPerLine.first ?? 0)
    var planes: [Plane] = []
    for (index, plane) in tight.enumerated() {
      // In one memory plane the rows of three planes' chroma are padded to half the luma's, those of interleaved chroma
      // to the whole. A driver that gives no stride, or one shorter than a row, means that rows are not padded.
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

  /// Bytes of a whole frame without row padding; 0 where that is not known.
  package var byteCount: Int { planes.reduce(0) { $0 + $1.rows * $1.rowBytes } }

  /// The most bytes that a frame of `format`, whose geometry this is, can have.
  package func largestFrame(of format: CaptureFormat) -> Int {
    planes.isEmpty ? format.sizeImage.reduce(0) { $0 + Int($1) } : byteCount
  }
}
