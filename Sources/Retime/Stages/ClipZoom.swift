import Media

/// The zoom of a clip: the factor by which it enlarges the source's pictures, and the part it shows.
public struct ClipZoom: PictureStage {
  /// The factor.
  public var curve: ZoomCurve
  /// The point in the centre, as far as the picture's edges allow.
  public var path: ZoomPath

  /// Creates a zoom.
  public init(_ curve: ZoomCurve, at path: ZoomPath = .middle) {
    self.curve = curve
    self.path = path
  }

  /// The stage's key in the description of a clip.
  public static var name: String { "zoom" }

  private enum CodingKeys: String, CodingKey {
    case curve
    case path = "at"
  }
}

/// The part of a source's pictures that each frame of a clip shows.
struct ZoomTrack {
  private let factors: KeyframeTrack
  private let places: KeyframeTrack
  private let moments: ClipMoments
  private let width: Double
  private let height: Double

  /// Creates the course of a zoom.
  ///
  /// - Parameters:
  ///   - zoom: the curve and the path.
  ///   - moments: the capture time of each frame of the clip.
  ///   - width: the pictures' width in pixels.
  ///   - height: the pictures' height in pixels.
  init(_ zoom: ClipZoom, _ moments: ClipMoments, width: Int, height: Int) {
    factors = zoom.curve.course
    places = zoom.path.course
    self.moments = moments
    self.width = Double(width)
    self.height = Double(height)
  }

  /// Returns the part that frame `number` of the clip shows; never beyond the picture.
  func window(of number: Int) -> PictureWindow {
    let time = moments.time(of: number)
    let factor = max(1, factors.value(at: time).x)
    let place = places.value(at: time)
    let (partWidth, partHeight) = (width / factor, height / factor)
    return PictureWindow(
      x: min(max(place.x * width - partWidth / 2, 0), width - partWidth),
      y: min(max(place.y * height - partHeight / 2, 0), height - partHeight), width: partWidth,
      height: partHeight)
  }
}
