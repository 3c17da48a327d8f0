public import CameraModel
public import Media
public import Platform

/// A step that a source's pictures go through on their way to the clip's encoder, as requested.
///
/// A stage is a value, held by options and takes. Each has a file of its own, and a line in
/// ``PictureStages``. One that moves pixels is a `MovingStage`, one that changes them a `ChangingStage`.
public protocol PictureStage: Codable, Hashable, Sendable {
  /// The stage's key in the description of a clip.
  static var name: String { get }
  /// Whether it applies once to the composed picture of a clip of several cameras, rather than to each camera's.
  static var isShared: Bool { get }

  /// Refuses settings that no source can satisfy.
  ///
  /// - Parameter fill: the pictures shown where the source has no frame.
  /// - Throws: `OvercrankError` with the remedy.
  func check(filling fill: Fill) throws(OvercrankError)

  /// Returns the reason why the stage needs the complete source; `nil` if a part of it suffices.
  ///
  /// - Parameters:
  ///   - video: the source's track; `nil` if unknown.
  ///   - sensor: what is known of its sensor.
  func wholeSourceNeed(of video: VideoTrack?, sensor: SensorFacts?) -> WholeSourceNeed?
}

extension PictureStage {
  /// `false`: each camera's pictures go through it.
  public static var isShared: Bool { false }

  /// Accepts everything.
  public func check(filling fill: Fill) throws(OvercrankError) {}

  /// Returns `nil`: a frame needs only itself.
  public func wholeSourceNeed(of video: VideoTrack?, sensor: SensorFacts?) -> WholeSourceNeed? { nil }
}

/// A stage without settings.
public protocol PlainStage: PictureStage {
  /// Creates the stage.
  init()
}

extension PlainStage {
  /// Decodes `true`.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.singleValueContainer().decode(Bool.self)
    self.init()
  }

  /// Encodes `true`.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(true)
  }
}

/// A stage that only moves pixels. It states where they go, and one resampling moves them for all such
/// stages.
package protocol MovingStage: PictureStage {
  /// Applies the stage to `geometry`.
  ///
  /// - Throws: `outOfRange` if the source has no such part.
  func move(_ geometry: inout ClipGeometry) throws(OvercrankError)
}

/// A stage that changes the pixels of pictures that already have the clip's size.
protocol ChangingStage: PictureStage {
  /// Whether it draws on the final picture: upright, after zoom and interpolation.
  static var isOverlay: Bool { get }

  /// Prepares the stage for a source.
  ///
  /// - Throws: `OvercrankError` if the source does not allow it.
  func prepare(for pictures: PicturePlan, _ timing: SourceTiming) throws(OvercrankError) -> any PreparedStage
}

/// A stage prepared for the frames of a source. Its methods may be called from any thread.
protocol PreparedStage: Sendable {
  /// Analyses the source before the first frame is made, if the stage needs it.
  func analyse(
    _ plan: ClipPlan, progress: (@Sendable (ClipProgress) -> Void)?
  ) async throws(OvercrankError)

  /// Returns all other inputs that decide how the stage changes these frames: segments with the same ones may
  /// be joined.
  func identity(of frames: Range<Int>) -> [String]

  /// Changes `picture` of captured frame `index` in place, or a copy if its memory is shared.
  func process(_ picture: consuming Picture, of index: Int) throws(OvercrankError) -> Picture

  /// Adds the stage's results to `report`, once all frames are made.
  func report(to report: inout ClipReport)
}

extension PreparedStage {
  func analyse(
    _ plan: ClipPlan, progress: (@Sendable (ClipProgress) -> Void)?
  ) async throws(OvercrankError) {}

  func identity(of frames: Range<Int>) -> [String] { [] }

  func report(to report: inout ClipReport) {}
}

/// The reason why a clip needs its complete source, so that none of it can be made during the recording.
public enum WholeSourceNeed: Hashable, Sendable {
  /// The removal of flicker, which needs the light of all frames.
  case flicker
  /// The development of a raw source whose settings must come from its frames.
  case development
  /// Another order of the frames than that in which they are captured.
  case order
}

/// The turn of the pixels themselves, which every player shows: many ignore a mirroring matrix, and Matroska
/// has none. The source's own orientation is applied first.
extension PictureTurn: PictureStage {
  /// The stage's key in the description of a clip.
  public static var name: String { "turn" }
}
