/// A colour in red, green and blue, each from 0 to 1.
struct Colour {
  var red: Double
  var green: Double
  var blue: Double

  init(_ red: Double, _ green: Double, _ blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a bright, slightly pale colour; `hue` goes round the colour circle from 0 to 1.
  init(hue: Double) {
    func level(_ offset: Double) -> Double {
      let position = (hue + offset) * 6
      let wrapped = position - (position / 6).rounded(.down) * 6
      return 0.2 + 0.75 * min(max((wrapped - 3).magnitude - 1, 0), 1)
    }
    self.init(level(0), level(2.0 / 3), level(1.0 / 3))
  }

  /// Returns this colour mixed with `share` of `other`.
  func mixed(with other: Colour, share: Double) -> Colour {
    Colour(
      red + (other.red - red) * share, green + (other.green - green) * share,
      blue + (other.blue - blue) * share)
  }

  /// Returns this colour, brighter by `amount` or darker if that is negative.
  func lightened(by amount: Double) -> Colour { Colour(red + amount, green + amount, blue + amount) }
}

/// The meaning of a pixel's three channels.
enum ColourModel {
  /// Red, green and blue from 0 to 255.
  case rgb
  /// Full-range BT.601 luma, Cb and Cr, as in JPEGs.
  case fullRange
  /// Limited-range BT.601 luma from 16 to 235, Cb and Cr from 16 to 240, as in raw video.
  case limitedRange

  /// Returns `colour` in this model's channels.
  func pixel(_ colour: Colour) -> Pixel {
    if self == .rgb {
      return Pixel(Self.byte(colour.red * 255), Self.byte(colour.green * 255), Self.byte(colour.blue * 255))
    }
    let luma = 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue
    let blue = 0.564 * (colour.blue - luma)
    let red = 0.713 * (colour.red - luma)
    return self == .fullRange
      ? Pixel(Self.byte(luma * 255), Self.byte(128 + blue * 255), Self.byte(128 + red * 255))
      : Pixel(Self.byte(16 + luma * 219), Self.byte(128 + blue * 224), Self.byte(128 + red * 224))
  }

  /// Returns the grey of `luma` in this model; for RGB, `luma` is read as limited range.
  func grey(luma: UInt8) -> Pixel {
    if self != .rgb { return Pixel(luma, 128, 128) }
    let level = Self.byte((Double(luma) - 16) / 219 * 255)
    return Pixel(level, level, level)
  }

  /// Written out for speed, because it runs for each channel of each pixel.
  private static func byte(_ value: Double) -> UInt8 {
    UInt8(exactly: value.rounded()) ?? (value > 0 ? .max : 0)
  }
}

/// The three channels of one pixel.
struct Pixel: Equatable {
  var first: UInt8
  var second: UInt8
  var third: UInt8

  init(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// Returns this pixel covered by `other` with an opacity of `coverage` / 255.
  func covered(by other: Pixel, coverage: UInt8) -> Pixel {
    func mix(_ under: UInt8, _ over: UInt8) -> UInt8 {
      let part = Int(coverage)
      return UInt8((Int(under) * (255 - part) + Int(over) * part + 127) / 255)
    }
    return Pixel(mix(first, other.first), mix(second, other.second), mix(third, other.third))
  }
}
