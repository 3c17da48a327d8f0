import Platform
import AudioModel
import CameraModel
import FrameJudge
import Foundation
import Microphones
import Takes
import Testing
import Timebase

@testable import Capture

@Suite("Audio recorded with the picture", .tags(.program), .timeLimit(.minutes(1)))
struct AudioSessionTests {
  /// Returns the distance of each click in a master from its frame, in seconds of capture time: by the take's
  /// offset and measured rate, and by the numbers in the frames' strips.
  private func errors(_ master: String, _ recording: Recording) throws -> [Double] {
    let audio = try audio(of: recording)
    let rate = try #require(audio.measuredRate)
    let clicks = try HeardClicks(master, rate: audio.nominalRate)
    #expect(Int64(clicks.sampleCount) == audio.samples)
    let start = try #require(recording.accounting.timestamps.first)
    let strips = try stripNumbers(inMaster: master)
    let frames = zip(strips, recording.accounting.timestamps).compactMap { number, time -> Double? in
      number.map { $0 % 120 == 0 } == true ? (time - start) / .seconds(1) : nil
    }
    let offset = audio.offset / .seconds(1)
    // Each click has a frame, and each such frame a click unless the click was lost.
    return try clicks.onsets.map { onset in
      // A sine rises from zero, so it is detected one sample after its start.
      let time = offset + Double(onset - 1) / rate
      return time - (try #require(frames.min { ($0 - time).magnitude < ($1 - time).magnitude }))
    }
  }

  private func audio(of recording: Recording) throws -> Take.Audio {
    let start = try #require(recording.accounting.timestamps.first)
    return Take.Audio(try #require(recording.audio), from: start)
  }

  private func check(_ errors: [Double], worst: Double = 0.002) {
    let mean = errors.reduce(0, +) / Double(max(1, errors.count))
    #expect(mean.magnitude < 0.001, "mean \(mean * 1000) ms")
    let most = errors.map(\.magnitude).max() ?? 0
    #expect(most < worst, "worst \(most * 1000) ms")
  }

  @Test(
    "stays in sync for a minute, whatever the microphone's clock and format",
    arguments: [
      "sim:,channels=1", "sim:,drift=500ppm,format=s24",
      "sim:,drift=-500ppm,rate=44100,format=s32,channels=1",
      "sim:,late=20ms,format=float,drift=120ppm", "sim:,rate=96000,channels=4",
    ])
  func minute(_ microphone: String) throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(
      interval: FrameInterval(1, 120), microphone: microphone,
      plan: SessionPlan(limit: RecordingLimit(duration: .seconds(60)))
    ) { folder.path("\($0).nut") }
    while !stage.isDone { try stage.advance(by: .milliseconds(10)) }
    let recording = try #require(stage.ended.first).get()
    #expect(recording.accounting.written == 7200 && recording.accounting.ledger.total == 0)
    let audio = try audio(of: recording)
    #expect(audio.lost.isEmpty)
    #expect((audio.offset / .seconds(1)).magnitude < 0.001)
    #expect((Double(audio.samples) / (audio.measuredRate ?? 0) - 60).magnitude < 0.0005)
    let drift =
      microphone.contains("-500")
      ? -500.0 : microphone.contains("500") ? 500 : microphone.contains("120ppm") ? 120 : 0
    #expect(try #require(audio.drift).distance(to: drift).magnitude < 2)
    let errors = try errors(folder.path("1.nut"), recording)
    #expect(errors.count == 60)
    check(errors, worst: 0.0002)
  }

  @Test("stays in sync for ten minutes")
  func tenMinutes() throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(
      interval: FrameInterval(1, 24), microphone: "sim:,channels=1,drift=500ppm,late=20ms",
      plan: SessionPlan(limit: RecordingLimit(duration: .seconds(600)))
    ) { folder.path("\($0).nut") }
    while !stage.isDone { try stage.advance(by: .milliseconds(50)) }
    let recording = try #require(stage.ended.first).get()
    let errors = try errors(folder.path("1.nut"), recording)
    #expect(errors.count == 120)
    check(errors, worst: 0.0002)
  }

