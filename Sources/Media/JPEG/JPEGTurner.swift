package import Platform
internal import CTurboJPEG

/// Turns and mirrors JPEGs.
package enum JPEGTurner {
  /// How faithful, where a JPEG has to be coded anew.
  private static let quality = 95

  /// The JPEG as it is to be shown.
  ///
  /// Its blocks are turned as they are, without loss. Where its size is no whole number of them, the picture is decoded
  /// and coded anew: its edge would not be turned with it.
  /// - Throws: `badData` where it is no JPEG, or damaged.
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

  /// `nil` where the blocks cannot be turned without loss.
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
