import Platform
import CameraModel

/// The layout of an uncompressed format's pixels in the bytes of a frame without padding.
struct RawLayout {
  /// A byte in the code of a group of pixels: the mean of one channel over some of them.
  struct Sample {
    /// The index of the ``Pixel`` channel.
    var channel: Int
    /// The first pixel in the group.
    var first = 0
    /// The number of pixels across.
    var count = 1
  }

  /// A plane of groups of pixels that are coded alike: YUYV is one plane of pairs, NV12 is two planes.
  struct Plane {
    /// The size of a group in pixels, across and down.
    var across: Int
    var down: Int
    /// The bytes of a group, in order.
    var samples: [Sample]
    /// The plane's offset in the frame.
    var offset = 0
    /// Bytes from one row of groups to the next.
    var stride = 0
    /// The number of rows of groups.
    var rows = 0

    /// Returns the bytes that code the pixels of `area`, whose edges must lie between groups.
    func bytes(of area: Area) -> ByteRectangle {
      let left = area.columns.lowerBound / across
      let right = (area.columns.upperBound + across - 1) / across
      let top = area.rows.lowerBound / down
      let bottom = (area.rows.upperBound + down - 1) / down
      return ByteRectangle(
        offset: offset + top * stride + left * samples.count, stride: stride,
        rowBytes: (right - left) * samples.count, rows: bottom - top)
    }
  }

  /// A rectangle of a frame's bytes.
  struct ByteRectangle {
    var offset: Int
    var stride: Int
    var rowBytes: Int
    var rows: Int

    var byteCount: Int { rowBytes * rows }

    /// Copies the rectangle from `frame` to contiguous rows.
    func gather(from frame: UnsafeRawPointer, to rows: UnsafeMutableRawPointer) {
      for row in 0..<self.rows {
        (rows + row * rowBytes).copyMemory(from: frame + offset + row * stride, byteCount: rowBytes)
      }
    }

    /// Copies contiguous rows to the rectangle in `frame`.
    func scatter(_ rows: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
      for row in 0..<self.rows {
        (frame + offset + row * stride).copyMemory(from: rows + row * rowBytes, byteCount: rowBytes)
      }
    }
  }

  /// The planes, in the order of their bytes.
  let planes: [Plane]
  /// The size of a frame in bytes.
  let byteCount: Int
  /// The meaning of the pixels' channels.
  let model: ColourModel

  /// Creates a layout of consecutive planes for pictures of this size.
  init(planes: [Plane], width: Int, height: Int, model: ColourModel) {
    var end = 0
    self.planes = planes.map { plane in
      var placed = plane
      placed.offset = end
      placed.stride = (width + plane.across - 1) / plane.across * plane.samples.count
      placed.rows = (height + plane.down - 1) / plane.down
      end += placed.stride * placed.rows
      return placed
    }
    self.byteCount = end
    self.model = model
  }

  /// Creates the layout of `format`; `nil` if a simulated camera does not support it uncompressed.
  init?(format: PixelFormat, width: Int, height: Int) {
    let luma = Sample(channel: 0)
    let secondLuma = Sample(channel: 0, first: 1)
    let blue = Sample(channel: 1, count: 2)
    let red = Sample(channel: 2, count: 2)
    let lumaPlane = Plane(across: 1, down: 1, samples: [luma])
    let planes: [Plane]
    switch format {
    case .yuyv: planes = [Plane(across: 2, down: 1, samples: [luma, blue, secondLuma, red])]
    case .uyvy: planes = [Plane(across: 2, down: 1, samples: [blue, luma, red, secondLuma])]
    case .nv12, .apple420v, .apple420f:
      planes = [lumaPlane, Plane(across: 2, down: 2, samples: [blue, red])]
    case .yuv420:
      planes = [
        lumaPlane, Plane(across: 2, down: 2, samples: [blue]), Plane(across: 2, down: 2, samples: [red]),
      ]
    case .rgb24: planes = [Plane(across: 1, down: 1, samples: [0, 1, 2].map { Sample(channel: $0) })]
    case .bgr24: planes = [Plane(across: 1, down: 1, samples: [2, 1, 0].map { Sample(channel: $0) })]
    case .grey: planes = [lumaPlane]
    default: return nil
    }
    let model: ColourModel =
      format == .rgb24 || format == .bgr24 ? .rgb : format == .apple420f ? .fullRange : .limitedRange
    self.init(planes: planes, width: width, height: height, model: model)
  }

