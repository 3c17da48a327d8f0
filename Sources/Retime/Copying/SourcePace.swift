import Media
public import SystemPackage
public import Takes
public import Timebase

/// The speed of a video that Overcrank made, as stored in the file itself.
///
/// Only the file is reliable: its speed may have been changed in place, and the program killed before it
/// updated the take file.
public struct SourcePace: Hashable, Sendable {
  /// Capture seconds in one second of the file; `nil` if unknown, or if it plays along a curve.
  public private(set) var speed: Fraction?
  /// The curve that the file plays along, as text; `nil` if it has a constant speed or the curve is unknown.
  public private(set) var curve: String?
  /// Frames per second; `nil` if unknown.
  public private(set) var framesPerSecond: Fraction?

  /// Ticks per second of a master that plays in real time.
  private static let masterTicks = Fraction(1_000_000)

  /// Reads the pace of the file at `path`; `nil` if it cannot be read or Overcrank did not make it.
  public init?(_ path: FilePath) {
    guard let video = try? Demuxer(path), let comment = video.comment, comment.hasPrefix("Overcrank") else {
      return nil
    }
    let isMaster = comment.hasPrefix(Demuxer.masterComment)
    // A program that re-encodes a master keeps the comment, but neither the codec nor the timescale.
    guard !isMaster || video.track.codec.isCaptured else { return nil }
    framesPerSecond = video.averageRate?.framesPerSecond
    speed =
      isMaster && video.isMOV ? video.timeBase.reciprocal / Self.masterTicks : Self.speed(in: comment)
    if speed == nil { curve = Self.curve(in: comment) }
  }

  /// Creates a pace with these numbers.
  public init(speed: Fraction?, framesPerSecond: Fraction?) {
    self.speed = speed
    self.framesPerSecond = framesPerSecond
  }

  /// Returns the pace of the same file once its speed is multiplied by `speed`.
  public func retimed(_ speed: Speed) -> SourcePace {
    var pace = self
    pace.speed = self.speed.map { $0 * speed.factor }
    pace.framesPerSecond = framesPerSecond.map { $0 * speed.factor }
    return pace
  }

  /// Returns the curve that a file's comment states.
  private static func curve(in comment: String) -> String? {
    for (start, words) in [("Overcrank, speed ", ""), ("Overcrank, a speed curve of ", "a curve of ")]
    where comment.hasPrefix(start) && comment.contains(":") == words.isEmpty {
      return words + comment.dropFirst(start.count)
    }
    return nil
  }

  /// Returns the speed that a file's comment states.
  private static func speed(in comment: String) -> Fraction? {
    let words = comment.split { ", ".contains($0) }.map(String.init)
    guard words.first == "Overcrank", let last = words.last else { return nil }
    let isReported =
      words.count == 3 ? ["speed", "at"].contains(words[1]) : words.count == 2 && last.hasPrefix("x")
    return isReported ? try? Speed(text: last).factor : nil
  }

  /// Returns the possible replacements for `comment` once the file's speed is multiplied by `speed`, best
  /// first; the comment itself if it states no speed.
  static func comments(at speed: Speed, after comment: String) -> [String] {
    let words = comment.split(separator: ",", maxSplits: 1).last?.drop { $0 == " " } ?? ""
    guard words.hasPrefix("speed ") || Self.speed(in: comment) != nil else { return [comment] }
    let text = "Overcrank, retimed"
    guard let now = Self.speed(in: comment).flatMap({ Speed($0 * speed.factor) }) else { return [text, ""] }
    // The new comment must fit the space of the old one: "1/64" may not fit where "1/8" was.
    return [
      "Overcrank, speed \(now)", "Overcrank speed \(now)", "Overcrank at \(now)", "Overcrank x\(now)", text,
    ]
  }
}

extension VideoCodec {
  /// Whether cameras deliver this codec, and masters therefore hold it.
  fileprivate var isCaptured: Bool {
    switch self {
    case .mjpeg, .raw, .packed: true
    case .h264, .other: false
    }
  }
}

extension Take {
  /// Stores the speed at which the file `name` of this take plays.
  ///
  /// - Returns: whether the take changed; `nil` if it has no such file.
  public mutating func enter(_ pace: SourcePace, of name: String) -> Bool? {
    var isChanged: Bool?
    if master == name, let speed = pace.speed {
      let text = speed == Fraction(1) ? nil : Speed(speed)?.description ?? "\(speed)"
      isChanged = text != masterSpeed
      masterSpeed = text
    }
    let isClipChanged = clips.enter(pace, of: name)
    return isChanged == true ? true : isClipChanged ?? isChanged
  }
}

extension [Take.Clip] {
  /// Stores the speed at which the clip `name` plays.
  ///
  /// - Returns: whether that was another one; `nil` if there is no such clip.
  package mutating func enter(_ pace: SourcePace, of name: String) -> Bool? {
    var isChanged: Bool?
    for index in indices where self[index].file == name {
      let told = self[index]
      guard let rate = pace.framesPerSecond?.doubleValue, told.framesPerSecond > 0 else { continue }
      let factor = rate / told.framesPerSecond
      // A clip's rate is exact, up to the precision of a number in JSON.
      guard (factor - 1).magnitude > 1e-6 else {
        isChanged = isChanged ?? false
        continue
      }
      self[index].framesPerSecond = rate
      self[index].speed = Self.text(of: told.speed, pace.speed, factor)
      isChanged = true
    }
    return isChanged
  }

  /// Returns the text for a clip's speed that was `before`, and is now `factor` times that by the clip's
  /// rate.
  private static func text(of before: String, _ speed: Fraction?, _ factor: Double) -> String {
    if let speed { return Speed(speed)?.description ?? "\(speed)" }
    let times = Fraction(near: factor)
    // If no speed can be calculated, the text shows the multiplication.
    guard let former = try? Speed(text: before), let now = Speed(former.factor * times) else {
      return "(\(before)) x \(times)"
    }
    return now.description
  }
}

extension Fraction {
  /// Creates the simplest fraction within a millionth of `number`, which is above zero.
  fileprivate init(near number: Double) {
    var (before, last) = ((Int64(0), Int64(1)), (Int64(1), Int64(0)))
    var rest = min(max(number, 1e-6), 1e6)
    for _ in 0..<16 {
      let whole = Int64(clamping: rest.rounded(.down))
      (before, last) = (last, (whole * last.0 + before.0, whole * last.1 + before.1))
      let part = rest - Double(whole)
      guard (Double(last.0) / Double(last.1) / number - 1).magnitude > 1e-6, part > 1e-9 else { break }
      rest = 1 / part
    }
    self.init(last.0, max(1, last.1))
  }
}
