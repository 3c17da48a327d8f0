public import Media
public import Timebase

/// The size of a clip, next to the part of the film that it shows.
public enum ClipScale: Hashable, Sendable {
  /// Exactly so many pixels.
  case size(width: Int, height: Int)
  /// So many pixels in a row, and rows in proportion.
  case width(Int)
  /// So many rows, and pixels in a row in proportion.
  case height(Int)
  /// So much of what there is, each way.
  case ratio(Fraction)

  /// Reads `1280x720`, `640:-1` or `640`, `-1:360` or `360p`, `1/2`, `0.5` or `50%`.
  public init(text: String) throws(QuantityError) {
    let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    if sides.count == 2, sides[1] == -1, let width = sides[0], ClipGeometry.isSide(width) {
      self = .width(width)
    } else if sides.count == 2, sides[0] == -1, let height = sides[1], ClipGeometry.isSide(height) {
      self = .height(height)
    } else if let (width, height) = ClipGeometry.size(text) {
      self = .size(width: width, height: height)
    } else if let ratio = Self.ratio(text), ratio <= Fraction(8), ratio >= Fraction(1, 64) {
      self = .ratio(ratio)
    } else if let width = Int(text.dropping("px")), ClipGeometry.isSide(width) {
      self = .width(width)
    } else if text.lowercased().hasSuffix("p"), let height = Int(text.dropLast()), ClipGeometry.isSide(height)
    {
      self = .height(height)
    } else {
      throw QuantityError(
        text,
        expected:
          "a size of even numbers from 16 to 16384, such as 1280x720, 640 for the width, 360p for the "
          + "height, or a part from 1/64 to 8, such as 1/2 or 50%")
    }
  }

  private static func ratio(_ text: String) -> Fraction? {
    guard text.hasSuffix("%") else { return Fraction(text: text) }
    return Fraction(text: text.dropLast()).map { $0 / Fraction(100) }
  }
}

extension String {
  /// The text without `unit` at its end, in any case.
  fileprivate func dropping(_ unit: String) -> String {
    lowercased().hasSuffix(unit) ? String(dropLast(unit.count)) : self
  }
}

extension ClipScale {
  /// The same of a picture whose rows are shown as columns.
  fileprivate var turned: ClipScale {
    switch self {
    case .size(let width, let height): .size(width: height, height: width)
    case .width(let width): .height(width)
    case .height(let height): .width(height)
    case .ratio: self
    }
  }

  /// The shape of pixels that keeps the picture's own, where a size was named that has other proportions; `nil` where the
  /// film's pixels keep theirs.
  fileprivate func pixelAspectRatio(of film: VideoTrack, _ shownWidth: Int, _ shownHeight: Int) -> Fraction? {
    guard case .size(let width, let height) = self else { return nil }
    let stretch = Fraction(
      reducing: Int128(shownWidth) * Int128(height), Int128(shownHeight) * Int128(width))
    // Within a pixel, the named size is the nearest with these proportions.
    let isNear = (stretch - Fraction(1)).magnitude * Fraction(Int64(min(width, height))) <= Fraction(1)
    return isNear ? nil : (film.pixelAspectRatio ?? Fraction(1)) * stretch
  }
}

/// The part of a film's pictures that a clip shows, as a player shows them.
public enum ClipCrop: Hashable, Sendable {
  /// This part.
  case part(PictureCrop)
  /// So many pixels in a row and so many rows, from the middle.
  case centred(width: Int, height: Int)
  /// The largest part that a player shows in this shape, from the middle.
  case shape(width: Int, height: Int)

