import FrameJudge
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Media

@Suite("Audio that plays backwards") struct TurnedAudioTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Audio whose samples are their own numbers, negative in the second channel.
  private final class Numbers: AudioFlow {
    let channelCount: Int
    private(set) var next = 0

    init(channelCount: Int) { self.channelCount = channelCount }

    func read(_ count: Int) -> AudioSamples {
      var samples = AudioSamples(channelCount: channelCount)
      samples.set { channel in (next..<next + count).map { Float(channel == 0 ? $0 : -$0) } }
      next += count
      return samples
    }
  }

  /// Returns a turn after `start` samples, around `mirror`.
  private func turn(
    _ start: Int, _ mirror: Int, _ check: @escaping @Sendable () throws(OvercrankError) -> Void = {}
  ) -> AudioTurn {
    AudioTurn(
      start: Fraction(Int64(start), 48_000), mirror: Fraction(Int64(mirror), 48_000), duration: Fraction(1),
      folder: FilePath(folder.url.path), checkCancellation: check)
  }

  private func read(_ audio: TurnedAudio, _ count: Int, by step: Int) throws -> [[Float]] {
    var samples = AudioSamples(channelCount: audio.channelCount)
    while samples.count < count { samples.append(try audio.read(min(step, count - samples.count))) }
    return samples.channels
  }

  @Test("is the mirror image of the audio that plays forwards", arguments: [1, 2], [1, 7, 1024])
  func reverse(_ channelCount: Int, _ step: Int) throws {
    let source = Numbers(channelCount: channelCount)
    let heard = try read(try TurnedAudio(source, turn(0, 5000)), 5000, by: step)
    let expected = (0..<5000).reversed().map { Float($0) }
    #expect(heard == (0..<channelCount).map { channel in channel == 0 ? expected : expected.map { -$0 } })
    #expect(source.next == 5000)
  }

  @Test(
    "there and back turns without a jump, also in the middle of a sample",
    arguments: [1000, 1001], [1, 7, 1024])
  func bounce(_ mirror: Int, _ step: Int) throws {
    let heard = try read(
      try TurnedAudio(Numbers(channelCount: 1), turn((mirror + 1) / 2, mirror)), mirror, by: step)[0]
    #expect(heard == (0..<mirror).map { Float(min($0, mirror - 1 - $0)) })
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test("has silence after the first sample")
  func end() throws {
    let heard = try read(try TurnedAudio(Numbers(channelCount: 1), turn(0, 3)), 5, by: 2)
    #expect(heard == [[2, 1, 0, 0, 0]])
  }

  @Test("stops while it is read ahead if the clip is cancelled, and leaves no file")
  func cancelled() throws {
    let audio = try TurnedAudio(
      Numbers(channelCount: 1),
      turn(0, 1 << 20) { () throws(OvercrankError) in throw OvercrankError(.cancelled, "stopped") })
    let error = #expect(throws: OvercrankError.self) { _ = try audio.read(10) }
    #expect(error?.code == .cancelled)
    #expect(try folder.names.isEmpty)
  }

  @Test("pauses where the clip stands still, however it is read", arguments: [1, 64, 5000])
  func paused(_ step: Int) throws {
    let course = AudioTimeMap(
      parts: [AudioTimeMap.Part(start: 0)],
      stretches: [AudioTimeMap.Stretch(keptStart: 0, clipStart: 0, speed: 1, change: 0)],
      pauses: [AudioTimeMap.Pause(clipStart: 0.02, duration: 0.01)])
    let audio = PausedAudio(Numbers(channelCount: 1), course)
    var samples = AudioSamples(channelCount: 1)
    while samples.count < 2000 { samples.append(try audio.read(min(step, 2000 - samples.count))) }
    let heard = samples.channels[0]
    #expect(heard[..<840] == (0..<840).map { Float($0) }[...])
    #expect(heard[960..<1440].allSatisfy { $0 == 0 })
    #expect(heard[1560...] == (1080..<1520).map { Float($0) }[...])
  }
}
