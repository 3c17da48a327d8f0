public import Timebase

/// A rate that was asked of a camera, and what came of it.
public struct MeasuredRate: Hashable, Sendable, Encodable {
  /// The rate that was asked for, in frames per second.
  public var asked: FrameRate
  /// The rate that came.
  public var got: FrameRate

  /// `asked` was asked for, and `got` came.
  public init(asked: FrameRate, got: FrameRate) {
    self.asked = asked
    self.got = got
  }

  enum CodingKeys: String, CodingKey { case asked, got }

  /// Writes both rates, as numbers of frames per second.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(asked.framesPerSecond.doubleValue, forKey: .asked)
    try keys.encode(got.framesPerSecond.doubleValue, forKey: .got)
  }
}

extension ModeRow {
  /// What came when `rate` was asked for; `nil` where nobody measured it.
  package func measured(of rate: FrameRate) -> FrameRate? {
    // The latest counts.
    measured.last { $0.asked == rate }?.got
  }

  /// The latest measurement of each rate that was asked for, the highest first.
  package var latestMeasured: [MeasuredRate] {
    Set(measured.map(\.asked)).sorted(by: >).compactMap { asked in
      measured(of: asked).map { MeasuredRate(asked: asked, got: $0) }
    }
  }
}
