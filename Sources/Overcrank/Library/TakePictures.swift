public import Media
public import Platform
import Retime
public import SystemPackage
public import Takes
import Timebase

/// Pictures from a take: stills at full size, and smaller ones for previews.
public struct TakePictures: ~Copyable {
  /// The video that they come from: the master, or a clip if that does not exist.
  public let video: FilePath
  /// The number of frames.
  public let frameCount: Int
  private let take: Take?
  private let frames: [FrameTiming]
  private var pictures: SourceFrames
  /// The orientation that the file and, for its master, the take state.
  private let orientation: Orientation
  private var developments: [Development: SourceFrames.Development]

  private struct Development: Hashable {
    var layout: PixelLayout
    var side: Int?
  }

  /// Opens the pictures of `entry`.
  ///
  /// - Parameters:
  ///   - entry: the take.
  ///   - allowsClip: whether a clip is used if there is no master; its frames are not the captured ones.
  /// - Throws: `OvercrankError` with `noInput` if there is no such video, `badData` if the times of the take are
  ///   impossible, or if reading it fails.
  public init(_ entry: LibraryEntry, allowingClip allowsClip: Bool = false) throws(OvercrankError) {
    let identity = entry.master.flatMap { FileIdentity($0) }
    let (source, take) = try Self.source(of: entry, allowingClip: allowsClip)
    let pictures = try SourceFrames(source)
    // The open file stays the one that the take describes, whatever replaces its name.
    guard entry.master.flatMap({ FileIdentity($0) }) == identity else {
      throw OvercrankError(.busy, "\(source.path): another program has just replaced it. Try again.")
    }
    video = source.path
    frames = pictures.frames
    frameCount = pictures.frames.count
    orientation = pictures.track.orientation.followed(by: Orientation(take?.turn ?? .none))
    self.take = take
    self.pictures = pictures
    developments = [:]
  }

  private static func source(
    of entry: LibraryEntry, allowingClip allowsClip: Bool
  ) throws(OvercrankError) -> (ClipSource, Take?) {
    if let master = entry.master {
      guard entry.kind != .takelessMaster else { return (ClipSource(master), nil) }
      let take = try entry.takeOfPossibleTimes()
      return (ClipSource(master, take: take), take)
    }
    if allowsClip, let clip = entry.clips.first { return (ClipSource(clip), nil) }
    _ = try entry.checkedDescription()
    throw OvercrankError(
      .noInput, "\(entry.path): its master is missing, and only that has the frames as they were captured.")
  }

  /// Returns the capture time of frame `index`, from the first one.
  public func time(of index: Int) -> Duration {
    guard frames.indices.contains(index), let first = frames.first else { return .zero }
    return frames[index].timestamp - first.timestamp
  }

  /// The driver's sequence number of each frame; empty if the take does not state one for each.
  public var sequences: [Int64] {
    guard let take else { return [] }
    let numbers = take.frameList.map { Int64($0.sequence) }
    return numbers.count == frameCount ? numbers : []
  }

  /// Returns the last frame captured at or before `time`, counted from the first frame.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` if the take ends before that.
  public func index(at time: Duration) throws(OvercrankError) -> Int {
    let step = frameCount > 1 ? self.time(of: frameCount - 1) / (frameCount - 1) : .zero
    guard time >= .zero, time <= self.time(of: frameCount - 1) + step else {
      throw OvercrankError(
        .outOfRange,
        "\(video): lasts \(self.time(of: frameCount - 1).inSeconds.decimal(places: 3)) s of capture time. Choose an "
          + "earlier moment.")
    }
    var (low, high) = (0, frameCount)
    while low + 1 < high {
      let middle = (low + high) / 2
      if self.time(of: middle) <= time { low = middle } else { high = middle }
    }
    return low
  }

  /// The last frame captured at or before the trigger; `nil` if there was none, or the video is a clip.
  public var triggerIndex: Int? {
    guard let moment = take?.trigger?.frameTime, let first = frames.first, moment >= first.timestamp else {
      return nil
    }
    return try? index(at: moment - first.timestamp)
  }

  /// The frame that represents the take: the trigger's, or else the middle one.
  public var keyIndex: Int { triggerIndex ?? frameCount / 2 }

  /// Returns frame `index` as a file of `format`, turned as its file and its take state. A camera's JPEG stays as it is,
  /// with missing Huffman tables added.
  ///
  /// - Parameters:
  ///   - index: the frame, counted from 0.
  ///   - format: the file format.
  ///   - isTagged: whether it gets tags from the take.
  /// - Throws: `OvercrankError` with `outOfRange` if there is no such frame, `badData` if it is damaged.
  public mutating func still(
    _ index: Int, as format: StillFormat, isTagged: Bool = false
  ) throws(OvercrankError) -> [UInt8] {
    let tags = isTagged ? tags(of: index) : nil
    let file: [UInt8]
    let thumbnail: [UInt8]?
    if format == .jpeg, pictures.track.codec == .mjpeg, let packet = try pictures.packet(index) {
      file = try JPEGTurner.turn(
        try JPEGHuffmanTables.added(to: packet.withBytes { Array($0) }), by: orientation)
      // A damaged JPEG has no thumbnail, and is exported as it is.
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

  /// Returns the photo tags of frame `index` from the take; `nil` if there is no take.
  ///
  /// Times are known to the second.
  public func tags(of index: Int) -> PhotoTags? {
    guard let take, let frame = take.frameList.lazy.dropFirst(index).first(where: { _ in true }) else {
      return nil
    }
    return PhotoTags(of: frame, in: take)
  }

  /// The width and height of ``still(_:as:)``, in pixels.
  package var stillSize: (width: Int, height: Int) {
    orientation.turned(width: pictures.track.width, height: pictures.track.height)
  }

  /// Returns frame `index` in RGB, reduced to fit into a square of `side` pixels and never enlarged.
  ///
  /// - Throws: `OvercrankError` if the master cannot be read or has no such frame.
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