  @Test(
    "stays in sync after lost samples, which become silence of the same length",
    arguments: ["drop=2s-2.1s+7s-7.012s", "overrun=2s-2.1s+7s-7.012s", "drop=0.4s-0.5s+3s-8s,late=20ms"],
    [0, 500])
  func losses(_ fault: String, _ drift: Int) throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(
      microphone: "sim:,channels=1,drift=\(drift)ppm,\(fault)",
      plan: SessionPlan(limit: RecordingLimit(duration: .seconds(12)))
    ) { folder.path("\($0).nut") }
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect(recording.accounting.written == 2880)
    let audio = try audio(of: recording)
    #expect(audio.lost.count == 2)
    let expected = fault.contains("0.4s") ? [0.1, 5] : [0.1, 0.012]
    let starts = fault.contains("0.4s") ? [0.4, 3.0] : [2, 7]
    for ((loss, seconds), start) in zip(zip(audio.lost, expected), starts) {
      // The longer the gap, the greater the effect of the rate's error of some parts per million.
      #expect((Double(loss.samples) / 48_000 - seconds).magnitude < 0.0005 + seconds * 0.0006)
      let time = (loss.time - SessionStage.start) / .seconds(1)
      #expect((time - start).magnitude < 0.002, "lost at \(time) s")
    }
    let silences = try HeardClicks(folder.path("1.nut")).silences
    #expect(silences.map { Int64($0.count) } == audio.lost.map(\.samples))
    let errors = try errors(folder.path("1.nut"), recording)
    #expect(errors.count >= 13)
    check(errors)
  }

  @Test("covers the pre-roll for as long as the pictures do, in every take")
  func preRoll() throws {
    let folder = try TemporaryFolder()
    let plan = SessionPlan(
      preRoll: .seconds(2), limit: RecordingLimit(duration: .seconds(1)), takeCount: 3)
    var stage = try SessionStage(
      ring: 16 << 20, microphone: "sim:,channels=1,late=30ms", plan: plan
    ) { folder.path("\($0).nut") }
    for take in 0..<3 {
      // The second take begins immediately after the first, the third a while later.
      for _ in 0..<(take == 1 ? 205 : 1000) { try stage.advance(by: .milliseconds(5)) }
      stage.commands.trigger(TriggerEvent(.signal, at: stage.now))
    }
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    for number in 1...3 {
      let recording = try #require(stage.ended.dropFirst(number - 1).first).get()
      let audio = try audio(of: recording)
      #expect(audio.lost.isEmpty, "take \(number)")
      #expect((audio.offset / .seconds(1)).magnitude < 0.001)
      let length = Double(recording.accounting.written) / 240
      #expect((Double(audio.samples) / 48_000 - length).magnitude < 0.001, "take \(number)")
      check(try errors(folder.path("\(number).nut"), recording), worst: 0.0002)
    }
  }

  @Test("is silence once the microphone stops, and the picture loses nothing")
  func unplugged() throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(
      microphone: "sim:,channels=1,drop=1s-100s",
      plan: SessionPlan(limit: RecordingLimit(duration: .seconds(5)))
    ) { folder.path("\($0).nut") }
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect(recording.accounting.written == 1200 && recording.accounting.ledger.total == 0)
    let audio = try audio(of: recording)
    #expect(audio.samples.distance(to: 5 * 48_000).magnitude < 5)
    #expect(audio.lost.count == 1 && audio.lost[0].samples.distance(to: 4 * 48_000 + 200).magnitude < 300)
  }

  @Test(
    "is as long as the picture, whatever times the device reports", arguments: WrongClock.Fault.allCases)
  fileprivate func wrongClocks(_ fault: WrongClock.Fault) throws {
    let folder = try TemporaryFolder()
    var stage = try SessionStage(
      microphone: "sim:,channels=1", through: { WrongClock($0, fault) },
      plan: SessionPlan(limit: RecordingLimit(duration: .seconds(3)))
    ) { folder.path("\($0).nut") }
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect(recording.accounting.written == 720 && recording.accounting.ledger.total == 0)
    let audio = try audio(of: recording)
    #expect(Int64(try HeardClicks(folder.path("1.nut"), rate: 48_000).sampleCount) == audio.samples)
    // A device's error may add at most a tenth of the take plus a tenth of a second.
    #expect(
      audio.samples >= 3 * 48_000 - 100 && audio.samples <= 33 * 4800 + 4800 + 10, "\(audio.samples) samples")
    #expect(audio.lost.reduce(0) { $0 + $1.samples } <= audio.samples)
    let again = try JSONDecoder().decode(Take.Audio.self, from: JSONEncoder().encode(audio))
    #expect(again == audio)
  }

  @Test("of a saved part of a reviewed take covers exactly that part")
  func review() throws {
    let folder = try TemporaryFolder()
    let plan = SessionPlan(preRoll: .seconds(3), limit: RecordingLimit(duration: .seconds(1)), takeCount: nil)
    var stage = try SessionStage(
      ring: 16 << 20, microphone: "sim:,channels=1", plan: plan
    ) { folder.path("\($0).nut") }
    for _ in 0..<1000 { try stage.advance(by: .milliseconds(5)) }
    stage.commands.send(.review)
    for _ in 0..<100 { try stage.advance(by: .milliseconds(5)) }
    let end = SessionStage.start + .seconds(4.5)
    stage.commands.send(.save(TakePart(start: end - .seconds(2), end: end)))
    for _ in 0..<10 { try stage.advance(by: .milliseconds(5)) }
    try stage.stop()
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect(recording.accounting.written == 480)
    let audio = try audio(of: recording)
    #expect(audio.lost.isEmpty)
    #expect(audio.samples.distance(to: 2 * 48_000).magnitude < 10)
    check(try errors(folder.path("1.nut"), recording), worst: 0.0002)
  }

  private func stretch(_ bytes: [UInt8], at time: Instant, _ format: AudioFormat) -> AudioStretch {
    AudioStretch(bytes: bytes, format: format, position: 0, time: time, rate: Double(format.rate))
  }

  @Test("reaches a tap, with its level")
  func tap() throws {
    let tap = AudioTap(minimumInterval: .milliseconds(100))
    let taps = TapList<AudioTap>()
    taps.add(tap)
    let format = try #require(AudioFormat(.s16, rate: 48_000, channels: 2))
    let bytes = [UInt8](repeating: 0, count: 4) + [0, 0x40, 0, 0xe0]
    taps.offer(stretch(bytes, at: Instant(nanoseconds: 5), format))
    taps.offer(stretch([1, 1, 1, 1], at: Instant(nanoseconds: 6), format))
    let glimpse = try #require(tap.poll())
    #expect(glimpse.time == Instant(nanoseconds: 5))
    #expect(glimpse.levels.map(\.peak) == [0.5, 0.25])
    #expect((glimpse.levels[0].mean - 0.5 / 2.0.squareRoot()).magnitude < 1e-9)
    taps.offer(stretch([1, 1, 1, 1], at: Instant(nanoseconds: 7), format))
    #expect(tap.poll() == nil)
    taps.offer(stretch([1, 1, 1, 1], at: Instant(nanoseconds: 100_000_005), format))
    #expect(tap.poll() != nil)
    taps.close()
    #expect(tap.next() == nil)
  }
}

