import CameraModel
import SystemPackage
import Timebase

/// One line of the output of `v4l2-ctl --list-formats-ext`, as far as a camera table needs it.
enum ListingLine: Hashable {
  /// `ioctl: VIDIOC_ENUM_FMT`: the start of a node's list.
  case list
  /// `Type: Video Capture`: the purpose of the formats below.
  case type(String)
  /// `[0]: 'YUYV' (YUYV 4:2:2)`.
  case format(fourcc: String)
  /// `Index : 0`: in older versions, the first of a format's lines.
  case index
  /// `Pixel Format: 'YUYV'`: in older versions, a format of the list; in all, the node's present format.
  case setFormat(fourcc: String)
  /// `Size: Discrete 640x480`; `nil` for a range whose bounds are not printed.
  case size(FrameSize?)
  /// `Interval: Discrete 0.033s (30.000 fps)`.
  case intervals(FrameIntervals)
  /// `Driver name : uvcvideo` and similar lines, which precede a list of formats.
  case fact(Fact, String)
  /// A line that names a node: a heading, or the typed command.
  case node(FilePath)
  /// A size or an interval that cannot be read.
  case malformed
  /// Anything else.
  case other

  /// A fact about the device as a whole.
  enum Fact: Hashable {
    case driver, card, bus
  }

  init(_ line: Substring) {
    let line = line.trimming(\.isWhitespace)
    let (key, value) = line.atColon
    switch key {
    case "ioctl": self = value.hasPrefix("VIDIOC_ENUM_FMT") ? .list : .other
    case "Type": self = .type(String(value))
    case "Driver name": self = .fact(.driver, String(value))
    case "Card type": self = .fact(.card, String(value))
    case "Bus info": self = .fact(.bus, String(value))
    case "Size": self = Self.size(value)
    case "Interval": self = Self.intervals(value).map(Self.intervals) ?? .malformed
    case "Index": self = .index
    case "Pixel Format": self = Self.fourcc(value).map(Self.setFormat) ?? .malformed
    default:
      if key.hasPrefix("["), key.hasSuffix("]"), let fourcc = Self.fourcc(value) {
        self = .format(fourcc: fourcc)
      } else {
        self = Self.node(line).map(Self.node) ?? .other
      }
    }
  }

  /// Returns the text between the quotes; its spaces are part of the code.
  private static func fourcc(_ value: Substring) -> String? {
    guard value.first == "'" else { return nil }
    let rest = value.dropFirst()
    guard let end = rest.firstIndex(of: "'") else { return nil }
    return String(rest[..<end])
  }

  private static func node(_ line: Substring) -> FilePath? {
    let prefix = "/dev/video"
    for start in line.indices where line[start] == "/" && line[start...].hasPrefix(prefix) {
      let digits = line[start...].dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty { return FilePath(prefix + digits) }
    }
    return nil
  }

  private static func size(_ value: Substring) -> ListingLine {
    let words = value.split(separator: " ").filter { $0 != "-" }
    let sizes = words.dropFirst().prefix(2).compactMap { Dimensions(printed: $0, between: "x") }
    switch (words.first, words.count) {
    case ("Discrete", 2) where sizes.count == 1:
      return .size(.discrete(width: sizes[0].width, height: sizes[0].height))
    case ("Continuous", 3) where sizes.count == 2:
      return .size(.continuous(min: sizes[0], max: sizes[1]))
    case ("Stepwise", 6) where sizes.count == 2:
      guard let step = Dimensions(printed: words[5], between: "/") else { return .malformed }
      return .size(.stepwise(min: sizes[0], max: sizes[1], step: step))
    case ("Continuous", 1), ("Unknown", 1): return .size(nil)
    default: return .malformed
    }
  }

  private static func intervals(_ value: Substring) -> FrameIntervals? {
    let numbers = value.split { " ()-".contains($0) }.compactMap { word in
      PrintedNumber(word.last == "s" ? word.dropLast() : word)
    }
    // The slowest rate is printed first, as it belongs to the longest interval.
    switch (value.prefix { $0 != " " }, numbers.count) {
    case ("Discrete", 1): return .discrete(FrameInterval(printed: numbers[0]))
    case ("Discrete", 2):
      return .discrete(FrameInterval(printed: numbers[0], framesPerSecond: numbers[1]))
    case ("Continuous", 2):
      return .continuous(min: FrameInterval(printed: numbers[0]), max: FrameInterval(printed: numbers[1]))
    case ("Continuous", 4):
      return .continuous(
        min: FrameInterval(printed: numbers[0], framesPerSecond: numbers[3]),
        max: FrameInterval(printed: numbers[1], framesPerSecond: numbers[2]))
    case ("Stepwise", 3):
      return .stepwise(
        min: FrameInterval(printed: numbers[0]), max: FrameInterval(printed: numbers[1]),
        step: FrameInterval(printed: numbers[2]))
    case ("Stepwise", 5):
      let min = FrameInterval(printed: numbers[0], framesPerSecond: numbers[4])
      return .stepwise(
        min: min, max: FrameInterval(printed: numbers[1], framesPerSecond: numbers[3]),
        step: numbers[2] == numbers[0] ? min : FrameInterval(printed: numbers[2]))
    default: return nil
    }
  }
}

extension Dimensions {
  /// Reads `640x480` or `2/2`; old versions print terms over 2^31 as negative numbers.
  fileprivate init?(printed text: Substring, between separator: Character) {
    let terms = text.split(separator: separator, omittingEmptySubsequences: false).map { term in
      UInt32(term) ?? Int32(term).map(UInt32.init(bitPattern:))
    }
    guard terms.count == 2, let width = terms[0], let height = terms[1] else { return nil }
    self.init(width: width, height: height)
  }
}

extension Substring {
  fileprivate func trimming(_ isUnwanted: (Character) -> Bool) -> Substring {
    guard let last = lastIndex(where: { !isUnwanted($0) }) else { return "" }
    return self[...last].drop(while: isUnwanted)
  }

  /// The text before and after the first colon, trimmed.
  fileprivate var atColon: (key: Substring, value: Substring) {
    guard let colon = firstIndex(of: ":") else { return (self, "") }
    return (
      self[..<colon].trimming(\.isWhitespace), self[index(after: colon)...].trimming(\.isWhitespace)
    )
  }
}
