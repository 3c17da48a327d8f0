import Media
import Platform
import Timebase

/// The places of several cameras' pictures in a clip of their natural size, in square pixels.
struct LayoutGeometry {
  /// The place of one picture.
  private struct Box {
    var x: Fraction
    var y: Fraction
    var width: Fraction
    var height: Fraction

    /// Returns the largest place within this one that has the proportions of `shape`, in its middle.
    func fitting(_ shape: Shape) -> Box {
      let scale = min(width / shape.width, height / shape.height)
      let (inner, high) = (shape.width * scale, shape.height * scale)
      let half = Fraction(1, 2)
      return Box(
        x: x + (width - inner) * half, y: y + (height - high) * half, width: inner, height: high)
    }
  }

  /// The size of a camera's picture in square pixels, none of them 0.
  struct Shape: Hashable {
    let width: Fraction
    let height: Fraction
  }

  private let boxes: [Box]
  private let whole: Shape

  /// The most cameras of a clip. Each is decoded by itself.
  private static let mostCameras = 16
  /// The part of the width that an inset has.
  private static let insetWidth = Fraction(1, 4)
  /// The largest believable side: beyond all encoders, but safe to calculate with.
  private static let largestSide = Fraction(1 << 20)

  /// Arranges pictures of these shapes, of which there is at least one.
  ///
  /// - Throws: `outOfRange` if there are more than the layout has places for, or a shape is extreme.
  init(_ layout: ClipLayout, of shapes: [Shape]) throws(OvercrankError) {
    let places = layout == .inset ? 5 : Self.mostCameras
    guard shapes.count <= places else {
      throw OvercrankError(
        .outOfRange,
        "the layout \(layout.rawValue) has places for \(places) cameras, but the group has \(shapes.count). "
          + (layout == .inset ? "Choose another layout." : "Make a group of fewer."))
    }
    let zero = Fraction(0)
    let widest = shapes.map(\.width).max() ?? zero
    let highest = shapes.map(\.height).max() ?? zero
    switch layout {
    case .side:
      var x = zero
      boxes = shapes.map { shape in
        let width = shape.width * highest / shape.height
        defer { x = x + width }
        return Box(x: x, y: zero, width: width, height: highest)
      }
      whole = Shape(width: x, height: highest)
    case .stack:
      var y = zero
      boxes = shapes.map { shape in
        let height = shape.height * widest / shape.width
        defer { y = y + height }
        return Box(x: zero, y: y, width: widest, height: height)
      }
      whole = Shape(width: widest, height: y)
    case .grid:
      let columns = Self.columns(for: shapes.count)
      boxes = shapes.enumerated().map { index, shape in
        Box(
          x: widest * Fraction(Int64(index % columns)), y: highest * Fraction(Int64(index / columns)),
          width: widest, height: highest
        ).fitting(shape)
      }
      let rows = (shapes.count + columns - 1) / columns
      whole = Shape(width: widest * Fraction(Int64(columns)), height: highest * Fraction(Int64(rows)))
    case .inset:
      let main = shapes.first ?? Shape(width: zero, height: zero)
      boxes = shapes.enumerated().map { index, shape in
        guard index > 0 else { return Box(x: zero, y: zero, width: main.width, height: main.height) }
        // Two of them fit above each other, however high they are.
        var box = Box(
          x: zero, y: zero, width: main.width * Self.insetWidth, height: main.height * Fraction(1, 2)
        ).fitting(shape)
        (box.x, box.y) = (zero, zero)
        if index == 1 || index == 4 { box.x = main.width - box.width }
        if index <= 2 { box.y = main.height - box.height }
        return box
      }
      whole = main
    }
    guard max(whole.width, whole.height) <= Self.largestSide,
      boxes.allSatisfy({ min($0.width, $0.height) >= Fraction(1, 4) })
    else {
      throw OvercrankError(
        .outOfRange,
        "the cameras' pictures are too different in shape for the layout \(layout.rawValue). Crop them to one."
      )
    }
  }

  /// Returns the columns of a grid of `count` pictures: the root of their number, rounded up.
  private static func columns(for count: Int) -> Int { (1...).first { $0 * $0 >= count } ?? 1 }

  /// The natural size of the clip in pixels, both sides even.
  var size: (width: Int, height: Int) { (Self.even(whole.width), Self.even(whole.height)) }

  /// Returns the place of each picture in a clip of this size: even, so that they share no chroma sample.
  ///
  /// - Parameters:
  ///   - width: the clip's width in pixels; even.
  ///   - height: the clip's height in pixels; even.
  func parts(width: Int, height: Int) -> [PictureCrop] {
    boxes.map { box in
      let across = Self.edges(box.x, box.width, of: whole.width, in: width)
      let down = Self.edges(box.y, box.height, of: whole.height, in: height)
      return PictureCrop(width: across.count, height: down.count, x: across.lowerBound, y: down.lowerBound)
    }
  }

  private static func edges(
    _ start: Fraction, _ length: Fraction, of whole: Fraction, in pixels: Int
  ) -> Range<Int> {
    let scale = Fraction(Int64(pixels)) / whole
    let end = min(pixels, max(2, even((start + length) * scale)))
    return max(0, min(end - 2, even(start * scale, atLeast: 0)))..<end
  }

  private static func even(_ length: Fraction, atLeast least: Int = 2) -> Int {
    max(least, 2 * Int(clamping: (length / Fraction(2)).rounded))
  }
}
