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

  /// A colour of full brightness and some paleness; `hue` goes round once from 0 to 1.
  init(hue: Double) {
    func level(_ offset: Double) -> Double {
      let position = (hue + offset) * 6
      let wrapped = position - (position / 6).rounded(.down) * 6
      return 0.2 + 0.75 * min(max((wrapped - 3).magnitude - 1, 0), 1)
    }
    self.init(level(0), level(2.0 / 3), level(1.0 / 3))
  }

  /// This colour with `share` of `other` mixed in.
  func mixed(with other: Colour, share: Double) -> Colour {
    Colour(
      red + (other.red - red) * share, green + (other.green - green) * share,
      blue + (other.blue - blue) * share)
  }

  /// This colour, `amount` brighter or darker.
  func lightened(by amount: Double) -> Colour { Colour(red + amount, green + amount, blue + amount) }
}

/// What the three channels of a picture mean.
enum ColourModel {
  /// Red, green, blue from 0 to 255.
  case rgb
  /// BT.601 luma, Cb and Cr over the whole range, as JPEGs have them.
  case fullRange
  /// BT.601 luma from 16 to 235, Cb and Cr from 16 to 240, as raw video has them.
  case limitedRange

  /// `colour` in this model's channels.
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

  /// The grey that has `luma` in this model; as the limited range has it where the model has no luma.
  func grey(luma: UInt8) -> Pixel {
    if self != .rgb { return Pixel(luma, 128, 128) }
    let level = Self.byte((Double(luma) - 16) / 219 * 255)
    return Pixel(level, level, level)
  }

  /// Written out, because it is called for each part of each pixel that is drawn.
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

  /// This pixel with `coverage` of 255 parts of `other` laid over it.
  func covered(by other: Pixel, coverage: UInt8) -> Pixel {
    func mix(_ under: UInt8, _ over: UInt8) -> UInt8 {
      let part = Int(coverage)
      return UInt8((Int(under) * (255 - part) + Int(over) * part + 127) / 255)
    }
    return Pixel(mix(first, other.first), mix(second, other.second), mix(third, other.third))
  }
}
