public import Platform
public import Media
import Timebase

/// A contact sheet: frames of a take side by side, each with its capture time.
public struct ContactSheet: Hashable, Sendable {
  /// The number of evenly spaced frames, in addition to the trigger's.
  public var count: Int
  /// The number of columns; `nil` for a sheet of about 16:10.
  public var columns: Int?
  /// The longest side of each, in pixels.
  public var side: Int

  /// The range of ``count``.
  public static let counts = 1...400
  /// The range of ``side``.
  public static let sides = 64...1024

  /// Creates a sheet, by default of twelve frames. Values out of range are clamped.
  public init(count: Int = 12, columns: Int? = nil, side: Int = 320) {
    self.count = min(max(count, Self.counts.lowerBound), Self.counts.upperBound)
    self.side = min(max(side, Self.sides.lowerBound), Self.sides.upperBound)
    self.columns = columns.map { min(max($0, 1), Self.counts.upperBound) }
  }

  private static let gap = 8
  private static let (ground, ink): (UInt8, UInt8) = (24, 232)

  /// Returns the frames of a take of `frameCount` that a sheet shows: evenly spaced from the first to the
  /// last, and the trigger's.
  public func indices(of frameCount: Int, trigger: Int?) -> [Int] {
    guard frameCount > 0 else { return [] }
    let steps = max(1, count - 1)
    let spaced = (0..<min(count, frameCount)).map { place in
      frameCount <= count ? place : count == 1 ? frameCount / 2 : place * (frameCount - 1) / steps
    }
    return Set(spaced + [trigger].compactMap(\.self)).sorted()
  }

  /// Returns the sheet as a file of `format`.
  ///
  /// The capture time from the first frame is written below each frame; the trigger's frame is framed and
  /// labelled. A damaged frame leaves its place empty. EXIF tags state the camera, and the capture time of
  /// the trigger's frame, or else of the middle one.
  ///
  /// - Throws: `OvercrankError` if the source cannot be read, or so large a picture cannot be created.
  public func file(
    of pictures: inout TakePictures, as format: StillFormat
  ) throws(OvercrankError) -> [UInt8] {
    let trigger = pictures.triggerIndex
    let indices = indices(of: pictures.frameCount, trigger: trigger)
    var size: (width: Int, height: Int)?
    var found: [Picture?] = []
    for index in indices {
      do throws(OvercrankError) {
        let picture = try pictures.picture(index, fitting: side)
        size = size ?? (picture.width, picture.height)
        found.append(picture)
      } catch {
        guard error.code == .badData else { throw error }
        found.append(nil)
      }
    }
    guard let size else {
      throw OvercrankError.noDecodableFrame(pictures.video)
    }
    let columns = min(columns ?? Self.columns(for: indices.count, size), indices.count)
    let scale = max(1, size.width / 160)
    let (step, rise) = (
      size.width + Self.gap, size.height + (PictureCanvas.textHeight + 3) * scale + Self.gap
    )
    let rows = (indices.count + columns - 1) / columns
    let canvas = try PictureCanvas(
      width: columns * step + Self.gap, height: rows * rise + Self.gap, shade: Self.ground)
    for (place, index) in indices.enumerated() {
      let (x, y) = (Self.gap + place % columns * step, Self.gap + place / columns * rise)
      if index == trigger {
        canvas.fill(x: x - 3, y: y - 3, width: size.width + 6, height: size.height + 6, shade: Self.ink)
      }
      if let picture = found[place] { canvas.draw(picture, x: x, y: y) }
      let time = pictures.time(of: index).inSeconds.decimal(places: 4)
      canvas.write(
        "\(time) s\(index == trigger ? " trigger" : "")", x: x, y: y + size.height + 2 * scale, scale: scale,
        shade: Self.ink)
    }
    let sheet = canvas.finished()
    let file = try sheet.encoded(as: format)
    guard var tags = pictures.tags(of: pictures.keyIndex) else { return file }
    // Removes the tags that describe one frame only.
    (tags.exposure, tags.comment) = (nil, nil)
    return format.adding(tags, to: file, width: sheet.width, height: sheet.height)
  }

  /// Returns the number of columns that makes the sheet about 16:10.
  private static func columns(for count: Int, _ size: (width: Int, height: Int)) -> Int {
    (1...max(1, count)).first { columns in
      let rows = (count + columns - 1) / columns
      return columns * size.width * 10 >= rows * size.height * 16
    } ?? count
  }
}
