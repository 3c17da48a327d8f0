import Media
package import Platform
import Timebase

/// Reads the light of the rows of a source's frames, in one pass and in their order.
///
/// The rows are those of the sensor: pictures are not turned. Use from one task at a time.
package final class RowMeter {
  /// The number of rows.
  package let height: Int
  private let source: ClipSource
  private let pool: DecodePool

  /// Opens `source`.
  ///
  /// - Throws: `OvercrankError` if it cannot be read, or its frames cannot be decoded.
  package init(_ source: ClipSource) throws(OvercrankError) {
    let video = try Demuxer(source.path)
    let track = video.track
    let timing = try SourceTiming(of: source, in: video)
    let timeline = Timeline(timing.cadence, speed: nil, outputRate: FrameRate(whole: 30))
    let geometry = try ClipGeometry(of: track, orientation: .upright)
    var color = track.pictureColor
    color.range = .full
    pool = try DecodePool(
      FrameReader(video, timing, timeline), pixelCount: geometry.processingPixelCount(of: track)
    ) { () throws(OvercrankError) in
      try FrameProcessor(video: track, geometry, layout: .gray, clipColor: color)
    }
    height = geometry.height
    self.source = source
  }

  /// Returns the next frame's place in the source, and the mean light of each of its rows, from 0 for black to 1 for
  /// white; `nil` at the end. Damaged frames are left out.
  ///
  /// - Throws: `OvercrankError` if reading the source fails; `cancelled`.
  package nonisolated(nonsending) func next() async throws(OvercrankError) -> (frame: Int, rows: [Float])? {
    while let frame = try await pool.next() {
      guard !Task.isCancelled else {
        throw OvercrankError(.cancelled, "\(source.path): stopped before the end.")
      }
      if case .success(let picture) = frame.picture { return (frame.index, picture.rowLight) }
    }
    return nil
  }
}
