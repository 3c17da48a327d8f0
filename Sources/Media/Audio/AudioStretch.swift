import Platform
internal import CLibAV
import Glibc

/// Audio played slower or faster with its pitch kept, by a stretcher of libavfilter's.
///
/// A stretcher puts a piece of audio where its beginning belongs; so the source begins early, and it is the middles of
/// pieces that come to lie where they belong. Along changing speeds it begins by ``AudioStretcher/reach`` early, and as much
/// is left out of what comes out; at one speed throughout, by the difference alone.
final class AudioStretch: AudioFlow {
  private let source: any AudioFlow
  private let stretcher: AudioStretcher
  private let filters: FilterGraph
  private let frame: Picture
  private var pace: AudioPace?
  /// Samples given to the filters, and got from them.
  private var (given, got) = (0, 0)
  /// Samples that come out before the clip begins.
  private let surplus: Int
  private var ready: AudioSamples

  /// The audio of `source`, which begins by ``AudioStretcher/lead(_:)`` before the clip, by `course`.
  init(_ source: any AudioFlow, _ course: AudioCourse, _ stretcher: AudioStretcher) throws(OvercrankError) {
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

  /// Gives the filters the next piece, and its speed.
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
/// It works at the speed of the moment, some pieces behind what it is given, and its own account of that is lost where
/// speeds jump. So each millisecond it is told the speed of where it is, and a little more or less where what has come out
/// is not what should have.
private struct AudioPace {
  /// Samples of the film's audio that are given at one speed.
  static let step = 64
  /// How far what comes out lags behind what goes in, in samples that go in: from 780 at 1/10 to 860 at 1 (measured).
  private static let lag = 832
  /// How far it may be out of step without correction, in samples that come out; less than the lag varies.
  private static let tolerance = 100.0
  /// In how many samples of what comes out the rest is made good, were nothing else to happen.
  private static let patience = 2400.0
  /// The most by which a speed is changed for that.
  private static let most = 1.25

  private let course: AudioCourse
  private var tempo = 0.0

  init(_ course: AudioCourse) { self.course = course }

  /// The speed for the next samples after as many went in and came out; `nil` where it stays.
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
    // The last digits of one speed throughout are noise, and each change costs.
    guard (next - tempo).magnitude > 1e-6 * next else { return nil }
    tempo = next
    return next
  }
}
