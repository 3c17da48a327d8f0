/// The key in a MOV or MP4 that tells gallery programs how fast its frames were captured: `com.android.capture.fps`.
///
/// It belongs into `moov/meta`, as Android's `MPEG4Writer` writes it (`writeMoovLevelMetaBox`): a handler `mdta`, the
/// key's name, and a 32-bit float (type 23 of QuickTime's well-known types). libavformat writes keys into
/// `moov/udta/meta` alone, where these programs do not look.
struct CaptureRateTag: Hashable {
  /// The name of the key.
  static let key = "com.android.capture.fps"
  /// QuickTime's well-known type of a big-endian float of 32 bits.
  static let typeOfFloat = 23

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
  /// - Parameter names: the keys that another such box of the file has, in their order. libav 5.1 knows one table of
  ///   keys a file, and goes by it in every box: so this one begins with the same.
  func bytes(after names: [String] = []) -> [UInt8] {
    let handler = Self.box(
      "hdlr", Self.number(0) + Self.number(0) + "mdta".utf8 + [UInt8](repeating: 0, count: 13))
    let keys = (names + [Self.key]).reduce(into: Self.number(0) + Self.number(UInt32(names.count + 1))) {
      $0 += Self.box("mdta", Array($1.utf8))
    }
    let value =
      Self.number(UInt32(Self.typeOfFloat)) + Self.number(0) + Self.number(framesPerSecond.bitPattern)
    // An item's type is the number of its key.
    let data = Self.box("data", value)
    let item = Self.number(UInt32(data.count + 8)) + Self.number(UInt32(names.count + 1)) + data
    return Self.box("meta", handler + Self.box("keys", keys) + Self.box("ilst", item))
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(UInt32(content.count + 8)) + type.utf8 + content
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
