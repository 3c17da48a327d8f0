import Platform
internal import CLibAV
internal import Timebase

/// What a file says before its first frame.
struct MuxerHeader {
  let container: Container
  let video: VideoTrack
  let audio: AudioTrack?
  /// Ticks of the video track in a second.
  let timescale: Int32
  let placement: Muxer.IndexPlacement
  /// Frames a second, of a film at one steady rate.
  var rate: FrameRate? = nil
  /// By libav's keys.
  let metadata: [String: String]
  /// Whether the index is to tell how fast the film was captured.
  let hasCaptureRate: Bool

  /// The tracks of a file whose header has been written.
  struct Streams {
    var video: UnsafeMutablePointer<AVStream>
    var audio: UnsafeMutablePointer<AVStream>?
  }

  /// Bytes that an index takes at most apart from its frames.
  var indexOverhead: Int {
    9 << 10 + Int(video.parameters?.values.extradata_size ?? 0)
      + metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }

  /// Whether libav writes the metadata as QuickTime's keys: FF_MOV_FLAG_USE_MDTA of its movenc.h, which has keys written
  /// too that QuickTime does not know.
  private var hasKeys: Bool { container == .mov && video.codec.layout != nil }

  /// What the index of a file that libav has written to `output` gets besides, to tell how fast the film was captured;
  /// empty where nobody knows, or there is no place for it.
  func captureRateBox(_ framesPerSecond: Double?, in output: OutputContext) -> [UInt8] {
    guard hasCaptureRate, container == .mov || container == .mp4,
      let tag = framesPerSecond.flatMap(CaptureRateTag.init)
    else { return [] }
    return tag.bytes(after: hasKeys ? output.metadataKeys : [])
  }

  /// Adds the tracks to `output`, claims space for the index, and writes the header.
  func write(to output: OutputContext) throws(OvercrankError) -> Streams {
    // Y4M has a rate in place of times, and libav takes it from here.
    let interval = container == .y4m ? rate.map(\.interval.libav) : nil
    let stream = try output.addStream(video, timeBase: interval ?? clibav_rational(1, timescale))
    let audioStream: UnsafeMutablePointer<AVStream>? =
      if let audio { try output.addStream(audio) } else { nil }
    var options: [String: Int64] = [:]
    if container == .mov || container == .mp4 {
      // MOV rounds to its own timescales unless told: the track's to at least 10000, the film's to milliseconds.
      options = ["video_track_timescale": Int64(timescale), "movie_timescale": Int64(timescale)]
      if case .front(let frameCount) = placement {
        options["moov_size"] = Int64(
          indexOverhead + Container.indexSize(frameCount: frameCount + (audio?.packetCount ?? 0)))
      }
    }
    try output.reserve(indexOverhead)
    var metadata = metadata
    // NUT has no place for colours of its own, and MOV none for the range.
    if container == .nut || hasKeys { metadata[ColorDescription.metadataKey] = video.color.codePoints }
    if hasKeys { options["movflags"] = 1 << 17 }
    try output.writeHeader(metadata: metadata, options: options)
    return Streams(video: stream, audio: audioStream)
  }
}
