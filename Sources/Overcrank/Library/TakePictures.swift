public import Media
public import Platform
import Retime
public import SystemPackage
public import Takes
import Timebase

/// Pictures out of a take: stills at full size, and smaller ones to choose by.
public struct TakePictures: ~Copyable {
  /// The film that they come from: the master, or a clip where that is gone.
  public let film: FilePath
  /// How many frames it has.
  public let frameCount: Int
  private let take: Take?
  private let frames: [FrameTiming]
  private var pictures: FilmPictures
  /// How the take says that its master's pictures are shown; a clip's are shown so already.
  private let orientation: Orientation
  private var developments: [Development: FilmPictures.Development] = [:]

  private struct Development: Hashable {
    var layout: PixelLayout
    var side: Int?
  }

  /// The pictures of `entry`.
  ///
  /// - Parameters:
  ///   - entry: the take.
  ///   - allowsClip: whether a clip will do where there is no master; its frames are not those that were captured.
  /// - Throws: `OvercrankError` with `noInput` where there is no such film, and of reading it.
  public init(_ entry: LibraryEntry, allowingClip allowsClip: Bool = false) throws(OvercrankError) {
    let identity = entry.master.flatMap { FileIdentity($0) }
    let (source, take) = try Self.source(of: entry, allowingClip: allowsClip)
    let pictures = try FilmPictures(source)
    // Now that it is open, it stays the film that the take tells of, whatever gets its name.
    guard entry.master.flatMap({ FileIdentity($0) }) == identity else {
      throw OvercrankError(.busy, "\(source.path): another program has replaced it just now. Try again.")
    }
    film = source.path
    frames = pictures.frames
    frameCount = pictures.frames.count
    self.take = take
    self.pictures = pictures
    orientation = Orientation(take?.turn ?? .none)
  }

  private static func source(
    of entry: LibraryEntry, allowingClip allowsClip: Bool
  ) throws(OvercrankError) -> (ClipSource, Take?) {
    if let master = entry.master {
      guard entry.kind != .takelessMaster else { return (ClipSource(master), nil) }
      let take = try entry.take()
      return (ClipSource(master, take: take), take)
    }
    if allowsClip, let clip = entry.clips.first { return (ClipSource(clip), nil) }
    _ = try entry.checkedDescription()
    throw OvercrankError(
      .noInput, "\(entry.path): its master is not there, and only that has the frames as they were captured.")
  }

  /// When frame `index` was captured, from the first one on.
  public func time(of index: Int) -> Duration {
    guard frames.indices.contains(index), let first = frames.first else { return .zero }
    return frames[index].timestamp - first.timestamp
  }

  /// The frame that was captured last at `time` or before, from the first frame on.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` where the take has ended by then.
  public func index(at time: Duration) throws(OvercrankError) -> Int {
    let step = frameCount > 1 ? self.time(of: frameCount - 1) / (frameCount - 1) : .zero
    guard time >= .zero, time <= self.time(of: frameCount - 1) + step else {
      throw OvercrankError(
        .outOfRange,
        "\(film): lasts \(self.time(of: frameCount - 1).inSeconds.decimal(places: 3)) s of capture time. Choose an "
          + "earlier moment.")
    }
    var (low, high) = (0, frameCount)
    while low + 1 < high {
      let middle = (low + high) / 2
      if self.time(of: middle) <= time { low = middle } else { high = middle }
    }
    return low
  }

  /// The frame that was captured last when the trigger came; `nil` where none did, or the film is a clip.
  public var triggerIndex: Int? {
    guard let moment = take?.trigger?.frameTime, let first = frames.first, moment >= first.timestamp else {
      return nil
    }
    return try? index(at: moment - first.timestamp)
  }

  /// The frame to know the take by: the trigger's, else the middle one.
  public var keyIndex: Int { triggerIndex ?? frameCount / 2 }

  /// Frame `index` as a file of `format`: a JPEG of a camera as it came, but for Huffman tables it had left out, and
  /// turned as its take says.
  ///
  /// - Parameters:
  ///   - index: the frame, counted from 0.
  ///   - format: the kind of file.
  ///   - isTagged: whether it says what the take knows of how it was taken.
  /// - Throws: `OvercrankError` with `outOfRange` where there is no such frame, `badData` where it is damaged.
  public mutating func still(
    _ index: Int, as format: StillFormat, isTagged: Bool = false
  ) throws(OvercrankError) -> [UInt8] {
    let tags = isTagged ? tags(of: index) : nil
    let file: [UInt8]
    let thumbnail: [UInt8]?
    if format == .jpeg, pictures.track.codec == .mjpeg, let packet = try pictures.packet(index) {
      file = try JPEGTurner.turn(
        try JPEGHuffmanTables.added(to: packet.withBytes { Array($0) }), by: orientation)
      // A frame that is damaged has none, and is what there is.
      thumbnail = tags.flatMap { _ in try? StillEncoder.thumbnail(ofJPEG: file) }
    } else {
      let whole = try picture(index, format.layout(for: pictures.track.codec.layout), nil)
      file = try whole.encoded(as: format)
      thumbnail = try tags.map { _ throws(OvercrankError) in try StillEncoder.thumbnail(of: whole) }
    }
    guard let tags else { return file }
    let size = stillSize
    return format.adding(
      tags, to: file, width: size.width, height: size.height, thumbnail: thumbnail)
  }

  /// What the take knows of how frame `index` was taken; `nil` where there is no take.
  ///
  /// The time is known to the second.
  public func tags(of index: Int) -> PhotoTags? {
    guard let take, let frame = take.frameList.lazy.dropFirst(index).first(where: { _ in true }) else {
      return nil
    }
    return PhotoTags(of: frame, in: take)
  }

  /// Pixels across and down of ``still(_:as:)``.
  package var stillSize: (width: Int, height: Int) {
    orientation.turned(width: pictures.track.width, height: pictures.track.height)
  }

  /// Frame `index` in red, green and blue, made to fit into a square of `side` pixels and never enlarged.
  ///
  /// - Throws: `OvercrankError` where the master cannot be read or has no such frame.
  public mutating func picture(_ index: Int, fitting side: Int) throws(OvercrankError) -> Picture {
    try picture(index, .rgb24, side)
  }

  private mutating func picture(
    _ index: Int, _ layout: PixelLayout, _ side: Int?
  ) throws(OvercrankError) -> Picture {
    let key = Development(layout: layout, side: side)
    let development =
      if let known = developments[key] { known } else { try pictures.development(layout, fitting: side) }
    developments[key] = development
    var turner = PictureTurner(orientation)
    return try turner.turn(try pictures.picture(index, development))
  }
}
