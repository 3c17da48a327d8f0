public import Platform
import SystemPackage
public import Timebase

/// The part of a source that a clip shows, in capture time.
public struct ClipSpan: Codable, Hashable, Sendable {
  /// The time from the source's first frame to the clip's start; at least zero.
  @Nanoseconds public var start: Duration
  /// The time from the source's first frame to the clip's end; `nil` for the source's own end.
  @Nanoseconds public var end: Duration?

  /// Creates the part from `start` to `end`.
  public init(start: Duration = .zero, end: Duration? = nil) {
    self.start = start
    self.end = end
  }

  private enum CodingKeys: String, CodingKey {
    case start = "start_ns"
    case end = "end_ns"
  }

  /// The complete source.
  public static let whole = ClipSpan()

  /// The part, limited to the longest possible source.
  var heldToVideos: ClipSpan {
    func held(_ time: Duration) -> Duration {
      min(max(.zero, time), .nanoseconds(CaptureCadence.longestTime))
    }
    return ClipSpan(start: held(start), end: end.map(held))
  }
}

extension ClipSpan {
  /// Checks that a source of at most this length has such a part, before it is recorded.
  ///
  /// - Parameter duration: the length in seconds of capture time; `nil` if unknown.
  /// - Throws: `OvercrankError.Code.outOfRange` if it does not.
  public func check(lasting duration: Fraction?) throws(OvercrankError) {
    try check(naming: "the recording", lasting: duration ?? Fraction(.max))
  }

  /// Checks that the source at `path`, which lasts `duration` seconds, has such a part.
  ///
  /// - Throws: `outOfRange` if it does not.
  func check(_ path: FilePath, lasting duration: Fraction) throws(OvercrankError) {
    try check(naming: "\(path):", lasting: duration)
  }

  private func check(naming source: String, lasting duration: Fraction) throws(OvercrankError) {
    // A source of one frame may not state its length.
    guard start == .zero || start.inSeconds < duration else {
      throw OvercrankError(
        .outOfRange,
        "\(source) lasts \(duration.decimal(places: 3)) s of capture time, but the part begins after that. "
          + "Begin it earlier.",
        remedy: .choosePart
      )
    }
    if let end, end <= start {
      throw OvercrankError(
        .outOfRange, "the part ends before it begins. End it later.", remedy: .choosePart)
    }
  }
}
