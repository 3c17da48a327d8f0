import AudioModel
import Foundation
import Testing
import Timebase

@testable import Takes

@Suite("The accounting of a take's audio")
struct AudioAccountingTests {
  private func accounting() throws -> AudioAccounting {
    AudioAccounting(
      AudioInput(device: "hw:1,0", format: try #require(AudioFormat(.s16, rate: 48_000, channels: 2))))
  }

  @Test("joins consecutive losses, separates others, and counts all as samples of the master")
  func losses() throws {
    var accounting = try accounting()
    accounting.enterWritten(100, at: Instant(nanoseconds: 0))
    for count: Int64 in [10, 0, 5] { accounting.enterLost(count) }
    accounting.enterWritten(100, at: Instant(nanoseconds: 2_500_000))
    accounting.enterLost(1)
    #expect(accounting.gaps == [.init(start: 100, count: 15), .init(start: 215, count: 1)])
    #expect(accounting.sampleCount == 216)
  }

  @Test("places audio that never arrived at times by the device's rate")
  func unheard() throws {
    var accounting = try accounting()
    accounting.enterLost(24_000)
    let audio = Take.Audio(accounting, from: Instant(nanoseconds: 1_000))
    #expect(audio.lost == [.init(time: Instant(nanoseconds: 1_000), samples: 24_000)])
    #expect(audio.measuredRate == nil && audio.drift == nil && audio.offset == .zero)
  }

  @Test("has the drift: how much faster the device is than its nominal rate, in millionths")
  func drift() throws {
    var audio = Take.Audio(try accounting(), from: Instant(nanoseconds: 0))
    audio.measuredRate = 48_004.8
    #expect(abs(try #require(audio.drift) - 100) < 1e-6)
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(audio)) as? [String: Any]
    #expect(
      Set(try #require(json).keys) == [
        "device", "format", "channels", "nominal_rate", "measured_rate", "drift_ppm", "offset_ns", "samples",
        "lost",
      ])
  }
}