  /// Reads `640x360+16+8`, `640x360` for the middle, or `9:16` for the largest part of this shape.
  public init(text: String) throws(QuantityError) {
    let terms = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    if terms.count == 2, let width = terms[0], let height = terms[1], Self.shapes.contains(width),
      Self.shapes.contains(height)
    {
      self = .shape(width: width, height: height)
      return
    }
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let sides = (parts.first ?? "").lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let numbers = (sides + parts.dropFirst()).map { Int($0) }
    guard sides.count == 2, parts.count == 1 || parts.count == 3, let width = numbers[0],
      let height = numbers[1], !numbers.contains(where: { $0 == nil })
    else {
      throw QuantityError(
        text,
        expected:
          "a part of the picture: 640x360 (the middle), 640x360+16+8 (16 from the left, 8 from the top) or 9:16 "
          + "(the largest of this shape)")
    }
    let offsets = numbers.dropFirst(2).compactMap(\.self)
    guard ClipGeometry.sides.contains(width), ClipGeometry.sides.contains(height) else {
      let sides = ClipGeometry.sides
      throw QuantityError(
        text,
        expected: "from \(sides.lowerBound) to \(sides.upperBound) pixels each way"
          + (width > 0 && height > 0 ? "; \(width):\(height) is the largest part of that shape" : ""))
    }
    guard !([width, height] + offsets).contains(where: { $0 % 2 != 0 }) else {
      let even = "\(width & ~1)x\(height & ~1)" + offsets.map { "+\($0 & ~1)" }.joined()
      throw QuantityError(text, expected: "in even numbers, which video needs; \(even) is")
    }
    guard !offsets.contains(where: { $0 < 0 }) else {
      throw QuantityError(text, expected: "within the picture: its offsets count from 0 on")
    }
    self =
      offsets.isEmpty
      ? .centred(width: width, height: height)
      : .part(PictureCrop(width: width, height: height, x: offsets[0], y: offsets[1]))
  }

  /// The terms of shapes; more are sizes.
  private static let shapes = 1...100

  /// The part of a picture of this size; it may not lie within it.
  ///
  /// - Parameter pixelAspectRatio: the width of a pixel in heights, as it is shown.
  func part(
    ofWidth width: Int, height: Int, pixelAspectRatio: Fraction = Fraction(1)
  ) -> PictureCrop {
    switch self {
    case .part(let part): part
    case .centred(let partWidth, let partHeight):
      PictureCrop(
        width: partWidth, height: partHeight, x: max(0, width - partWidth) / 2 & ~1,
        y: max(0, height - partHeight) / 2 & ~1)
    case .shape(let across, let down):
      Self.largest(
        Fraction(Int64(across), Int64(down)) / pixelAspectRatio, ofWidth: width, height: height)
    }
  }

  /// The largest part in the middle whose width is `shape` times its height, in pixels.
  private static func largest(_ shape: Fraction, ofWidth width: Int, height: Int) -> PictureCrop {
    func even(_ side: Fraction) -> Int { max(2, Int(side.numerator / side.denominator) & ~1) }
    // Wider than the shape: all rows, and the middle of each.
    let part: ClipCrop =
      Fraction(Int64(width), Int64(height)) > shape
      ? .centred(width: even(Fraction(Int64(height)) * shape), height: height & ~1)
      : .centred(width: width & ~1, height: even(Fraction(Int64(width)) / shape))
    return part.part(ofWidth: width, height: height)
  }

  /// That this does not lie within pictures of a size, and what would.
  fileprivate func excess(ofWidth width: Int, height: Int) -> String {
    let pictures = "the film's pictures are \(width)x\(height)"
    switch self {
    case .part(let part) where (0..<width - 1).contains(part.x) && (0..<height - 1).contains(part.y):
      return "\(pictures): \(part) reaches beyond them. From there, "
        + "\((width - part.x) & ~1)x\((height - part.y) & ~1) is the most."
    case .part(let part): return "\(pictures): \(part) lies beside them. Begin within them."
    case .centred(let wanted, let rows):
      return "\(pictures): a part of \(wanted)x\(rows) is larger. \(min(wanted, width) & ~1)x"
        + "\(min(rows, height) & ~1) would fit."
    case .shape(let across, let down): return "\(pictures), too small for a part of \(across):\(down)."
    }
  }
}

