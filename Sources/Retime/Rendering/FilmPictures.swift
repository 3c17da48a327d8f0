package import Platform
package import Media
import Timebase

/// Single frames of a film, whichever are asked for, as pictures.
///
/// Frames that are asked for in their order are read in one go. Use from one thread at a time.
package struct FilmPictures: ~Copyable {
  /// What the film holds.
  package let track: VideoTrack
  /// When each frame was captured, in their order; of a film without a take, when it is shown.
  package let frames: [FrameTiming]
  private let source: ClipSource
  private let timing: FilmTiming
  private let timeline: Timeline
  private var reader: FrameReader?
  /// The first frame that the reader may still give.
  private var next = 0
  private var isSeekable: Bool

  /// How far the next frame may be for what lies between to be read rather than left out.
  private static let nearby = 32

  /// The frames of `source`.
  ///
  /// - Throws: `OvercrankError` where it cannot be read, or has no frame.
  package init(_ source: ClipSource) throws(OvercrankError) {
    let film = try Demuxer(source.path)
    let timing = try FilmTiming(of: source, in: film)
    guard !timing.frames.isEmpty else {
      throw OvercrankError(.badData, "\(source.path): has no frame in it.")
    }
    track = film.track
    frames = timing.frames
    isSeekable = film.track.codec.isIntraOnly
    // Every frame once: all of them are shown.
    timeline = Timeline(timing.cadence, speed: nil, outputRate: FrameRate(whole: 30))
    reader = nil
    self.timing = timing
    self.source = source
  }

  /// The size of frames that keep their proportions and fit into a square of `side`; never larger than they are.
  package func size(fitting side: Int) -> (width: Int, height: Int) {
    let longest = max(track.width, track.height, 1)
    guard longest > side else { return (track.width & ~1, track.height & ~1) }
    func scaled(_ length: Int) -> Int { max(2, (length * side / longest + 1) & ~1) }
    return (scaled(track.width), scaled(track.height))
  }

  /// What turns frames into pictures of `layout`.
  ///
  /// - Parameters:
  ///   - layout: of red, green and blue, or of luma alone.
  ///   - side: the most columns and rows; `nil` leaves frames as large as they are.
  /// - Throws: `OvercrankError` where that cannot be had.
  package func development(_ layout: PixelLayout, fitting side: Int? = nil) throws(OvercrankError)
    -> Development
  {
    let scale = side.map { size(fitting: $0) }.map { [ClipScale.size(width: $0.width, height: $0.height)] }
    var color = track.pictureColor
    color.range = .full
    return Development(
      processor: try FrameProcessor(
        film: track, ClipGeometry(of: track, scale ?? []), layout: layout, clipColor: color))
  }

  /// How frames become pictures.
  package struct Development: Sendable {
    fileprivate let processor: FrameProcessor
  }

  /// Frame `index`, counted from 0, as a picture.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` where there is no such frame, `badData` where it is damaged.
  package mutating func picture(
    _ index: Int, _ development: Development
  ) throws(OvercrankError) -> Picture {
    try development.processor.process(try frame(index)).get()
  }

  /// Frame `index` as it lies in the film; `nil` where only a decoder can tell the frames of it apart.
  ///
  /// - Throws: as ``picture(_:_:)``.
  package mutating func packet(_ index: Int) throws(OvercrankError) -> Packet? {
    guard case .packet(let packet) = try frame(index).content else { return nil }
    return packet
  }

  private mutating func frame(_ index: Int) throws(OvercrankError) -> FrameReader.Frame {
    guard frames.indices.contains(index) else {
      throw OvercrankError(
        .outOfRange,
        "\(source.path): has no frame \(index): it has \(frames.count), counted from 0. Choose another.")
    }
    try approach(index)
    while let frame = try reader?.next() {
      next = frame.index + 1
      if frame.index == index { return frame }
      guard frame.index < index else { break }
    }
    throw OvercrankError(.badData, "\(source.path): frame \(index) is damaged. Choose another.")
  }

  /// Has the reader stand at or before frame `index`.
  private mutating func approach(_ index: Int) throws(OvercrankError) {
    if reader != nil, index >= next, !isSeekable || index - next < Self.nearby { return }
    if isSeekable, index > 0 {
      do {
        reader = try FrameReader(Demuxer(source.path), timing, timeline, from: index)
        next = index
        return
      } catch {
        // It has no index that could be relied on.
        try error.unlessBadData()
        isSeekable = false
        if reader != nil, index >= next { return }
      }
    }
    reader = try FrameReader(Demuxer(source.path), timing, timeline)
    next = 0
  }
}
