public import Platform
import Media
import Timebase

/// A stamp of capture time, frame number and rate on each frame.
public struct FrameStamp: PlainStage {
  /// Creates the stage.
  public init() {}

  /// The stage's key in the description of a clip.
  public static var name: String { "stamp" }

  /// Refuses interpolated frames, which have no capture time.
  public func check(filling fill: Fill) throws(OvercrankError) {
    guard !fill.isInterpolated else {
      throw OvercrankError(
        .unsupported,
        "a frame that is made from two others was never captured, so it has no time to stamp. Hold "
          + "captured frames instead.")
    }
  }
}

extension FrameStamp: ChangingStage {
  static var isOverlay: Bool { true }

  func prepare(for pictures: PicturePlan, _ timing: SourceTiming) -> any PreparedStage {
    FrameStamps(timing, on: pictures.size)
  }
}

/// The stamps of a source's frames: the capture time, the number and the rate of each.
private struct FrameStamps: PreparedStage {
  private let frames: [FrameTiming]
  private let rate: String
  private var face = TextFace(capital: 0)
  private let height: Int

  init(_ timing: SourceTiming, on picture: (width: Int, height: Int)) {
    frames = timing.frames
    height = picture.height
    // A single frame has no interval.
    rate =
      timing.cadence.interval.flatMap { $0 > Fraction(0) ? " \($0.reciprocal.decimal(places: 2)) fps" : nil }
      ?? ""
    let widest = TextFace.width(of: text(of: frames.count - 1))
    face = TextFace(capital: min(max(12, Double(height) / 40), Double(picture.width) / max(1, widest)))
  }

  func identity(of frames: Range<Int>) -> [String] { frames.map { text(of: $0) } }

  func process(_ picture: consuming Picture, of index: Int) throws(OvercrankError) -> Picture {
    let mask = face.mask(of: text(of: index))
    return try picture.written(mask, x: 0, y: (height - mask.height) & ~1)
  }

  /// Returns a stamp such as `12.346 s #2962 240 fps`: the time from the first frame, to the millisecond, and
  /// the camera's number of the frame, or else its index in the source.
  private func text(of index: Int) -> String {
    guard frames.indices.contains(index), let first = frames.first else { return "" }
    let frame = frames[index]
    let number = frame.sequence ?? Int64(index)
    let milliseconds = Fraction((frame.timestamp - first.timestamp).wholeNanoseconds, 1_000_000).rounded
    let time = "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
    return "\(time) s #\(number)\(rate)"
  }
}
