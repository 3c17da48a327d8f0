import Media
import Platform

/// The facts about a source for clips that are known before anything is decoded.
struct OpenedSource {
  let source: ClipSource
  /// Its video track, with what only its first frame tells.
  let track: VideoTrack
  /// The times of its frames, or of those made from their fields.
  let timing: SourceTiming
  /// The conversion of its frames into those of ``timing``; `nil` if they are the same.
  let deinterlacing: Deinterlacing?
  let hasAudio: Bool
  let creationTime: String?

  /// Examines `source`, opened as `video`, for a clip of `spec`.
  ///
  /// - Throws: `OvercrankError` if reading it fails; `outOfRange` if it lacks something that `spec` asks for.
  init(_ source: ClipSource, _ spec: RenderSpec, in video: borrowing Demuxer) throws(OvercrankError) {
    self.source = source
    let track = video.track.completed(byFirstFrameOf: source.path)
    self.track = track
    let read = try SourceTiming(of: source, in: video)
    if read.cutOff == nil {
      try track.checkIsDecodable(source.path, frameCount: read.frames.count)
    }
    deinterlacing = try spec.stages[DeinterlacingOptions.self].map { wanted throws(OvercrankError) in
      Deinterlacing(order: try wanted.order(of: track, source.path), timing: read)
    }
    timing = deinterlacing == nil ? read : read.ofFields()
    hasAudio = video.hasAudio
    creationTime = video.creationTime
  }
}
