import Media

/// How a clip enlarges the film's pictures, and which part of them it shows then.
public struct ClipZoom: PictureStage {
  /// By how much.
  public var curve: ZoomCurve
  /// What lies in the middle, as far as the picture's edges let it.
  public var path: ZoomPath

  /// A zoom.
  public init(_ curve: ZoomCurve, at path: ZoomPath = .middle) {
    self.curve = curve
    self.path = path
  }

  /// Its key in the description of a clip.
  public static var name: String { "zoom" }

  private enum CodingKeys: String, CodingKey {
    case curve
    case path = "at"
  }
}

/// Which part of a film's pictures each frame of a clip shows.
struct ZoomCourse {
  private let factors: Course
  private let places: Course
  private let moments: ClipMoments
  private let width: Double
  private let height: Double

  /// - Parameters:
  ///   - zoom: the curve and the path.
  ///   - moments: the capture time of each frame of the clip.
  ///   - width: pixels in a row of the pictures.
  ///   - height: the pictures' rows.
  init(_ zoom: ClipZoom, _ moments: ClipMoments, width: Int, height: Int) {
    factors = zoom.curve.course
    places = zoom.path.course
    self.moments = moments
    self.width = Double(width)
    self.height = Double(height)
  }

  /// The part that frame `number` of the clip shows; never beyond the picture.
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
