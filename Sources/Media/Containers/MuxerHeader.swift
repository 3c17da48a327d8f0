import Platform
internal import CLibAV
internal import Timebase

/// The contents of a file's header.
struct MuxerHeader {
  let container: Container
  let video: VideoTrack
  let audio: AudioTrack?
  /// The ticks per second of the video track.
  let timescale: Int32
  let placement: Muxer.IndexPlacement
  /// The frames per second of a video with a constant rate.
  var rate: FrameRate? = nil
  /// The number of times that an animation plays; 0 for no end.
  var playCount = 0
  /// The metadata by libav's keys.
  let metadata: [String: String]
  /// Whether the index will state the capture rate.
  let hasCaptureRate: Bool

  /// The tracks of a file whose header has been written.
  struct Streams {
    var video: UnsafeMutablePointer<AVStream>
    var audio: UnsafeMutablePointer<AVStream>?
  }

  /// The largest size in bytes of an index apart from its frame entries.
  var indexOverhead: Int {
    9 << 10 + max(video.header.count, Int(video.parameters?.values.extradata_size ?? 0))
      + metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }

  /// Whether libav writes the metadata as QuickTime's keys: FF_MOV_FLAG_USE_MDTA of its movenc.h, which also
  /// writes keys unknown to QuickTime.
  private var hasKeys: Bool { container == .mov && video.codec.layout != nil }

  /// Returns the box to add to the index that libav has written to `output`, to state the capture rate; empty
  /// if the rate is unknown, or the container has no place for it.
  func captureRateBox(_ framesPerSecond: Double?, in output: OutputContext) -> [UInt8] {
    guard hasCaptureRate, container == .mov || container == .mp4,
      let tag = framesPerSecond.flatMap(CaptureRateTag.init)
    else { return [] }
    return tag.bytes(after: hasKeys ? output.metadataKeys : [])
  }

  /// Adds the tracks to `output`, claims space for the index, and writes the header.
  func write(to output: OutputContext) throws(OvercrankError) -> Streams {
    // Y4M has a rate instead of times, which libav takes from the time base.
    let interval = container == .y4m ? rate.map(\.interval.libav) : nil
    let stream = try output.addStream(video, timeBase: interval ?? clibav_rational(1, timescale))
    let audioStream: UnsafeMutablePointer<AVStream>? =
      if let audio { try output.addStream(audio) } else { nil }
    var options: [String: Int64] = [:]
    if container == .mov || container == .mp4 {
      // By default, MOV rounds to its own timescales: the track's to at least 10000, the movie's to
      // milliseconds.
      options = ["video_track_timescale": Int64(timescale), "movie_timescale": Int64(timescale)]
      if case .front(let frameCount) = placement {
        options["moov_size"] = Int64(
          indexOverhead + Container.indexSize(frameCount: frameCount + (audio?.packetCount ?? 0)))
      }
    }
    switch container {
    // Netscape's extension counts the repetitions; without it, a GIF plays once.
    case .gif: options["loop"] = playCount == 0 ? 0 : playCount == 1 ? -1 : Int64(playCount - 1)
    case .webp: options["loop"] = Int64(playCount)
    case .apng: options["plays"] = Int64(playCount)
    default: break
    }
    try output.reserve(indexOverhead)
    var metadata = metadata
    // NUT has no colour fields of its own, and MOV none for the range.
    if container == .nut || hasKeys { metadata[ColorDescription.metadataKey] = video.color.codePoints }
    if hasKeys { options["movflags"] = 1 << 17 }
    try output.writeHeader(metadata: metadata, options: options)
    return Streams(video: stream, audio: audioStream)
  }
}