  /// Creates a planar full-range 4:2:2 layout, as `JPEGEncoder` requires.
  init(planar422Width width: Int, height: Int) {
    let planes = [
      Plane(across: 2, down: 1, samples: [Sample(channel: 0), Sample(channel: 0, first: 1)]),
      Plane(across: 2, down: 1, samples: [Sample(channel: 1, count: 2)]),
      Plane(across: 2, down: 1, samples: [Sample(channel: 2, count: 2)]),
    ]
    self.init(planes: planes, width: width, height: height, model: .fullRange)
  }
}

extension RawLayout {
  /// Whitens the pixel rows `rows` of `frame`; groups of pixels with their first row among them.
  func whiten(_ rows: Range<Int>, of frame: UnsafeMutableRawPointer) {
    let white: UInt8 = model == .limitedRange ? 235 : 255
    for plane in planes {
      for line in 0..<plane.rows where rows.contains(line * plane.down) {
        let first = (frame + plane.offset + line * plane.stride).assumingMemoryBound(to: UInt8.self)
        for index in 0..<plane.stride {
          let channel = plane.samples[index % plane.samples.count].channel
          first[index] = model == .rgb || channel == 0 ? white : 128
        }
      }
    }
  }

  /// Packs all pixels into `frame`.
  func pack(_ canvas: Canvas, into frame: UnsafeMutableRawPointer, _ stop: DrawingStop) throws(OvercrankError)
  {
    // The strips have an even number of rows, so that no group crosses a boundary.
    for top in stride(from: 0, to: canvas.height, by: 64) {
      try stop.check()
      let rows = top..<min(top + 64, canvas.height)
      pack(canvas, Area(columns: 0..<canvas.width, rows: rows), into: frame)
    }
  }

  /// Packs the pixels of `area`, whose edges must lie between groups or at the picture's edges, into `frame`.
  func pack(_ canvas: Canvas, _ area: Area, into frame: UnsafeMutableRawPointer) {
    canvas.pixels.withUnsafeBytes { pixels in
      guard let pixels = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      for plane in planes {
        let target = plane.bytes(of: area)
        for (index, sample) in plane.samples.enumerated() {
          let first = (frame + target.offset + index).assumingMemoryBound(to: UInt8.self)
          for row in 0..<target.rows {
            let line = first + row * target.stride
            let top = area.rows.lowerBound + row * plane.down
            let left = area.columns.lowerBound + sample.first
            let groups = target.rowBytes / plane.samples.count
            packRow(pixels, canvas, plane, sample, top: top, left: left, groups: groups, into: line)
          }
        }
      }
    }
  }

  // Uses `while` loops and bare pointers, because this runs for every byte of every prerendered frame, in
  // debug builds too, where ranges and buffers are slow.
  private func packRow(
    _ pixels: UnsafePointer<UInt8>, _ canvas: Canvas, _ plane: Plane, _ sample: Sample, top: Int, left: Int,
    groups: Int, into line: UnsafeMutablePointer<UInt8>
  ) {
    let (lastColumn, lastRow) = (canvas.width - 1, canvas.height - 1)
    let (across, down, step) = (plane.across, plane.down, plane.samples.count)
    let (width, channel, samplesAcross) = (canvas.width, sample.channel, sample.count)
    let count = samplesAcross * down
    // A shift replaces the division, the slowest operation here; groups have 1, 2 or 4 pixels.
    precondition(count.nonzeroBitCount == 1)
    let shift = count.trailingZeroBitCount
    var group = 0
    while group < groups {
      let firstColumn = left + group * across
      var sum = count / 2
      var y = top
      while y < top + down {
        // A group that extends beyond the picture repeats its last pixels.
        let row = (y < lastRow ? y : lastRow) * width
        var x = firstColumn
        while x < firstColumn + samplesAcross {
          sum += Int(pixels[(row + (x < lastColumn ? x : lastColumn)) * 3 + channel])
          x += 1
        }
        y += 1
      }
      line[group * step] = UInt8(truncatingIfNeeded: sum >> shift)
      group += 1
    }
  }
}
