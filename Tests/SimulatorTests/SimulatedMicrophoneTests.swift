import AudioModel
import CameraModel
import Microphones
import Platform
import Simulator
import Testing
import Timebase

@Suite("The simulated microphone")
struct SimulatedMicrophoneTests {
  private static let start = Instant(nanoseconds: 1_000_000_000)

  /// The audio of a microphone for `seconds`, as 16 bits of one channel, with each mark.
  private func hear(
    _ address: String, beside camera: String = "sim:", seconds: Double, step: Duration = .milliseconds(5)
  ) throws -> (samples: [Int16], marks: [(AudioMark, delivered: Int64)], arrivals: [AudioArrival]) {
    let clock = VirtualClock(at: Self.start)
    let simulated = SimulatedCamera(faults: try SimulatedCameraAddress(text: camera).faults, clock: clock)
    _ = try simulated.start(
      format: .yuyv, width: 640, height: 480, interval: FrameInterval(1, 240), startingAt: Self.start)
    let microphone = SimulatedMicrophone(
      faults: try SimulatedMicrophoneFaults(address: address), hearing: simulated.exposures, clock: clock)
    let stream = microphone.start()
    try stream.begin()
    var samples: [Int16] = []
    var marks: [(AudioMark, delivered: Int64)] = []
    var arrivals: [AudioArrival] = []
    while clock.now < Self.start + .seconds(seconds) {
      clock.advance(by: step)
      while true {
        let arrival = try stream.next(within: .zero) { bytes in
          for place in stride(from: 0, to: bytes.count, by: 2) {
            samples.append(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int16.self)))
          }
        }
        if arrival == .nothing { break }
        arrivals.append(arrival)
        if case .samples(_, let mark) = arrival { marks.append((mark, Int64(samples.count))) }
      }
    }
    return (samples, marks, arrivals)
  }

  private func onsets(_ samples: [Int16]) -> [Int] {
    var (onsets, loud) = ([Int](), -2000)
    for (index, sample) in samples.enumerated() where sample.magnitude > 1600 {
      if index - loud > 2000 { onsets.append(index) }
      loud = index
    }
    return onsets
  }

  @Test("hears a click with every 120th frame, to the sample", arguments: [-500.0, 0, 500])
  func clicks(drift: Double) throws {
    let (samples, _, _) = try hear("sim:,channels=1,drift=\(drift)ppm", seconds: 10)
    let rate = 48_000 * (1 + drift / 1e6)
    let expected = (0..<20).map { number -> Int in
      Int(((Double(number * 120 + 1) / 240) * rate).rounded(.up)) + 1
    }.filter { $0 < samples.count }
    let heard = onsets(samples)
    #expect(heard.count == expected.count)
    // The time of an exposure is rounded to a nanosecond.
    #expect(zip(heard, expected).allSatisfy { ($0 - $1).magnitude <= 1 })
    #expect(samples.map(\.magnitude).max().map { (16_300...16_500).contains($0) } == true)
    let quiet = samples[3000..<20_000].reduce(0.0) { $0 + Double($1) * Double($1) } / 17_000
    #expect((quiet.squareRoot() / 32.768 - 1).magnitude < 0.05)
  }

  @Test("follows the exposures of a camera that jitters and pauses")
  func faults() throws {
    let (samples, _, _) = try hear(
      "sim:,channels=1", beside: "sim:,stall=700ms@100,jitter=2ms", seconds: 3)
    let heard = onsets(samples).map { Double($0) / 48_000 }
    let expected = [1.0 / 240, 121.0 / 240 + 0.7, 241.0 / 240 + 0.7, 361.0 / 240 + 0.7, 481.0 / 240 + 0.7]
    #expect(heard.count == 5)
    #expect(zip(heard, expected).allSatisfy { $0 - $1 > 0 && $0 - $1 < 0.0022 })
  }

  @Test("states when it heard the samples that it delivers, even late and after a loss")
  func marks() throws {
    let (samples, marks, arrivals) = try hear(
      "sim:,channels=1,late=20ms,drop=1s-1.1s+1.5s-1.6s", seconds: 2.5)
    #expect(samples.count < 48_000 * 23 / 10)
    for (mark, _) in marks {
      let seconds = (mark.time - Self.start) / .seconds(1)
      let lost = seconds > 1.6 ? 9600 : seconds > 1.1 ? 4800 : 0
      #expect((seconds * 48_000 - Double(mark.sampleCount) - Double(lost)) < 2, "at \(seconds) s")
      #expect((seconds * 48_000 - Double(mark.sampleCount) - Double(lost)) > -2, "at \(seconds) s")
    }
    #expect(!arrivals.contains(.restarted))
    let (_, _, told) = try hear("sim:,channels=1,overrun=1s-1.1s", seconds: 2)
    #expect(told.count { $0 == .restarted } == 1)
  }

  @Test("is unplugged at the given time")
  func disconnect() {
    let error = #expect(throws: OvercrankError.self) { try hear("sim:,disconnect=1s", seconds: 2) }
    #expect(error?.code == .disconnected)
  }

  @Test(
    "reports what is wrong with its address",
    arguments: [
      "sim:x", "sim:,", "sim:,drift=5", "sim:,drift=1e9ppm", "sim:,drop=2s-1s", "sim:,rate=1",
      "sim:,channels=0",
      "sim:,format=u8", "sim:,late=1s,late=2s", "sim:,nonsense=1",
    ])
  func badAddress(_ text: String) {
    #expect(throws: QuantityError.self) { try SimulatedMicrophoneFaults(address: text) }
  }
}
