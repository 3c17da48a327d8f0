package import Platform
internal import CTurboJPEG

/// Rotation and mirroring of JPEGs.
package enum JPEGTurner {
  /// The quality of a JPEG that must be encoded again.
  private static let quality = 95

  /// Returns the JPEG in its display orientation.
  ///
  /// Its blocks are rearranged without loss. If its size is not a whole number of blocks, the picture is
  /// decoded and encoded again, because the incomplete blocks at its edge cannot be moved.
  /// - Throws: `badData` if it is not a JPEG, or damaged.
  package static func turn(_ jpeg: [UInt8], by orientation: Orientation) throws(OvercrankError) -> [UInt8] {
    guard orientation != .upright else { return jpeg }
    if let turned = turnBlocks(jpeg, orientation) { return turned }
    var decoder = try JPEGDecoder()
    let picture = try jpeg.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
      try decoder.decode(bytes)
    }
    var turner = PictureTurner(orientation)
    return try JPEGEncoder(quality: quality).encode(try turner.turn(picture))
  }

  /// Rearranges the blocks; returns `nil` if that is not possible without loss.
  private static func turnBlocks(_ jpeg: [UInt8], _ orientation: Orientation) -> [UInt8]? {
    guard let transformer = tjInitTransform() else { return nil }
    defer { tjDestroy(transformer) }
    var transform = tjtransform()
    transform.op = Int32(operation(orientation).rawValue)
    transform.options = Int32(TJXOPT_PERFECT)
    var target: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    let status = tjTransform(
      transformer, jpeg, UInt(jpeg.count), 1, &target, &size, &transform, TJFLAG_STOPONWARNING)
    defer { tjFree(target) }
    guard status == 0, let target else { return nil }
    return Array(UnsafeBufferPointer(start: target, count: Int(size)))
  }

  private static func operation(_ orientation: Orientation) -> TJXOP {
    switch (orientation.isTurned, orientation.isMirroredAcross, orientation.isMirroredDown) {
    case (false, false, false): TJXOP_NONE
    case (false, true, false): TJXOP_HFLIP
    case (false, false, true): TJXOP_VFLIP
    case (false, true, true): TJXOP_ROT180
    case (true, false, false): TJXOP_TRANSPOSE
    case (true, true, false): TJXOP_ROT90
    case (true, false, true): TJXOP_ROT270
    case (true, true, true): TJXOP_TRANSVERSE
    }
  }
}
