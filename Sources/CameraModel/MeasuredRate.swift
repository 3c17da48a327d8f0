public import Timebase

/// A rate that was requested from a camera, and the rate that was measured.
public struct MeasuredRate: Hashable, Sendable, Encodable {
  /// The requested rate.
  public var asked: FrameRate
  /// The measured rate.
  public var got: FrameRate

  /// Creates a measurement of `got` for a request of `asked`.
  public init(asked: FrameRate, got: FrameRate) {
    self.asked = asked
    self.got = got
  }

  enum CodingKeys: String, CodingKey { case asked, got }

  /// Encodes both rates, as numbers of frames per second.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(asked.framesPerSecond.doubleValue, forKey: .asked)
    try keys.encode(got.framesPerSecond.doubleValue, forKey: .got)
  }
}

extension ModeRow {
  /// Returns the measured rate for a request of `rate`; `nil` if it was not measured.
  package func measured(of rate: FrameRate) -> FrameRate? {
    // The latest measurement counts.
    measured.last { $0.asked == rate }?.got
  }

  /// The latest measurement of each requested rate, the highest first.
  package var latestMeasured: [MeasuredRate] {
    Set(measured.map(\.asked)).sorted(by: >).compactMap { asked in
      measured(of: asked).map { MeasuredRate(asked: asked, got: $0) }
    }
  }
}
