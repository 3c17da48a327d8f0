package import Platform
package import Media
import Timebase

/// Random access to single frames of a source as pictures.
///
/// Frames requested in order are read in one pass. Use from one thread at a time.
package struct SourceFrames: ~Copyable {
  /// The source's video track.
  package let track: VideoTrack
  /// The capture time of each frame, in their order; for a source without a take, its presentation time.
  package let frames: [FrameTiming]
  private let source: ClipSource
  private let timing: SourceTiming
  private let timeline: Timeline
  private var reader: FrameReader?
  /// The first frame that the reader may still return.
  private var next = 0
  private var isSeekable: Bool

  /// The largest distance to the next frame at which the frames between are read instead of seeking.
  private static let nearby = 32

  /// Opens `source` and reads its frames' times.
  ///
  /// - Throws: `OvercrankError` if it cannot be read or has no frames.
  package init(_ source: ClipSource) throws(OvercrankError) {
    let video = try Demuxer(source.path)
    let timing = try SourceTiming(of: source, in: video)
    guard !timing.frames.isEmpty else {
      throw OvercrankError.noFrames(source.path)
    }
    self.init(source, timing, video.track)
  }

  /// Nothing in it throws: see the initializer of `OutputFile`.
  private init(_ source: ClipSource, _ timing: SourceTiming, _ track: VideoTrack) {
    self.track = track
    frames = timing.frames
    isSeekable = true
    // Shows every captured frame once.
    timeline = Timeline(timing.cadence, speed: nil, outputRate: FrameRate(whole: 30))
    self.timing = timing
    self.source = source
  }

  /// Returns the size of frames as stored that keep their proportions and fit into a square of `side`, never enlarged.
  package func size(fitting side: Int) -> (width: Int, height: Int) {
    let longest = max(track.width, track.height, 1)
    guard longest > side else { return (track.width & ~1, track.height & ~1) }
    func scaled(_ length: Int) -> Int { max(2, (length * side / longest + 1) & ~1) }
    return (scaled(track.width), scaled(track.height))
  }

  /// Returns a converter from frames to pictures of `layout`, not turned.
  ///
  /// - Parameters:
  ///   - layout: an RGB layout, or luma alone.
  ///   - side: the largest width and height; `nil` keeps the frames' size.
  /// - Throws: `OvercrankError` if no such converter can be created.
  package func development(_ layout: PixelLayout, fitting side: Int? = nil) throws(OvercrankError)
    -> Development
  {
    let scale = side.map { size(fitting: $0) }.map { [ClipScale.size(width: $0.width, height: $0.height)] }
    var color = track.pictureColor
    color.range = .full
    // As stored: the program that shows a picture turns it.
    let geometry = try ClipGeometry(of: track, scale ?? [], orientation: .upright)
    guard track.pictureColor.transfer.isHDR else {
      return Development(
        processor: try FrameProcessor(video: track, geometry, layout: layout, clipColor: color))
    }
    // Pictures and previews are shown on screens of the standard range.
    color = .bt709
    color.range = .full
    let tones = try MappedTones(of: track, to: layout, color, size: (geometry.width, geometry.height))
    return Development(
      processor: try FrameProcessor(
        video: track, geometry, layout: ToneTable.sourceLayout, clipColor: track.pictureColor.asToneSource,
        changes: [tones]))
  }

  /// A converter from frames to pictures.
  package struct Development: Sendable {
    fileprivate let processor: FrameProcessor
  }

  /// Returns frame `index`, counted from 0, as a picture.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` if there is no such frame, `badData` if it is damaged.
  package mutating func picture(
    _ index: Int, _ development: Development
  ) throws(OvercrankError) -> Picture {
    try development.processor.process(try frame(index)).get()
  }

  /// Returns frame `index` as stored in the source; `nil` if it must be decoded to be identified.
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

  /// Positions the reader at or before frame `index`.
  private mutating func approach(_ index: Int) throws(OvercrankError) {
    if reader != nil, index >= next, !isSeekable || index - next < Self.nearby { return }
    if isSeekable, index > 0 {
      do {
        reader = try FrameReader(Demuxer(source.path), timing, timeline, from: index)
        next = index
        return
      } catch {
        // The source has no reliable index.
        try error.unlessBadData()
        isSeekable = false
        if reader != nil, index >= next { return }
      }
    }
    reader = try FrameReader(Demuxer(source.path), timing, timeline)
    next = 0
  }
}
