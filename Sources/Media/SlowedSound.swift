internal import CLibAV
import Glibc
public import SystemPackage
public import Timebase

/// The sound of a film, played at another speed and coded as AAC, packet by packet.
///
/// It begins with the film's picture and lasts as long as it is told to: what is missing is silence. Use from one
/// thread at a time.
public struct SlowedSound: ~Copyable, @unchecked Sendable {
  // Unchecked: it owns the memory it points to alone.

  /// What becomes of a sound's pitch.
  public enum Pitch: Hashable, Sendable {
    /// It stays: time is stretched, by the best stretcher that libavfilter has.
    case kept
    /// It falls and rises with the speed, as tape's does.
    case shifted
  }

  /// Samples per second of what comes out.
  public static let rate: Int64 = 48_000

  /// What the packets are.
  public let track: SoundTrack
  private let source: InputContext
  private let streamIndex: Int32
  private let decoder: CodecContext
  private let encoder: CodecContext
  private let filters: FilterGraph
  private let decoded: Picture
  private let filtered: Picture
  /// Samples yet to be given to the encoder.
  private var samplesLeft: Int64
  private var nextSample: Int64 = 0
  private var isSourceAtEnd = false

  /// The sound of the film at `path`; `nil` where it has none, or none that this libavcodec decodes.
  ///
  /// - Parameters:
  ///   - start: seconds of the film from its first picture to where the clip begins.
  ///   - speed: seconds of the film that pass in one second of the clip.
  ///   - duration: seconds that the clip lasts.
  /// - Throws: ``MediaError/Code/unsupported`` where libavcodec has no AAC encoder or libavfilter no such filter, and what
  ///   opening a film throws.
  public init?(
    of path: FilePath, from start: Fraction = Fraction(0), speed: Fraction, pitch: Pitch, duration: Fraction
  ) throws(MediaError) {
    let way: Way = pitch == .kept ? .stretch(.best(for: speed)) : .retune
    try self.init(of: path, from: start, speed: speed, way, duration: duration)
  }

  /// How sound is slowed down.
  enum Way {
    case stretch(SoundStretcher)
    /// Its samples are played at another rate.
    case retune
  }

  init?(
    of path: FilePath, from start: Fraction, speed: Fraction, _ way: Way, duration: Fraction
  ) throws(MediaError) {
    let source = try InputContext(path)
    let pictureStart = try source.bestVideoStream().pointee.startSeconds ?? 0
    guard let stream = source.bestSoundStream(),
      let codec = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id)
    else { return nil }
    let decoder = try CodecContext(codec)
    avcodec_parameters_to_context(decoder.pointer, stream.pointee.codecpar)
    decoder.pointer.pointee.pkt_timebase = stream.pointee.time_base
    guard avcodec_open2(decoder.pointer, nil, nil) >= 0, decoder.pointer.pointee.sample_rate > 0,
      decoder.pointer.pointee.sample_fmt != AV_SAMPLE_FMT_NONE
    else { return nil }
    let channels: Int32 = decoder.pointer.pointee.ch_layout.nb_channels == 1 ? 1 : 2

    guard let aac = avcodec_find_encoder_by_name("aac") else {
      throw MediaError(
        .unsupported, "this libavcodec was built without its AAC encoder. Leave the sound out.")
    }
    let encoder = try CodecContext(aac)
    encoder.pointer.pointee.sample_rate = Int32(Self.rate)
    encoder.pointer.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    encoder.pointer.pointee.bit_rate = 96_000 * Int64(channels)
    encoder.pointer.pointee.time_base = clibav_rational(1, Int32(Self.rate))
    av_channel_layout_default(&encoder.pointer.pointee.ch_layout, channels)
    encoder.pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    try encoder.open("the AAC encoder", options: [:])
    guard
      let parameters = CodecParameters(filledBy: { avcodec_parameters_from_context($0, encoder.pointer) })
    else { throw MediaError.outOfMemory("the AAC encoder") }

