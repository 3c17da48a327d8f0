import Platform
internal import CLibAV
import Glibc

/// Audio played slower or faster at its original pitch, by a stretcher of libavfilter.
///
/// A stretcher puts the beginning of a piece of audio at its correct time. The source therefore begins early,
/// so that the middles of pieces come to lie at their correct times. With changing speeds, it begins
/// ``AudioStretcher/reach`` samples early, and that many samples of the output are dropped; at a constant
/// speed, it begins early by the difference only.
final class AudioStretch: AudioFlow {
  private let source: any AudioFlow
  private let stretcher: AudioStretcher
  private let filters: FilterGraph
  private let frame: Picture
  private var pace: AudioPace?
  /// The number of samples passed to the filters, and received from them.
  private var (given, got) = (0, 0)
  /// The number of output samples before the clip begins.
  private let surplus: Int
  private var ready: AudioSamples

  /// Plays the audio of `source`, which begins ``AudioStretcher/lead(_:)`` samples before the clip, by
  /// `course`.
  init(_ source: any AudioFlow, _ course: AudioTimeMap, _ stretcher: AudioStretcher) throws(OvercrankError) {
    self.source = source
    self.stretcher = stretcher
    pace = course.constantSpeed == nil ? AudioPace(course) : nil
    filters = try FilterGraph(
      channelCount: source.channelCount,
      (stretcher.filters(course.stretches[0].speed) + [FilterGraph.format(source.channelCount)])
        .joined(separator: ","))
    surplus = course.constantSpeed == nil ? stretcher.reach : 0
    frame = try Picture()
    ready = AudioSamples(channelCount: source.channelCount)
  }

  var channelCount: Int { source.channelCount }

  func read(_ count: Int) throws(OvercrankError) -> AudioSamples {
    while ready.count < count {
      try feed()
      while try filters.pull(into: frame) {
        let samples = frame.samples(source.channelCount)
        av_frame_unref(frame.frame)
        let early = min(max(surplus - got, 0), samples.count)
        got += samples.count
        ready.append(samples[early..<samples.count])
      }
    }
    return ready.removeFirst(count)
  }

  /// Passes the next piece, and its speed, to the filters.
  private func feed() throws(OvercrankError) {
    let length = pace == nil ? 1024 : AudioPace.step
    if let tempo = pace?.next(given: given, got: got) {
      try filters.send("tempo", "\(tempo)", to: stretcher.name)
    }
    try frame.fill(try source.read(length), first: Int64(given))
    given += length
    let result = filters.push(frame)
    av_frame_unref(frame.frame)
    guard result >= 0 else { throw OvercrankError.slowingAudio(result) }
  }
}

/// The speeds that keep librubberband in step with a course.
///
/// librubberband applies each speed at once, although it is some pieces behind its input, and loses track of
/// that delay when speeds jump. So each step sets the speed of its present position, slightly adjusted if the
/// output is ahead or late.
private struct AudioPace {
  /// The number of source samples per speed.
  static let step = 64
  /// The lag of the output behind the input, in input samples: from 780 at 1/10 to 860 at 1 (measured).
  private static let lag = 832
  /// The deviation that is not corrected, in output samples; less than the variation of the lag.
  private static let tolerance = 100.0
  /// The number of output samples over which the rest is corrected.
  private static let patience = 2400.0
  /// The largest factor by which a speed is changed for that.
  private static let most = 1.25

  private let course: AudioTimeMap
  private var tempo = 0.0

  init(_ course: AudioTimeMap) { self.course = course }

  /// Returns the speed for the next samples after `given` inputs and `got` outputs; `nil` if it is unchanged.
  mutating func next(given: Int, got: Int) -> Double? {
    let rate = Double(SlowedAudio.rate)
    let place = Double(given - Self.lag)
    let due = course.clip(atKept: place / rate) * rate
    let planned = course.clip(atKept: (place + Double(Self.step)) / rate) * rate - due
    var length = planned
    if place > 0 {
      let error = due - Double(got)
      let excess = error - max(-Self.tolerance, min(Self.tolerance, error))
      length += excess * min(1, planned / Self.patience)
      length = max(planned / Self.most, min(planned * Self.most, length))
    }
    let next = Double(Self.step) / length
    // The last digits of a constant speed are noise, and each change costs time.
    guard (next - tempo).magnitude > 1e-6 * next else { return nil }
    tempo = next
    return next
  }
}
