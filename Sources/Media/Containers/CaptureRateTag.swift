/// The key in a MOV or MP4 that tells gallery programs how fast its frames were captured: `com.android.capture.fps`.
///
/// It belongs into `moov/meta`, as Android's `MPEG4Writer` writes it (`writeMoovLevelMetaBox`): a handler `mdta`, the
/// key's name, and a 32-bit float (type 23 of QuickTime's well-known types). libavformat writes keys into
/// `moov/udta/meta` alone, where these programs do not look.
struct CaptureRateTag: Hashable {
  /// The name of the key.
  static let key = "com.android.capture.fps"

  /// Frames per second.
  let framesPerSecond: Float

  /// The tag of a film captured at `framesPerSecond`; `nil` where that is no rate.
  init?(_ framesPerSecond: Double) {
    let rate = Float(framesPerSecond)
    guard rate.isFinite, rate > 0 else { return nil }
    self.framesPerSecond = rate
  }

  /// The whole box `meta`.
  ///
  /// - Parameter names: the keys that another such box of the file has, in their order.
  func bytes(after names: [String] = []) -> [UInt8] {
    var keys = MovieKeys(after: names)
    keys.add(Self.key, .float, MovieBox.number(framesPerSecond.bitPattern))
    return keys.bytes
  }
}