/// How the pictures of a film become those of a clip: which part of them, and how large.
package struct ClipGeometry: Hashable {
  /// Pixels in a row of the clip; even.
  let width: Int
  /// Rows of the clip; even.
  let height: Int
  /// The part of the film's pictures that is shown; `nil` for all of them.
  let crop: PictureCrop?
  /// Width over height of one pixel of the clip; `nil` where nobody said.
  let pixelAspectRatio: Fraction?
  /// By how much JPEGs are made smaller as they are decoded.
  let reduction: Int

  /// The sizes of clips.
  static let sides = 16...16384

  /// - Parameters:
  ///   - crop: of the pictures as a player shows them, turned and mirrored.
  ///   - scale: likewise.
  ///   - orientation: how the pictures are shown; `nil` for how the film says.
  /// - Throws: ``MediaError/Code/outOfRange`` where the crop does not lie within the film's pictures,
  ///   ``MediaError/Code/badData`` where it has no size.
  package init(
    of film: VideoTrack, crop: ClipCrop?, scale: ClipScale?, orientation: Orientation? = nil
  ) throws(MediaError) {
    let orientation = orientation ?? film.orientation
    guard film.width > 0, film.height > 0 else {
      throw MediaError(
        .badData, "the film does not say how large its pictures are. Try another copy of it.")
    }
    let (seenWidth, seenHeight) = orientation.turned(width: film.width, height: film.height)
    let pixel = film.pixelAspectRatio ?? Fraction(1)
    let part = crop?.part(
      ofWidth: seenWidth, height: seenHeight,
      pixelAspectRatio: orientation.isTurned ? pixel.reciprocal : pixel)
    if let crop, let part, !part.liesWithin(width: seenWidth, height: seenHeight) {
      throw MediaError(.outOfRange, crop.excess(ofWidth: seenWidth, height: seenHeight))
    }
    let crop = part.map {
      orientation.stored($0, shownWidth: seenWidth, shownHeight: seenHeight)
    }
    let scale = orientation.isTurned ? scale?.turned : scale
    let (shownWidth, shownHeight) = (crop?.width ?? film.width, crop?.height ?? film.height)
    switch scale {
    // 4:2:0 has no odd sizes.
    case nil: (width, height) = (shownWidth & ~1, shownHeight & ~1)
    case .size(let width, let height): (self.width, self.height) = (width, height)
    case .width(let width):
      self.width = width
      height = Self.even(Fraction(Int64(width) * Int64(shownHeight), Int64(shownWidth)))
    case .height(let height):
      self.height = height
      width = Self.even(Fraction(Int64(height) * Int64(shownWidth), Int64(shownHeight)))
    case .ratio(let ratio):
      width = Self.even(Fraction(Int64(shownWidth)) * ratio)
      height = Self.even(Fraction(Int64(shownHeight)) * ratio)
    }
    guard Self.sides.upperBound >= max(width, height), min(width, height) >= 2 else {
      throw MediaError(
        .outOfRange, "a clip of \(width)x\(height) is beyond what can be coded. Scale it otherwise.")
    }
    self.crop = crop
    pixelAspectRatio = scale?.pixelAspectRatio(of: film, shownWidth, shownHeight) ?? film.pixelAspectRatio
    let (clipWidth, clipHeight) = (width, height)
    reduction =
      [8, 4, 2].first { reduction in
        // Edges of the crop must lie between pixels of the reduced picture, and of its coarser chroma.
        let isAligned = crop.map {
          [$0.x, $0.y, $0.width, $0.height].allSatisfy { $0 % (2 * reduction) == 0 }
        }
        return shownWidth / reduction >= clipWidth && shownHeight / reduction >= clipHeight
          && isAligned ?? true
      } ?? 1
  }

  /// The geometry of pictures that are to be zoomed: as large as the film has them, or a half, a quarter or an eighth of
  /// that where `clip` shows no more at `largest`, its largest zoom.
  ///
  /// - Throws: as ``init(of:crop:scale:orientation:)``.
  init(
    of film: VideoTrack, crop: ClipCrop?, orientation: Orientation?, zoomedTo clip: ClipGeometry,
    atMost largest: Double
  ) throws(MediaError) {
    let whole = try ClipGeometry(of: film, crop: crop, scale: nil, orientation: orientation)
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
      of: film, crop: crop, scale: .ratio(Fraction(1, Int64(reduction))), orientation: orientation)
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

  private static func even(_ size: Fraction) -> Int { max(2, 2 * Int((size / Fraction(2)).rounded)) }

  /// `1280x720`, both even.
  static func size(_ text: some StringProtocol) -> (width: Int, height: Int)? {
    let terms = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard terms.count == 2, let width = terms[0], let height = terms[1], isSide(width), isSide(height)
    else { return nil }
    return (width, height)
  }

  /// Whether a clip can be so wide or so high.
  static func isSide(_ size: Int) -> Bool { sides.contains(size) && size % 2 == 0 }
}