    let filters = try FilterGraph(
      decoder.pointer, timeBase: stream.pointee.time_base,
      Self.filters(speed, way, from: pictureStart + start.doubleValue, channels),
      frameSize: UInt32(encoder.pointer.pointee.frame_size))
    let (decoded, filtered) = (try Picture(), try Picture())
    let samples = Fraction(
      reducing: Int128(duration.numerator) * Int128(Self.rate), Int128(duration.denominator)
    ).rounded
    self.filters = filters
    self.track = SoundTrack(parameters: parameters, packetCount: Int(samples / 1024) + 3)
    self.source = source
    self.streamIndex = stream.pointee.index
    self.decoder = decoder
    self.encoder = encoder
    self.decoded = decoded
    self.filtered = filtered
    self.samplesLeft = samples
  }

  /// libavfilter's words for it.
  private static func filters(
    _ speed: Fraction, _ way: Way, from start: Double, _ channels: Int32
  ) -> String {
    let speed = speed.doubleValue
    let lead =
      switch way {
      case .stretch(let stretcher): stretcher.lead(at: speed)
      case .retune: 0.0
      }
    let samples = "aformat=sample_fmts=fltp:channel_layouts=\(channels == 1 ? "mono" : "stereo")"
    // Time counts from the clip's first picture: what comes before is cut off, gaps are filled with silence, and
    // silence follows the end, for stretchers keep their last piece until more comes.
    var filters = [
      "asetpts=PTS-(\(start - lead))/TB", "aresample=\(rate):async=1:first_pts=0", samples, "apad",
    ]
    switch way {
    case .stretch(let stretcher): filters += stretcher.filters(speed)
    case .retune:
      filters += ["asetrate=\(max(1, Int((Double(rate) * speed).rounded())))", "aresample=\(rate)"]
    }
    return (filters + [samples]).joined(separator: ",")
  }

  /// The next packet, with times in samples at ``rate``; `nil` at the end.
  ///
  /// - Throws: ``MediaError/Code/inputOutput`` where the disk failed.
  public mutating func nextPacket() throws(MediaError) -> Packet? {
    while true {
      let packet = try Packet()
      let result = avcodec_receive_packet(encoder.pointer, packet.pointer)
      if result >= 0 { return packet }
      if result == clibav_eof() { return nil }
      guard result == clibav_try_again() else { throw Self.failure(result) }
      try feedEncoder()
    }
  }

  private mutating func feedEncoder() throws(MediaError) {
    guard samplesLeft > 0 else {
      avcodec_send_frame(encoder.pointer, nil)
      return
    }
    while true {
      let result = av_buffersink_get_frame(filters.sink, filtered.frame)
      if result >= 0 { break }
      guard result == clibav_try_again() else { throw Self.failure(result) }
      try feedFilters()
    }
    defer { av_frame_unref(filtered.frame) }
    filtered.frame.pointee.nb_samples = Int32(min(Int64(filtered.frame.pointee.nb_samples), samplesLeft))
    filtered.frame.pointee.pts = nextSample
    nextSample += Int64(filtered.frame.pointee.nb_samples)
    samplesLeft -= Int64(filtered.frame.pointee.nb_samples)
    let result = avcodec_send_frame(encoder.pointer, filtered.frame)
    guard result >= 0 else { throw Self.failure(result) }
  }

  /// Gives the filters the next decoded samples, or tells them that there are none; damaged ones are left out.
  private mutating func feedFilters() throws(MediaError) {
    while true {
      let result = avcodec_receive_frame(decoder.pointer, decoded.frame)
      if result >= 0 {
        decoded.frame.pointee.pts = decoded.frame.pointee.best_effort_timestamp
        // Samples of another rate or layout than the track began with are left out too.
        _ = av_buffersrc_add_frame(filters.source, decoded.frame)
        av_frame_unref(decoded.frame)
        return
      }
      if result == clibav_eof() || isSourceAtEnd {
        _ = av_buffersrc_add_frame(filters.source, nil)
        return
      }
      var packet: Packet?
      do { packet = try source.nextPacket(of: streamIndex) } catch {
        if error.code != .badData { throw error }
      }
      isSourceAtEnd = packet == nil
      avcodec_send_packet(decoder.pointer, packet?.pointer)
    }
  }

  private static func failure(_ result: Int32) -> MediaError {
    MediaError(
      .unsupported,
      "the sound could not be slowed down: \(libavWords(result)). Leave it out with --audio drop.")
  }
}

/// What a track of coded sound is.
public struct SoundTrack: Sendable {
  let parameters: CodecParameters
  /// The most packets that it has.
  let packetCount: Int
}

/// The owner of an `AVFilterGraph` with one way in and one way out.
final class FilterGraph {
  let source: UnsafeMutablePointer<AVFilterContext>
  let sink: UnsafeMutablePointer<AVFilterContext>
  private let graph: UnsafeMutablePointer<AVFilterGraph>

  /// Filters in libavfilter's own words between what `decoder` gives and frames of `frameSize` samples.
  init(
    _ decoder: UnsafeMutablePointer<AVCodecContext>, timeBase: AVRational, _ filters: String,
    frameSize: UInt32
  ) throws(MediaError) {
    guard let graph = avfilter_graph_alloc() else { throw MediaError.outOfMemory("filters") }
    graph.pointee.nb_threads = 1
    var layout = decoder.pointee.ch_layout
    if layout.order == AV_CHANNEL_ORDER_UNSPEC { av_channel_layout_default(&layout, layout.nb_channels) }
    var name = [CChar](repeating: 0, count: 128)
    av_channel_layout_describe(&layout, &name, name.count)
    let description = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let format = av_get_sample_fmt_name(decoder.pointee.sample_fmt).map { String(cString: $0) } ?? ""
    let whole =
      "abuffer@in=time_base=\(timeBase.num)/\(timeBase.den):sample_rate=\(decoder.pointee.sample_rate)"
      + ":sample_fmt=\(format):channel_layout=\(description),\(filters),abuffersink@out"
    var (inputs, outputs) = (
      UnsafeMutablePointer<AVFilterInOut>?.none, UnsafeMutablePointer<AVFilterInOut>?.none
    )
    var result = avfilter_graph_parse2(graph, whole, &inputs, &outputs)
    avfilter_inout_free(&inputs)
    avfilter_inout_free(&outputs)
    if result >= 0 { result = avfilter_graph_config(graph, nil) }
    guard result >= 0, let source = avfilter_graph_get_filter(graph, "abuffer@in"),
      let sink = avfilter_graph_get_filter(graph, "abuffersink@out")
    else {
      var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
      avfilter_graph_free(&graph)
      throw MediaError(
        .unsupported, "libavfilter refused \"\(filters)\": \(libavWords(result)). Leave the sound out.")
    }
    av_buffersink_set_frame_size(sink, frameSize)
    self.graph = graph
    self.source = source
    self.sink = sink
  }

  deinit {
    var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
    avfilter_graph_free(&graph)
  }
}

extension AVStream {
  /// When it starts, in seconds of the file; `nil` where nobody said.
  fileprivate var startSeconds: Double? {
    start_time == clibav_no_timestamp() ? nil : Double(start_time) * av_q2d(time_base)
  }
}
