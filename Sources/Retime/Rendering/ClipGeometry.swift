package import Platform
package import Media
import Timebase

/// How the pictures of a film become those of a clip: which part of them, and how large.
package struct ClipGeometry: Hashable {
  /// Pixels in a row of the clip; even.
  private(set) var width: Int
  /// Rows of the clip; even.
  private(set) var height: Int
  /// The part of the film's pictures that is shown; `nil` for all of them.
  private(set) var crop: PictureCrop?
  /// Width over height of one pixel of the clip; `nil` where nobody said.
  private(set) var pixelAspectRatio: Fraction?
  /// By how much JPEGs are made smaller as they are decoded.
  private(set) var reduction = 1
  /// How the film's pictures are shown.
  let orientation: Orientation
  private let filmWidth: Int
  private let filmHeight: Int

  /// The sizes of clips.
  static let sides = 16...16384

  /// - Parameters:
  ///   - stages: what moves the pixels, in its order, of the pictures as a player shows them, turned and mirrored.
  ///   - orientation: how the pictures are shown; `nil` for how the film says.
  /// - Throws: `outOfRange` where a stage asks for what the film's pictures do not have,
  ///   `badData` where the film has no size.
  package init(
    of film: VideoTrack, _ stages: [any MovingStage] = [], orientation: Orientation? = nil
  ) throws(OvercrankError) {
    guard film.width > 0, film.height > 0 else {
      throw OvercrankError(
        .badData, "the film does not say how large its pictures are. Try another copy of it.")
    }
    self.orientation = orientation ?? film.orientation
    (filmWidth, filmHeight) = (film.width, film.height)
    // 4:2:0 has no odd sizes.
    (width, height) = (film.width & ~1, film.height & ~1)
    pixelAspectRatio = film.pixelAspectRatio
    for stage in stages { try stage.move(&self) }
    guard min(width, height) >= 2 else {
      throw OvercrankError(
        .outOfRange,
        "a clip needs two rows of two pixels at least, and this is one of \(film.width)x\(film.height). Scale it up."
      )
    }
    guard Self.sides.upperBound >= max(width, height) else {
      throw OvercrankError(
        .outOfRange, "a clip of \(width)x\(height) is beyond what can be coded. Scale it otherwise.")
    }
    reduction = usableReduction
  }

  /// The geometry of pictures that are to be zoomed: as large as the film has them, or a half, a quarter or an eighth of
  /// that where `clip` shows no more at `largest`, its largest zoom.
  ///
  /// - Throws: as ``init(of:_:orientation:)``.
  init(
    of film: VideoTrack, _ stages: [any MovingStage], orientation: Orientation?, zoomedTo clip: ClipGeometry,
    atMost largest: Double
  ) throws(OvercrankError) {
    let parts = stages.filter { !($0 is ClipScale) }
    let whole = try ClipGeometry(of: film, parts, orientation: orientation)
    let reduction = [8, 4, 2].first { reduction in
      whole.width % (2 * reduction) == 0 && whole.height % (2 * reduction) == 0
        && Double(whole.width / reduction) / largest >= Double(clip.width)
        && Double(whole.height / reduction) / largest >= Double(clip.height)
    }
    guard let reduction else {
      self = whole
      return
    }
    try self.init(
      of: film, parts + [ClipScale.ratio(Fraction(1, Int64(reduction)))], orientation: orientation)
  }

  /// How much memory a frame of `film` takes while it is developed, in pixels of a picture; one that comes raw is held twice.
  package func processingPixelCount(of film: VideoTrack) -> Int {
    let picture = max(film.width * film.height / (reduction * reduction), 1)
    return switch film.codec {
    case .raw, .packed: 2 * picture
    default: picture
    }
  }

  /// The crop in pictures that were reduced as they were decoded.
  package var reducedCrop: PictureCrop? {
    crop.map {
      PictureCrop(
        width: $0.width / reduction, height: $0.height / reduction, x: $0.x / reduction, y: $0.y / reduction)
    }
  }

  /// Whether a clip can be so wide or so high.
  static func isSide(_ size: Int) -> Bool { sides.contains(size) && size % 2 == 0 }
}

extension ClipGeometry {
  /// The size of the film's pictures as a player shows them.
  var shown: (width: Int, height: Int) { orientation.turned(width: filmWidth, height: filmHeight) }

  /// Width over height of one pixel of ``shown``.
  var shownPixelAspectRatio: Fraction {
    let pixel = pixelAspectRatio ?? Fraction(1)
    return orientation.isTurned ? pixel.reciprocal : pixel
  }

  /// The size of the part that is shown, as it lies in the film.
  var part: (width: Int, height: Int) { (crop?.width ?? filmWidth, crop?.height ?? filmHeight) }

  /// Shows `part` of ``shown``, as large as it is.
  mutating func show(_ part: PictureCrop) {
    let (shownWidth, shownHeight) = shown
    let stored = orientation.stored(part, shownWidth: shownWidth, shownHeight: shownHeight)
    crop = stored
    (width, height) = (stored.width & ~1, stored.height & ~1)
  }

  /// Shows ``part`` in a size.
  ///
  /// - Parameter stretch: how much higher it becomes than wide, where that changes its proportions; `nil` where not.
  mutating func resize(toWidth width: Int, height: Int, stretchedBy stretch: Fraction? = nil) {
    (self.width, self.height) = (width, height)
    if let stretch { pixelAspectRatio = (pixelAspectRatio ?? Fraction(1)) * stretch }
  }

  /// The most that JPEGs may be made smaller as they are decoded.
  private var usableReduction: Int {
    let (partWidth, partHeight) = part
    return [8, 4, 2].first { reduction in
      // Edges of the crop must lie between pixels of the reduced picture, and of its coarser chroma.
      let isAligned = crop.map {
        [$0.x, $0.y, $0.width, $0.height].allSatisfy { $0 % (2 * reduction) == 0 }
      }
      return partWidth / reduction >= width && partHeight / reduction >= height && isAligned ?? true
    } ?? 1
  }
}
