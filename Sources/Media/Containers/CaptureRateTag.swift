/// The key in a MOV or MP4 that gives gallery apps the capture rate: `com.android.capture.fps`.
///
/// It belongs in `moov/meta`, as Android's `MPEG4Writer` writes it (`writeMoovLevelMetaBox`): a handler
/// `mdta`, the key's name, and a 32-bit float (type 23 of QuickTime's well-known types). libavformat writes
/// keys only into `moov/udta/meta`, where these apps do not look.
struct CaptureRateTag: Hashable {
  /// The name of the key.
  static let key = "com.android.capture.fps"

  /// Frames per second.
  let framesPerSecond: Float

  /// Creates the tag of a video captured at `framesPerSecond`; `nil` if that is not a rate.
  init?(_ framesPerSecond: Double) {
    let rate = Float(framesPerSecond)
    guard rate.isFinite, rate > 0 else { return nil }
    self.framesPerSecond = rate
  }

  /// Returns the whole `meta` box.
  ///
  /// - Parameter names: the keys of another such box in the file, in their order.
  func bytes(after names: [String] = []) -> [UInt8] {
    var keys = MovieKeys(after: names)
    keys.add(Self.key, .float, MovieBox.number(framesPerSecond.bitPattern))
    return keys.bytes
  }
}
