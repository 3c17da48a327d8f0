import Glibc
package import Platform
package import SystemPackage
package import Timebase

internal import CLibAV

/// The audio of a film, played at other speeds and coded as AAC, packet by packet.
///
/// It begins with the film's picture and lasts as long as it is told to: what is missing is silence. Use from one
/// thread at a time.
package struct SlowedAudio: ~Copyable, @unchecked Sendable {
  // Unchecked: it owns the memory it points to alone.

  /// What becomes of a audio's pitch.
  package enum Pitch: Hashable, Sendable {
    /// It stays: time is stretched, by the best stretcher that libavfilter has.
    case kept
    /// It falls and rises with the speed, as tape's does.
    case shifted
  }

  /// Samples per second of what comes out.
  package static let rate: Int64 = 48_000

  /// What the packets are.
  package let track: AudioTrack
  private let flow: any AudioFlow
  private let channelCount: Int
  private let encoder: CodecContext
  private let frame: Picture
  /// When the clip stands still, in samples, in the order of time.
  private let pauses: [Range<Int>]
  private let sampleCount: Int
  private var nextSample = 0

  /// The audio of the film at `path`; `nil` where it has none, or none that this libavcodec decodes.
  ///
  /// - Parameters:
  ///   - path: the film.
  ///   - timing: when its samples were heard; `nil` goes by the file.
  ///   - start: when the first frame is shown, in seconds of the file; `nil` goes by its header.
  ///   - course: which moment of the film is heard when.
  ///   - pitch: whether the pitch is kept or shifts with the speed.
  ///   - duration: seconds that the clip lasts.
  /// - Throws: `unsupported` where libavcodec has no AAC encoder or libavfilter no filter that stretches
  ///   audio so, and what opening a film throws.
  package init?(
    of path: FilePath, heard timing: AudioTiming? = nil, from start: Fraction? = nil,
    by course: AudioCourse, pitch: Pitch, duration: Fraction
  ) throws(OvercrankError) {
    // At the film's own speed there is nothing to stretch, and a stretcher would move pieces all the same.
    let isStretched = pitch == .kept && course.constantSpeed != 1
    let stretcher = isStretched ? AudioStretcher.best(for: course, duration.doubleValue) : nil
    if isStretched, stretcher == nil {
      guard LibAVFilter.functions != nil else { throw LibAVFilter.missing }
      throw OvercrankError(
        .unsupported,
        AudioStretcher.rubberband.isPresent
          ? "audio keeps its pitch along speeds from 1/100 to 2, and this curve goes beyond. Let it fall and rise "
            + "with the speed."
          : "audio keeps its pitch along changing speeds with libavfilter's rubberband alone, without which this one was "
            + "built. Let it fall and rise with the speed.", remedy: .changePitch)
    }
    try self.init(of: path, heard: timing, from: start, by: course, stretcher, duration: duration)
  }

  /// Whether audio can keep its pitch by `course` in a clip of so many seconds.
  package static func canKeepPitch(by course: AudioCourse, duration: Fraction) -> Bool {
    AudioStretcher.best(for: course, duration.doubleValue) != nil
  }

  /// - Parameter stretcher: what keeps the pitch; `nil` shifts it.
  init?(
    of path: FilePath, heard timing: AudioTiming? = nil, from start: Fraction? = nil,
    by course: AudioCourse, _ stretcher: AudioStretcher?, duration: Fraction
  ) throws(OvercrankError) {
    guard
      let source = try AudioSource(
        of: path, timing, from: start?.doubleValue, course.parts, lead: stretcher?.lead(course) ?? 0)
    else { return nil }
    let flow: any AudioFlow =
      if let stretcher {
        try AudioStretch(
          source.ratio == 1 ? source : AudioVarispeed(correcting: source), course, stretcher)
      } else {
        AudioVarispeed(source, course, fastest: course.speeds(in: duration.doubleValue).upperBound)
      }
    let encoder = try Self.encoder(channelCount: source.channelCount)
    guard
      let parameters = CodecParameters(filledBy: { avcodec_parameters_from_context($0, encoder.pointer) })
    else { throw OvercrankError.outOfMemory("the AAC encoder") }
    let frame = try Picture()
    let samples = Fraction(
      reducing: Int128(duration.numerator) * Int128(Self.rate), Int128(duration.denominator)
    ).rounded
    var paused = 0.0
    pauses = course.pauses.map { pause in
      let start = pause.clipStart + paused
      paused += pause.duration
      return Self.sample(start)..<Self.sample(start + pause.duration)
    }
    track = AudioTrack(parameters: parameters, packetCount: Int(samples / 1024) + 3)
    sampleCount = Int(samples)
    channelCount = source.channelCount
    self.flow = flow
    self.encoder = encoder
    self.frame = frame
  }

  /// The sample at a moment of the clip.
  private static func sample(_ seconds: Double) -> Int {
    Int(clamping: (min(seconds, 1e9) * Double(rate)).rounded())
  }

  private static func encoder(channelCount: Int) throws(OvercrankError) -> CodecContext {
    guard let aac = avcodec_find_encoder_by_name("aac") else {
      throw OvercrankError(
        .unsupported, "this libavcodec was built without its AAC encoder. Leave the audio out.")
    }
    let encoder = try CodecContext(aac)
    encoder.pointer.pointee.sample_rate = Int32(Self.rate)
    encoder.pointer.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    encoder.pointer.pointee.bit_rate = 96_000 * Int64(channelCount)
    encoder.pointer.pointee.time_base = clibav_rational(1, Int32(Self.rate))
    av_channel_layout_default(&encoder.pointer.pointee.ch_layout, Int32(channelCount))
    encoder.pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    try encoder.open("the AAC encoder", options: [:])
    return encoder
  }

  /// The next packet, with times in samples at ``rate``; `nil` at the end.
  ///
  /// - Throws: `inputOutput` where the disk failed.
  package mutating func nextPacket() throws(OvercrankError) -> Packet? {
    while true {
      let packet = try Packet()
      let result = avcodec_receive_packet(encoder.pointer, packet.pointer)
      if result >= 0 { return packet }
      if result == clibav_eof() { return nil }
      guard result == clibav_try_again() else { throw OvercrankError.slowingAudio(result) }
      try feedEncoder()
    }
  }

  private mutating func feedEncoder() throws(OvercrankError) {
    let count = min(Int(encoder.pointer.pointee.frame_size), sampleCount - nextSample)
    guard count > 0 else {
      avcodec_send_frame(encoder.pointer, nil)
      return
    }
    try frame.fill(try samples(count), first: Int64(nextSample))
    nextSample += count
    let result = avcodec_send_frame(encoder.pointer, frame.frame)
    av_frame_unref(frame.frame)
    guard result >= 0 else { throw OvercrankError.slowingAudio(result) }
  }

  /// The next `count` samples, with the clip's pauses among them.
  private mutating func samples(_ count: Int) throws(OvercrankError) -> AudioSamples {
    var samples = AudioSamples(channelCount: channelCount)
    for pause in pauses {
      let until = min(max(pause.lowerBound - nextSample, samples.count), count)
      samples.append(try flow.read(until - samples.count))
      let silent = min(max(pause.upperBound - nextSample, until), count) - until
      samples.append(AudioSamples(silence: silent, channelCount: channelCount))
      guard samples.count < count else { break }
    }
    samples.append(try flow.read(count - samples.count))
    for pause in pauses {
      samples.fade(around: pause.lowerBound, first: nextSample)
      samples.fade(around: pause.upperBound, first: nextSample)
    }
    return samples
  }
}

/// When the samples of a film's audio were heard, where that is known better than by the file: those of a master
/// that was recorded with a microphone.
public struct AudioTiming: Hashable, Sendable {
  /// How many seconds after the first picture the first sample was heard.
  public let offset: Double
  /// Seconds of the file's audio that pass in one second: how much faster than its rate it is.
  public let ratio: Double

  /// Audio that is heard `offset` seconds after the first picture and `ratio` times as fast as its rate says; `nil`
  /// where that cannot be.
  public init?(offset: Double, ratio: Double) {
    guard offset.magnitude < 1e6, ratio > 0.5, ratio < 2 else { return nil }
    self.offset = offset
    self.ratio = ratio
  }

  /// The seconds of the file's audio at `seconds` of the film.
  func place(of seconds: Double) -> Double { (seconds - offset) * ratio }
}
