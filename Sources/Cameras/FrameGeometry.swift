import V4L2

/// Where the rows of a frame lie in the driver's memory.
struct FrameGeometry: Sendable {
  /// A picture plane: which memory plane it lies in, from which byte, and its rows.
  struct Plane: Sendable {
    var memoryPlane: Int
    var offset: Int
    var rows: Int
    var rowBytes: Int
    var stride: Int
    /// The last byte that is needed, plus one; the padding of the last row may be missing.
    var end: Int { offset + (rows - 1) * stride + rowBytes }
  }

  /// Empty where frames are compressed or of a format whose rows are not known: then all that the driver
  /// filled is the frame.
  let planes: [Plane]

  /// The geometry of frames of `format`.
  init(of format: CaptureFormat) {
    let (width, height) = (Int(format.width), Int(format.height))
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    let stride = Int(format.bytesPerLine.first ?? 0)

    func plane(_ rowBytes: Int, rows: Int = height, from offset: Int = 0, in memory: Int = 0, stride: Int)
      -> Plane
    {
      // A driver that gives no stride, or one shorter than a row, means that rows are not padded.
      Plane(
        memoryPlane: memory, offset: offset, rows: rows, rowBytes: rowBytes, stride: max(stride, rowBytes))
    }
    switch format.pixelFormat {
    case .yuyv, .uyvy:
      planes = [plane(4 * halfWidth, stride: stride)]
    case .rgb24, .bgr24:
      planes = [plane(3 * width, stride: stride)]
    case .grey:
      planes = [plane(width, stride: stride)]
    case .nv12:
      let luma = plane(width, stride: stride)
      planes = [luma, plane(2 * halfWidth, rows: halfHeight, from: luma.stride * height, stride: stride)]
    case .nv12m where format.bytesPerLine.count >= 2:
      let luma = plane(width, stride: stride)
      let chroma = plane(2 * halfWidth, rows: halfHeight, in: 1, stride: Int(format.bytesPerLine[1]))
      planes = [luma, chroma]
    case .yuv420:
      let luma = plane(width, stride: stride)
      let blue = plane(
        halfWidth, rows: halfHeight, from: luma.stride * height, stride: (luma.stride + 1) / 2)
      let red = plane(
        halfWidth, rows: halfHeight, from: blue.offset + blue.stride * halfHeight, stride: blue.stride)
      planes = [luma, blue, red]
    default:
      planes = []
    }
  }

  /// Bytes of a whole frame without row padding; 0 where that is not known.
  var byteCount: Int { planes.reduce(0) { $0 + $1.rows * $1.rowBytes } }
}
