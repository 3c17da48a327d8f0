import Platform
internal import CLibAV
import SystemPackage

/// The decoded audio of a source: the parts that a clip keeps, one after another, at `SlowedAudio.rate`.
///
/// Gaps in it are silence, and silence follows its end. It fades out and in again at the joints of parts. If
/// its ``AudioTiming`` is known, each second of the source has ``ratio`` times `SlowedAudio.rate` samples.
final class AudioSource: AudioFlow {
  /// The number of channels: 1 or 2.
  let channelCount: Int
  /// The seconds of this audio per second of the source.
  let ratio: Double
  private let source: InputContext
  private let streamIndex: Int32
  private let decoder: CodecContext
  private let filters: FilterGraph
  private let decoded: Picture
  private let filtered: Picture
  private var isSourceAtEnd = false
  /// The remaining parts, in samples from the filters' first one.
  private var parts: ArraySlice<Range<Int>>
  /// The number of samples that the filters have returned.
  private var position = 0
  private var ready: AudioSamples

  /// Opens the audio of the source at `path`; `nil` if it has none, or none that this libavcodec decodes.
  ///
  /// - Parameters:
  ///   - timing: the times at which its samples were heard; `nil` uses those of the file.
  ///   - pictureStart: the time of the first frame, in seconds of the file; `nil` uses that of its header.
  ///   - lead: the number of extra samples to deliver before the first part.
  init?(
    of path: FilePath, _ timing: AudioTiming?, from pictureStart: Double?, _ parts: [AudioTimeMap.Part],
    lead: Int
  ) throws(OvercrankError) {
    let source = try InputContext(path)
    let statedStart = try source.bestVideoStream().pointee.startSeconds
    let pictureStart = pictureStart ?? statedStart ?? 0
    guard let stream = source.bestAudioStream(),
      let codec = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id)
    else { return nil }
    let decoder = try CodecContext(codec)
    avcodec_parameters_to_context(decoder.pointer, stream.pointee.codecpar)
    decoder.pointer.pointee.pkt_timebase = stream.pointee.time_base
    guard avcodec_open2(decoder.pointer, nil, nil) >= 0, decoder.pointer.pointee.sample_rate > 0,
      decoder.pointer.pointee.sample_fmt != AV_SAMPLE_FMT_NONE
    else { return nil }
    let channelCount = decoder.pointer.pointee.ch_layout.nb_channels == 1 ? 1 : 2
    let rate = Double(SlowedAudio.rate)
    // A master's audio starts at its own first sample, independent of the pictures.
    let start = timing == nil ? pictureStart : stream.pointee.startSeconds ?? 0
    let parts = parts.map { part in
      guard let timing else { return part }
      return AudioTimeMap.Part(start: timing.place(of: part.start), end: timing.place(of: part.end))
    }
    let origin = parts[0].start - Double(lead) / rate
    // Time starts at the first part: earlier samples are cut off, and gaps are filled with silence.
    let filters = [
      "asetpts=PTS-(\(start + origin))/TB", "aresample=\(SlowedAudio.rate):async=1:first_pts=0",
      FilterGraph.format(channelCount), "apad",
    ]
    self.filters = try FilterGraph(
      decoder.pointer, timeBase: stream.pointee.time_base, filters.joined(separator: ","))
    self.parts =
      parts.map { part in
        let start = part.start == parts[0].start ? 0 : Int(clamping: ((part.start - origin) * rate).rounded())
        return
          start..<(part.end.isFinite
          ? max(start, Int(clamping: ((part.end - origin) * rate).rounded())) : .max)
      }[...]
    self.channelCount = channelCount
    ratio = timing?.ratio ?? 1
    self.source = source
    self.streamIndex = stream.pointee.index
    self.decoder = decoder
    (self.decoded, self.filtered) = (try Picture(), try Picture())
    self.ready = AudioSamples(channelCount: channelCount)
  }

  func read(_ count: Int) throws(OvercrankError) -> AudioSamples {
    while ready.count < count { try readMore() }
    return ready.removeFirst(count)
  }

  private func readMore() throws(OvercrankError) {
    while !(try filters.pull(into: filtered)) { try feedFilters() }
    defer { av_frame_unref(filtered.frame) }
    let samples = filtered.samples(channelCount)
    let end = position + samples.count
    while let part = parts.first, part.lowerBound < end {
      let range = max(part.lowerBound, position)..<min(part.upperBound, end)
      var kept = samples[range.lowerBound - position..<max(range.lowerBound, range.upperBound) - position]
      if part.lowerBound > 0 { kept.fade(around: part.lowerBound, first: range.lowerBound) }
      if part.upperBound < .max { kept.fade(around: part.upperBound, first: range.lowerBound) }
      ready.append(kept)
      guard part.upperBound <= end else { break }
      parts.removeFirst()
    }
    position = end
  }

  /// Passes the next decoded samples to the filters, or the end of the stream; damaged samples are skipped.
  private func feedFilters() throws(OvercrankError) {
    while true {
      let result = avcodec_receive_frame(decoder.pointer, decoded.frame)
      if result >= 0 {
        decoded.frame.pointee.pts = decoded.frame.pointee.best_effort_timestamp
        // Samples with a rate or layout other than the track's first are skipped too.
        _ = filters.push(decoded)
        av_frame_unref(decoded.frame)
        return
      }
      if result == clibav_eof() || isSourceAtEnd {
        filters.pushEnd()
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
}

extension AVStream {
  /// The start in seconds of the file; `nil` if unknown.
  fileprivate var startSeconds: Double? {
    start_time == clibav_no_timestamp() ? nil : Double(start_time) * av_q2d(time_base)
  }
}
