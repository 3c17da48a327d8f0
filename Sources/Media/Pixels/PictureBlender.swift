package import Platform
internal import CLibAV

/// A blender of two pictures. Use from one thread at a time.
package struct PictureBlender: ~Copyable {
  private var pool = PicturePool()

  /// Creates a blender.
  package init() {}

  /// Returns `share` / 256 of `next` and the rest of `picture`, rounded to the nearest.
  ///
  /// - Precondition: both are planar, with the same size and layout; `share` is from 0 to 256.
  package mutating func blend(_ picture: Picture, _ next: Picture, share: Int) throws(OvercrankError)
    -> Picture
  {
    precondition(
      picture.layout == next.layout && picture.width == next.width && picture.height == next.height,
      "the pictures must have the same size and layout")
    let layout = picture.layout
    let target = try pool.picture(
      layout: layout, width: picture.width, height: picture.height, color: picture.color)
    let planes = layout.planes(width: picture.width, height: picture.height) ?? []
    let isDeep = layout.bitsPerSample > 8
    for (index, plane) in planes.enumerated() {
      guard let from = picture.planeBases[index], let to = next.planeBases[index],
        let mixed = target.planeBases[index]
      else { continue }
      for row in 0..<plane.rows {
        let (a, b) = (from + row * Int(picture.planeStrides[index]), to + row * Int(next.planeStrides[index]))
        let c = mixed + row * Int(target.planeStrides[index])
        if isDeep {
          Self.mixDeep(a, b, c, plane.bytesPerRow / 2, UInt32(share))
        } else {
          Self.mix(a, b, c, plane.bytesPerRow, UInt16(share))
        }
      }
    }
    return target
  }

  private static func mix(
    _ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>, _ c: UnsafeMutablePointer<UInt8>,
    _ count: Int, _ share: UInt16
  ) {
    for index in 0..<count {
      // At most 255 * 256 + 128, which fits 16 bits, so that vectors have the most lanes.
      let sum =
        UInt16(truncatingIfNeeded: a[index]) &* (256 &- share) &+ UInt16(truncatingIfNeeded: b[index])
        &* share
      c[index] = UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
    }
  }

  private static func mixDeep(
    _ a: UnsafeMutablePointer<UInt8>, _ b: UnsafeMutablePointer<UInt8>, _ c: UnsafeMutablePointer<UInt8>,
    _ count: Int, _ share: UInt32
  ) {
    let (a, b) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    let c = UnsafeMutableRawPointer(c)
    for offset in stride(from: 0, to: 2 * count, by: 2) {
      let sum =
        UInt32(a.load(fromByteOffset: offset, as: UInt16.self)) &* (256 &- share)
        &+ UInt32(b.load(fromByteOffset: offset, as: UInt16.self)) &* share
      c.storeBytes(of: UInt16(truncatingIfNeeded: (sum &+ 128) &>> 8), toByteOffset: offset, as: UInt16.self)
    }
  }
}
