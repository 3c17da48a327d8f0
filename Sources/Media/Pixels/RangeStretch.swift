import Platform
internal import CLibAV

/// A conversion of limited-range red, green and blue, 16 to 235 as HDMI grabbers send it, to full range, in
/// the picture's own memory: libswscale treats all red, green and blue as full range.
enum RangeStretch {
  /// The mapping from 16...235 to 0...255.
  private static let table: [UInt8] = (0...255).map { (value: Int) in
    UInt8(max(0, min(255, ((value - 16) * 510 + 219) / 438)))
  }

  /// Stretches `picture` if it is limited-range red, green and blue.
  static func stretchLimitedRGB(_ picture: Picture) throws(OvercrankError) {
    var color = picture.color
    let layout = picture.layout
    guard color.range == .limited, layout.isBytesOfRGB else { return }
    guard av_frame_make_writable(picture.frame) >= 0, let base = picture.planeBases[0],
      let plane = layout.planes(width: picture.width, height: picture.height)?.first
    else { throw OvercrankError.outOfMemory("a picture") }
    table.withUnsafeBufferPointer { table in
      for row in 0..<plane.rows {
        let samples = base + row * Int(picture.planeStrides[0])
        for index in 0..<plane.bytesPerRow { samples[index] = table[Int(samples[index])] }
      }
    }
    color.range = .full
    picture.set(color)
  }
}
