import Platform
internal import CLibAV
import SystemPackage

/// The decoded audio of a film: the parts of it that a clip keeps, one after another, at `SlowedAudio.rate`.
///
/// Gaps in it are silence, and silence follows its end. Where parts meet, it fades out and in again. Of audio
/// whose ``AudioTiming`` is known, the samples are ``ratio`` to a second at that rate.
final class AudioSource: AudioFlow {
  /// 1 or 2.
  let channelCount: Int
  /// Seconds of this audio that pass in one of the film's.
  let ratio: Double
  private let source: InputContext
  private let streamIndex: Int32
  private let decoder: CodecContext
  private let filters: FilterGraph
  private let decoded: Picture
  private let filtered: Picture
  private var isSourceAtEnd = false
  /// The parts in samples from the first that the filters give; those before the current one are gone.
  private var parts: ArraySlice<Range<Int>>
  /// How many samples the filters have given.
  private var position = 0
  private var ready: AudioSamples

  /// The audio of the film at `path`; `nil` where it has none, or none that this libavcodec decodes.
  ///
  /// - Parameters:
  ///   - timing: when its samples were heard; `nil` goes by the file.
  ///   - pictureStart: when the first frame is shown, in seconds of the file; `nil` goes by its header.
  ///   - lead: samples in front of the first part that come before it.
  init?(
    of path: FilePath, _ timing: AudioTiming?, from pictureStart: Double?, _ parts: [AudioCourse.Part],
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
    // A master's audio begins with its own first sample, whenever that was.
    let start = timing == nil ? pictureStart : stream.pointee.startSeconds ?? 0
    let parts = parts.map { part in
      guard let timing else { return part }
      return AudioCourse.Part(start: timing.place(of: part.start), end: timing.place(of: part.end))
    }
    let origin = parts[0].start - Double(lead) / rate
    // Time counts from the first part: what comes before is cut off, gaps are filled with silence.
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

  /// Gives the filters the next decoded samples, or tells them that there are none; damaged ones are left out.
  private func feedFilters() throws(OvercrankError) {
    while true {
      let result = avcodec_receive_frame(decoder.pointer, decoded.frame)
      if result >= 0 {
        decoded.frame.pointee.pts = decoded.frame.pointee.best_effort_timestamp
        // Samples of another rate or layout than the track began with are left out too.
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
  /// When it starts, in seconds of the file; `nil` where nobody said.
  fileprivate var startSeconds: Double? {
    start_time == clibav_no_timestamp() ? nil : Double(start_time) * av_q2d(time_base)
  }
}
