import AudioModel
import Testing

@Suite("Audio formats")
struct AudioFormatTests {
  @Test("accept only values that devices have")
  func bounds() {
    #expect(AudioFormat(.s16, rate: 0, channels: 1) == nil)
    #expect(AudioFormat(.s16, rate: 48_000, channels: 0) == nil)
    #expect(AudioFormat(.s16, rate: 48_000, channels: 65) == nil)
    #expect(AudioFormat(.s16, rate: .max, channels: 2) == nil)
    let format = AudioFormat(.s24, rate: 44_100, channels: 2)
    #expect(format?.sampleBytes == 6)
    #expect(format?.sampleCount(in: .seconds(1)) == 44_100)
    #expect(format?.duration(of: 441) == .milliseconds(10))
    #expect(format?.description == "44100 Hz, stereo, s24")
  }
}
