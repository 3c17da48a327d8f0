import Media
import Timebase

/// What the frames of a film are stamped with: when each was captured, which one it is, and the rate.
struct FrameStamps: Sendable {
  private let frames: [CapturedFrame]
  private let rate: String

  /// - Parameter interval: seconds from one frame to the next, in the mean; `nil` where a single frame does not tell.
  init(_ frames: [CapturedFrame], rate interval: Fraction?) {
    self.frames = frames
    rate = interval.flatMap { $0 > Fraction(0) ? " \($0.reciprocal.decimal(places: 2)) fps" : nil } ?? ""
  }

  /// `12.345678901 s #2962 240 fps`: the time from the first frame on, to the nanosecond, and the camera's number of
  /// the frame; where nobody counted, its place in the film.
  func stamp(of index: Int) -> PictureStamp {
    guard frames.indices.contains(index), let first = frames.first else { return PictureStamp("") }
    let frame = frames[index]
    let number = frame.sequence ?? Int64(index)
    return PictureStamp("\((frame.timestamp - first.timestamp).secondsText) s #\(number)\(rate)")
  }
}
