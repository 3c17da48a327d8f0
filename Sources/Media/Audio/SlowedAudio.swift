import Glibc
package import Platform
package import SystemPackage
package import Timebase

internal import CLibAV

/// The audio of a source, played at other speeds and coded as AAC, packet by packet.
///
/// It begins with the source's picture and lasts for the given duration: missing audio is silence. Use from
/// one thread at a time.
package struct SlowedAudio: ~Copyable, @unchecked Sendable {
  // Unchecked: it is the only owner of the memory that it points to.

  /// The treatment of the audio's pitch.
  package enum Pitch: Hashable, Sendable {
    /// The pitch stays: time is stretched, by the best stretcher of libavfilter.
    case kept
    /// The pitch falls and rises with the speed, as on tape.
    case shifted
  }

  /// The sample rate of the output, in samples per second.
  package static let rate: Int64 = 48_000

  /// The parameters of the packets.
  package let track: AudioTrack
  private let flow: any AudioFlow
  private let encoder: CodecContext
  private let frame: Picture
  private let sampleCount: Int
  private var nextSample = 0

  /// Opens the audio of the source at `path`; `nil` if it has none, or none that this libavcodec decodes.
  ///
  /// - Parameters:
  ///   - path: the source.
  ///   - timing: the times at which its samples were heard; `nil` uses those of the file.
  ///   - start: the time of the first frame, in seconds of the file; `nil` uses that of its header.
  ///   - course: the mapping from the clip's time to the source's.
  ///   - pitch: whether the pitch is kept or shifts with the speed.
  ///   - duration: the duration of the clip in seconds, if it runs forwards.
  ///   - turn: the way in which it runs backwards; `nil` for a clip that runs forwards.
  /// - Throws: `unsupported` if libavcodec has no AAC encoder, or libavfilter no suitable stretching filter,
  ///   and the errors of opening a source, and of the file that a turn needs.
  package init?(
    of path: FilePath, heard timing: AudioTiming? = nil, from start: Fraction? = nil,
    by course: AudioTimeMap, pitch: Pitch, duration: Fraction, turned turn: AudioTurn? = nil
  ) throws(OvercrankError) {
    // At the source's own speed there is nothing to stretch, and a stretcher would still move pieces.
    let isStretched = pitch == .kept && course.constantSpeed != 1
    let stretcher = isStretched ? AudioStretcher.best(for: course, duration.doubleValue) : nil
    if isStretched, stretcher == nil {
      guard LibAVFilter.functions != nil else { throw LibAVFilter.missing() }
      throw OvercrankError(
        .unsupported,
        AudioStretcher.rubberband.isPresent
          ? "audio can keep its pitch only at speeds from 1/100 to 2, and this curve exceeds them. Let the "
            + "pitch change with the speed."
          : "audio can keep its pitch at changing speeds only with the filter rubberband, which this "
            + "libavfilter was built without. Let the pitch change with the speed.", remedy: .changePitch)
    }
    try self.init(
      of: path, heard: timing, from: start, by: course, stretcher, duration: duration, turned: turn)
  }

  /// Returns whether audio can keep its pitch by `course` in a clip of `duration` seconds.
  package static func canKeepPitch(by course: AudioTimeMap, duration: Fraction) -> Bool {
    AudioStretcher.best(for: course, duration.doubleValue) != nil
  }

  /// - Parameter stretcher: the filter that keeps the pitch; `nil` shifts it.
  init?(
    of path: FilePath, heard timing: AudioTiming? = nil, from start: Fraction? = nil,
    by course: AudioTimeMap, _ stretcher: AudioStretcher?, duration: Fraction, turned turn: AudioTurn? = nil
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
    let paused: any AudioFlow = course.pauses.isEmpty ? flow : PausedAudio(flow, course)
    self.flow = if let turn { try TurnedAudio(paused, turn) } else { paused }
    sampleCount = Self.sampleCount(turn?.duration ?? duration)
    track = AudioTrack(parameters: parameters, packetCount: sampleCount / 1024 + 3)
    self.encoder = encoder
    self.frame = frame
  }

  /// Returns the number of samples in this many seconds.
  static func sampleCount(_ seconds: Fraction) -> Int {
    Int(
      Fraction(reducing: Int128(seconds.numerator) * Int128(rate), Int128(seconds.denominator)).rounded)
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

  /// Returns the next packet, with times in samples at ``rate``; `nil` at the end.
  ///
  /// - Throws: `inputOutput` if the disk failed; `cancelled` while audio is turned.
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
    try frame.fill(try flow.read(count), first: Int64(nextSample))
    nextSample += count
    let result = avcodec_send_frame(encoder.pointer, frame.frame)
    av_frame_unref(frame.frame)
    guard result >= 0 else { throw OvercrankError.slowingAudio(result) }
  }
}

/// The way in which the audio of a clip runs backwards: from ``start`` on, a moment of the clip plays what the
/// clip that runs forwards plays that long before ``mirror``.
package struct AudioTurn: Sendable {
  /// The moment up to which the audio runs forwards, in seconds of the clip.
  let start: Fraction
  /// The sum of each later moment and the moment of the clip that runs forwards.
  let mirror: Fraction
  /// The duration of the turned clip in seconds.
  let duration: Fraction
  /// The folder of the file that holds the samples until they are played.
  let folder: FilePath
  /// Throws if the clip is no longer wanted.
  let checkCancellation: @Sendable () throws(OvercrankError) -> Void

  /// Creates a turn; see the properties.
  package init(
    start: Fraction, mirror: Fraction, duration: Fraction, folder: FilePath,
    checkCancellation: @escaping @Sendable () throws(OvercrankError) -> Void
  ) {
    self.start = start
    self.mirror = mirror
    self.duration = duration
    self.folder = folder
    self.checkCancellation = checkCancellation
  }
}

/// The times at which the samples of a source's audio were heard, if they are known more exactly than from
/// the file: for a master that was recorded with a microphone.
public struct AudioTiming: Hashable, Sendable {
  /// The seconds from the first picture to the first sample.
  public let offset: Double
  /// The seconds of the file's audio per second: the factor by which it is faster than its stated rate.
  public let ratio: Double

  /// Creates the timing of audio that starts `offset` seconds after the first picture and is `ratio` times as
  /// fast as its stated rate; `nil` if that is impossible.
  public init?(offset: Double, ratio: Double) {
    guard offset.magnitude < 1e6, ratio > 0.5, ratio < 2 else { return nil }
    self.offset = offset
    self.ratio = ratio
  }

  /// Returns the seconds of the file's audio at `seconds` of the source.
  func place(of seconds: Double) -> Double { (seconds - offset) * ratio }
}
