import Testing
import Timebase

@testable import Simulator

@Suite struct SimulatedFaultsTests {
  @Test func withoutKeysThereAreNoFaults() throws {
    #expect(try SimulatedFaults(text: "") == SimulatedFaults())
  }

  @Test func everyKeyIsRead() throws {
    let text =
      "drop=100-109+200,corrupt=50,flagged=2%+7,huffman=missing,jitter=1ms,rate=119.88,"
      + "stall=2s@100,disconnect=300,fail=100:2,scene=3s,buffers=3,stream=a b.webm,seed=9"
    let faults = try SimulatedFaults(text: text)
    #expect(faults.dropped == FrameSelection([100...109, 200...200]))
    #expect(faults.corrupt == FrameSelection([50...50]))
    #expect(faults.flagged == FrameSelection([7...7], perMillion: 20_000))
    #expect(!faults.huffmanTables)
    #expect(faults.jitter == .milliseconds(1))
    #expect(faults.rate?.framesPerSecond == Fraction(2997, 25))
    #expect(faults.stall == SimulatedFaults.Stall(frame: 100, duration: .seconds(2)))
    #expect(faults.disconnect == 300)
    #expect(faults.failure == SimulatedFaults.DriverFailure(frame: 100, restarts: 2))
    #expect((0...3).map { faults.failure?.frame(ofStart: $0) } == [100, 0, 0, nil])
    #expect(faults.sceneDuration == .seconds(3))
    #expect(faults.otherSceneBegins(interval: Fraction(1, 240)) == 720)
    #expect(faults.bufferCount == 3)
    #expect(faults.conditions(interval: Fraction(1, 240)).recording == "a b.webm")
    #expect(faults.seed == 9)
  }

  @Test(arguments: ["dorp=1", "drop", "=1", "drop=1,", ",drop=1", "DROP=1", "drop =1"])
  func unknownKeyIsNamedWithTheKnownOnes(text: String) {
    let error = #expect(throws: QuantityError.self) { _ = try SimulatedFaults(text: text) }
    let message = error?.description ?? ""
    for key in [
      "drop=", "corrupt=", "flagged=", "huffman=", "jitter=", "rate=", "stall=", "disconnect=", "buffers=",
      "seed=",
    ] {
      #expect(message.contains(key))
    }
    #expect(message.contains("\"\(text.split(separator: ",").first { !$0.contains("drop=1") } ?? "")\""))
  }

  @Test(arguments: [
    "drop=", "drop=9-3", "drop=a", "drop=-1", "drop=1-2-3", "drop=1++2", "drop=1+", "drop=101%", "drop=%",
    "drop=-1%", "drop=4294967296", "drop= 1", "corrupt=x", "flagged=1,2", "huffman=present", "huffman=",
    "jitter=fast", "jitter=-1ms", "rate=0", "rate=x", "stall=2s", "stall=@5", "stall=2s@", "stall=2s@5@6",
    "stall=2s@x", "fail=", "fail=x", "fail=1:", "fail=1:-1", "fail=1:2:3", "scene=x", "disconnect=",
    "disconnect=-1", "disconnect=1-2", "buffers=0", "buffers=33", "buffers=x", "stream=",
    "seed=-1", "seed=x",
  ])
  func anInvalidValueIsRefusedWithItsPair(text: String) {
    let error = #expect(throws: QuantityError.self) { _ = try SimulatedFaults(text: text) }
    // A comma ends a pair, so the second one is the wrong one there.
    #expect(error?.text == (text == "flagged=1,2" ? "2" : text))
  }

  @Test func aKeyIsWrittenOnce() {
    let error = #expect(throws: QuantityError.self) { _ = try SimulatedFaults(text: "drop=1,seed=2,drop=3") }
    #expect(error?.text == "drop=3")
  }

  @Test(arguments: [
    ("sim:", "", false), ("sim:,drop=1", "", true), ("sim:imx477", "imx477", false),
    ("sim:elp-usb,drop=1", "elp-usb", true),
  ])
  func anAddressIsANameAndFaults(text: String, name: String, drops: Bool) throws {
    let address = try SimulatedCameraAddress(text: text)
    #expect(address.name == name)
    #expect(address.faults.dropped.ranges == (drops ? [1...1] : []))
  }

  @Test(arguments: ["", "sim", "/dev/video0", "SIM:", "sim:a,b", "sim:a,drop"])
  func anInvalidAddressIsRefused(text: String) {
    #expect(throws: QuantityError.self) { _ = try SimulatedCameraAddress(text: text) }
  }

  @Test func namedFramesAndChanceComeTogether() {
    let noise = FrameNoise(seed: 0, stream: 1)
    let selection = FrameSelection([3...5, 900...900], perMillion: 100_000)
    let picked = (Int64(0)..<10_000).filter { selection.contains($0, noise: noise) }
    #expect(Set(picked).isSuperset(of: [3, 4, 5, 900]))
    #expect((850...1150).contains(picked.count))
    let others = (Int64(0)..<10_000).filter { selection.contains($0, noise: FrameNoise(seed: 0, stream: 2)) }
    #expect(picked != others)
  }
}
