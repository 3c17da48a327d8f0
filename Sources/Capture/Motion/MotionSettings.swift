public import Platform
public import CameraModel
public import Media
public import SystemPackage
public import Timebase

/// What counts as motion.
public struct MotionSettings: Hashable, Sendable {
  /// By how much the luma of a place must change within a thirtieth of a second, in steps of 0 to
  /// 255.
  public var threshold: Int
  /// How much of the region must change so, from 0 to 1.
  public var area: Double
  /// The part of the picture that is looked at; `nil` for all of it.
  public var region: PictureCrop?
  /// A PNG of the picture's size: what is white is looked at, what is black is not; `nil` without
  /// one.
  public var mask: FilePath?
  /// Whether a change of the light as a whole counts too.
  public var countsLight: Bool

  /// Settings for usual scenes, or these.
  public init(
    threshold: Int = 25, area: Double = 0.02, region: PictureCrop? = nil, mask: FilePath? = nil,
    countsLight: Bool = false
  ) {
    self.threshold = threshold
    self.area = area
    self.region = region
    self.mask = mask
    self.countsLight = countsLight
  }
}

extension MotionSettings {
  private enum Key: String, CaseIterable {
    case threshold, area, region, mask, light
  }

  /// What texts are to be, as the end of a sentence.
  static let expectation =
    "settings of motion: threshold:25,area:2%,region:640x360+0+0,mask:FILE.png,light:on"

  /// Reads settings such as `threshold:25,area:2%,region:640x360+0+0,mask:FILE.png,light:on`, each
  /// at most once; what is left out is as usual.
  ///
  /// - Throws: `QuantityError`.
  public init(text: String) throws(QuantityError) {
    self.init()
    var seen: Set<Key> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let key = Key(rawValue: String(pair[0])), seen.insert(key).inserted else {
        throw QuantityError(String(part), expected: Self.expectation)
      }
      let value = String(pair[1])
      switch key {
      case .threshold: threshold = try Self.threshold(text: value)
      case .area: area = try Self.area(text: value)
      case .region: region = try Self.region(text: value)
      case .mask:
        guard !value.isEmpty else { throw QuantityError(value, expected: "the name of a PNG file") }
        mask = FilePath(value)
      case .light:
        guard let light = ["on": true, "off": false][value] else {
          throw QuantityError(value, expected: "on or off")
        }
        countsLight = light
      }
    }
  }

  /// Reads a threshold, such as `25`.
  public static func threshold(text: String) throws(QuantityError) -> Int {
    guard let steps = Int(text), (1...254).contains(steps) else {
      throw QuantityError(text, expected: "a threshold in steps of luma, from 1 to 254")
    }
    return steps
  }

  /// Reads a part of an area, such as `2%` or `0.02`.
  public static func area(text: String) throws(QuantityError) -> Double {
    let isPercent = text.hasSuffix("%")
    guard let number = Fraction(text: isPercent ? text.dropLast() : text[...]), number > Fraction(0),
      number <= Fraction(isPercent ? 100 : 1)
    else { throw QuantityError(text, expected: "a part of the area, such as 2% or 0.02") }
    return number.doubleValue / (isPercent ? 100 : 1)
  }

  /// Reads a part of the picture, such as `640x360+0+0`.
  public static func region(text: String) throws(QuantityError) -> PictureCrop {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let sides = (parts.first ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, sides.count == 2, let width = sides[0], let height = sides[1],
      let x = Int(parts[1]), let y = Int(parts[2]), width > 0, height > 0, x >= 0, y >= 0
    else {
      throw QuantityError(
        text, expected: "a part of the picture, such as 640x360+0+0: width, height, and from where")
    }
    return PictureCrop(width: width, height: height, x: x, y: y)
  }
}

extension MotionSettings: CustomStringConvertible {
  /// The settings as ``init(text:)`` reads them.
  public var description: String {
    let percent = Fraction(Int64(clamping: (area * 1e6).rounded()), 10_000).decimal(places: 4)
    var parts = ["threshold:\(threshold)", "area:\(percent)%"]
    if let region { parts.append("region:\(region)") }
    if let mask { parts.append("mask:\(mask)") }
    if countsLight { parts.append("light:on") }
    return parts.joined(separator: ",")
  }
}

extension MotionSettings {
  /// Finds out whether pictures of `mode` can be looked at so.
  ///
  /// - Throws: `OvercrankError` where the region does not lie in the picture, or the mask cannot be
  ///   read or has another size.
  public func check(for mode: Mode) throws(OvercrankError) {
    _ = try MotionField(self, width: Int(mode.width), height: Int(mode.height))
  }
}
