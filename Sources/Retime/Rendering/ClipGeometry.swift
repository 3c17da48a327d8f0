package import Platform
package import Media
import Timebase

/// The mapping from a source's pictures to a clip's: which part of them, and how large.
package struct ClipGeometry: Hashable {
  /// The clip's width in pixels; even.
  private(set) var width: Int
  /// The clip's height in pixels; even.
  private(set) var height: Int
  /// The part of the source's pictures to show; `nil` for all of them.
  private(set) var crop: PictureCrop?
  /// Width over height of one pixel of the clip; `nil` if unknown.
  private(set) var pixelAspectRatio: Fraction?
  /// The factor by which JPEGs are reduced as they are decoded.
  private(set) var reduction = 1
  /// The orientation in which the source's pictures are shown.
  let orientation: Orientation
  private let videoWidth: Int
  private let videoHeight: Int

  /// The range of a clip's width and height.
  static let sides = 16...16384

  /// Creates the geometry of a clip of `video`.
  ///
  /// - Parameters:
  ///   - stages: the stages that move pixels, in their order. They apply to the pictures as a player shows
  ///     them, turned and mirrored.
  ///   - orientation: the orientation in which the pictures are shown; `nil` for the source's own.
  /// - Throws: `outOfRange` if a stage asks for more than the source's pictures have, `badData` if the source
  ///   has no size.
  package init(
    of video: VideoTrack, _ stages: [any MovingStage] = [], orientation: Orientation? = nil
  ) throws(OvercrankError) {
    guard video.width > 0, video.height > 0 else {
      throw OvercrankError(
        .badData, "the source does not state its frame size. Try another copy of it.")
    }
    self.orientation = orientation ?? video.orientation
    (videoWidth, videoHeight) = (video.width, video.height)
    // 4:2:0 allows no odd sizes.
    (width, height) = (video.width & ~1, video.height & ~1)
    pixelAspectRatio = video.pixelAspectRatio
    for stage in stages { try stage.move(&self) }
    guard min(width, height) >= 2 else {
      throw OvercrankError(
        .outOfRange,
        "a clip needs at least 2x2 pixels, and this source has \(video.width)x\(video.height). Scale it up.")
    }
    guard Self.sides.upperBound >= max(width, height) else {
      throw OvercrankError(
        .outOfRange, "a clip of \(width)x\(height) is too large to encode. Scale it down.")
    }
    reduction = usableReduction
  }

  /// Creates the geometry of pictures that will be zoomed: at the source's size, or at a half, a quarter or
  /// an eighth of it if `clip` shows no more at `largest`, its largest zoom.
  ///
  /// - Throws: as ``init(of:_:orientation:)``.
  init(
    of video: VideoTrack, _ stages: [any MovingStage], orientation: Orientation?, zoomedTo clip: ClipGeometry,
    atMost largest: Double
  ) throws(OvercrankError) {
    let parts = stages.filter { !($0 is ClipScale) }
    let whole = try ClipGeometry(of: video, parts, orientation: orientation)
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
      of: video, parts + [ClipScale.ratio(Fraction(1, Int64(reduction)))], orientation: orientation)
  }

  /// Returns the memory that a frame of `video` takes during processing, in pixels of a picture; a raw one is
  /// held twice.
  package func processingPixelCount(of video: VideoTrack) -> Int {
    let picture = max(video.width * video.height / (reduction * reduction), 1)
    return switch video.codec {
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

  /// Whether a clip can have this width or height.
  static func isSide(_ size: Int) -> Bool { sides.contains(size) && size % 2 == 0 }
}

extension ClipGeometry {
  /// The size of the source's pictures as a player shows them.
  var shown: (width: Int, height: Int) { orientation.turned(width: videoWidth, height: videoHeight) }

  /// Width over height of one pixel of ``shown``.
  var shownPixelAspectRatio: Fraction {
    let pixel = pixelAspectRatio ?? Fraction(1)
    return orientation.isTurned ? pixel.reciprocal : pixel
  }

  /// The size of the shown part, as stored in the source.
  var part: (width: Int, height: Int) { (crop?.width ?? videoWidth, crop?.height ?? videoHeight) }

  /// Crops to `part` of ``shown``, at its own size.
  mutating func show(_ part: PictureCrop) {
    let (shownWidth, shownHeight) = shown
    let stored = orientation.stored(part, shownWidth: shownWidth, shownHeight: shownHeight)
    crop = stored
    (width, height) = (stored.width & ~1, stored.height & ~1)
  }

  /// Scales ``part`` to a size.
  ///
  /// - Parameter stretch: the height's scale over the width's, if the proportions change; `nil` if they do
  ///   not.
  mutating func resize(toWidth width: Int, height: Int, stretchedBy stretch: Fraction? = nil) {
    (self.width, self.height) = (width, height)
    if let stretch { pixelAspectRatio = (pixelAspectRatio ?? Fraction(1)) * stretch }
  }

  /// The largest factor by which JPEGs may be reduced as they are decoded.
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
