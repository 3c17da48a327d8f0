public import Platform
public import CameraModel
public import Media
public import SystemPackage
public import Timebase

/// The settings of motion detection.
public struct MotionSettings: Hashable, Sendable {
  /// The change of luma within a thirtieth of a second above which a cell counts as changed, in steps of 0 to
  /// 255.
  public var threshold: Int
  /// The minimum share of the region that must change, from 0 to 1.
  public var area: Double
  /// The region to analyse; `nil` for the whole picture.
  public var region: PictureCrop?
  /// A PNG of the picture's size: white parts are analysed, black ones are not; `nil` for no mask.
  public var mask: FilePath?
  /// Whether a change of the light as a whole counts as motion.
  public var countsLight: Bool

  /// Creates settings; the defaults suit common scenes.
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

  /// The expected form of the text, as the end of a sentence.
  static let expectation =
    "a motion setting, as in threshold:25,area:2%,region:640x360+0+0,mask:FILE.png,light:on"

  /// Reads settings such as `threshold:25,area:2%,region:640x360+0+0,mask:FILE.png,light:on`, each at most
  /// once; omitted settings have their defaults.
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

  /// Reads a share, such as `2%` or `0.02`.
  public static func area(text: String) throws(QuantityError) -> Double {
    let isPercent = text.hasSuffix("%")
    guard let number = Fraction(text: isPercent ? text.dropLast() : text[...]), number > Fraction(0),
      number <= Fraction(isPercent ? 100 : 1)
    else { throw QuantityError(text, expected: "a fraction of the area, such as 2% or 0.02") }
    return number.doubleValue / (isPercent ? 100 : 1)
  }

  /// Reads a region, such as `640x360+0+0`.
  public static func region(text: String) throws(QuantityError) -> PictureCrop {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let sides = (parts.first ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, sides.count == 2, let width = sides[0], let height = sides[1],
      let x = Int(parts[1]), let y = Int(parts[2]), width > 0, height > 0, x >= 0, y >= 0
    else {
      throw QuantityError(
        text, expected: "a part of the picture, such as 640x360+0+0: its width, height, and offsets")
    }
    return PictureCrop(width: width, height: height, x: x, y: y)
  }
}

extension MotionSettings: CustomStringConvertible {
  /// The settings as text that ``init(text:)`` reads.
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
  /// Checks the settings for pictures of `mode`.
  ///
  /// - Throws: `OvercrankError` if the region is not in the picture, or the mask cannot be read or has
  ///   another size.
  public func check(for mode: Mode) throws(OvercrankError) {
    guard mode.pixelFormat?.stream == nil else {
      throw OvercrankError(
        .badValue,
        "motion cannot be detected in \(mode.fourcc) frames, which depend on one another. Choose another format.",
        remedy: .watchMotion)
    }
    _ = try MotionField(self, width: Int(mode.width), height: Int(mode.height))
  }
}
