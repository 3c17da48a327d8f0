public import CameraModel
public import Media
public import Platform

/// One step that a source's pictures go through on their way to the clip's encoder, as it was asked for.
///
/// A stage is a value: it is what options and takes hold. Each has a file of its own, and a line in
/// ``PictureStages``. One that moves pixels is a `MovingStage`, one that changes them a `ChangingStage`.
public protocol PictureStage: Codable, Hashable, Sendable {
  /// Its key in the description of a clip.
  static var name: String { get }

  /// Refuses what no film can have.
  ///
  /// - Parameter fill: what the clip shows where the film has no frame.
  /// - Throws: `OvercrankError` with the remedy.
  func check(filling fill: Fill) throws(OvercrankError)

  /// Returns the reason why the stage needs the whole source; `nil` where a part of it will do.
  ///
  /// - Parameters:
  ///   - film: what the film holds; `nil` where that is not known.
  ///   - sensor: what is known of its sensor.
  func wholeFilmNeed(of film: VideoTrack?, sensor: SensorFacts?) -> WholeFilmNeed?
}

extension PictureStage {
  /// Refuses nothing.
  public func check(filling fill: Fill) throws(OvercrankError) {}

  /// Needs no more than the frame itself.
  public func wholeFilmNeed(of film: VideoTrack?, sensor: SensorFacts?) -> WholeFilmNeed? { nil }
}

/// A stage of which there is nothing more to say than that it is wanted.
public protocol PlainStage: PictureStage {
  /// The stage.
  init()
}

extension PlainStage {
  /// Reads `true`.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.singleValueContainer().decode(Bool.self)
    self.init()
  }

  /// Writes `true`.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(true)
  }
}

/// A stage that only moves pixels: it says where they go, and one resample moves them for all such stages.
package protocol MovingStage: PictureStage {
  /// Adds what it does to `geometry`.
  ///
  /// - Throws: `outOfRange` where the film has no such part.
  func move(_ geometry: inout ClipGeometry) throws(OvercrankError)
}

/// A stage that changes the pixels of pictures that have the clip's size already.
protocol ChangingStage: PictureStage {
  /// Whether it writes on what is seen: after the zoom and what is made between frames, and upright.
  static var isOverlay: Bool { get }

  /// Gets ready for a film.
  ///
  /// - Throws: `OvercrankError` where that cannot be had of it.
  func prepare(for pictures: PicturePlan, _ timing: FilmTiming) throws(OvercrankError) -> any PreparedStage
}

/// A stage that is ready for the frames of a film, from any thread.
protocol PreparedStage: Sendable {
  /// Looks at the film before the first frame is made, where it must.
  func analyse(
    _ plan: ClipPlan, progress: (@Sendable (ClipProgress) -> Void)?
  ) async throws(OvercrankError)

  /// Returns all else that decides how the stage changes these frames: segments with the same may be joined.
  func identity(of frames: Range<Int>) -> [String]

  /// `picture` of captured frame `index`, changed in place; a copy where its memory is another's too.
  func process(_ picture: consuming Picture, of index: Int) throws(OvercrankError) -> Picture

  /// Tells what became of the film's frames, once all are made.
  func report(to report: inout ClipReport)
}

extension PreparedStage {
  func analyse(
    _ plan: ClipPlan, progress: (@Sendable (ClipProgress) -> Void)?
  ) async throws(OvercrankError) {}

  func identity(of frames: Range<Int>) -> [String] { [] }

  func report(to report: inout ClipReport) {}
}

/// The reason why a clip needs its whole source, so that nothing of it can be made while that is recorded.
public enum WholeFilmNeed: Hashable, Sendable {
  /// Flicker is evened out by the light of all frames.
  case flicker
  /// A raw sensor's numbers are developed by the light of all frames, where nothing else was given.
  case development
}

/// The pixels are turned, which every player shows: many know no matrix that mirrors, and Matroska none at all. What the
/// film itself says comes first.
extension PictureTurn: PictureStage {
  /// Its key in the description of a clip.
  public static var name: String { "turn" }
}