/// A microphone with correct samples, and with a clock that is wrong after the first second.
private final class WrongClock: AudioStream {
  enum Fault: String, CaseIterable, CustomTestStringConvertible {
    case timesAnHourLater, timesAnHourEarlier, numbersJump, numbersFallBack, everythingJumps, tenTimesAsMany

    var testDescription: String { rawValue }
  }

  private let stream: any AudioStream
  private let fault: Fault
  private var first: Instant?
  private var count: Int64 = 0

  init(_ stream: any AudioStream, _ fault: Fault) {
    self.stream = stream
    self.fault = fault
  }

  var format: AudioFormat { stream.format }
  func begin() throws(OvercrankError) { try stream.begin() }
  func stop() { stream.stop() }

  func next(
    within timeout: Duration, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(OvercrankError) -> AudioArrival {
    var bytes: [UInt8] = []
    guard case .samples(let samples, var mark) = try stream.next(within: timeout, { bytes = Array($0) })
    else {
      return .nothing
    }
    first = first ?? mark.time
    var given = samples
    if let first, mark.time - first >= .seconds(1) {
      switch fault {
      case .timesAnHourLater: mark.time += .seconds(3600)
      case .timesAnHourEarlier: mark.time -= .seconds(3600)
      case .numbersJump: mark.sampleCount += 1 << 40
      case .numbersFallBack: mark.sampleCount -= 1 << 40
      case .everythingJumps:
        mark.time += .seconds(3600)
        mark.sampleCount += 48_000 * 3600
      case .tenTimesAsMany:
        bytes = Array(repeating: bytes, count: 10).flatMap(\.self)
        given = samples * 10
        count += Int64(samples * 9)
      }
    }
    mark.sampleCount += count
    bytes.withUnsafeBytes(body)
    return .samples(given, mark)
  }
}
