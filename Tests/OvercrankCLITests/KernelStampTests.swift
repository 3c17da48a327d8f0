import FrameJudge
import Foundation
import Takes
import Testing
import Timebase

@Suite(
  "Triggers that the kernel stamps, with its own camera", .serialized, .tags(.kernel),
  .enabled(if: KernelCameras.areExpected, "only the test machine has gpio-sim"), .timeLimit(.minutes(15)))
struct KernelStampTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records two takes around a trigger.
  private func record(
    _ trigger: String, _ arguments: String..., whileRunning: (Process) throws -> Void
  ) throws -> [Take] {
    let node = try #require(KernelCameras.vivid)
    let events = folder.path("events.ndjson")
    let run = try OvercrankProgram(
      [
        "record", node, "--fps", "30", "--max-width", "320", "--trigger", trigger, "--pre", "300ms", "--post",
        "200ms", "--takes", "2", "--no-clip", "--no-thumbnail", "--events", events, "-o",
        folder.path("x.mp4"),
      ] + arguments
    ) { process in
      while process.isRunning,
        (try? String(contentsOfFile: events, encoding: .utf8).contains("\"armed\"")) != true
      {
        usleep(50_000)
      }
      try whileRunning(process)
    }
    try #require(run.status == 0, "\(run.errors)")
    return try ["x-1", "x-2"].map { name in
      let take = try folder.take(name)
      try checkTriggered(take, pre: .milliseconds(300), post: .milliseconds(200))
      // vivid's frames have the clock of the stamps, so the trigger has one time.
      #expect(take.clock == .monotonic && take.trigger?.frameTime == take.trigger?.time)
      return take
    }
  }

  private func wait(for name: String, of process: Process) {
    while process.isRunning, !FileManager.default.fileExists(atPath: folder.path(name)) { usleep(50_000) }
  }

  @Test(
    "a key begins a take at its stamp, also after its device was unplugged; other keys and repetitions do not"
  )
  func key() throws {
    let pedal = try SoftwarePedal()
    var presses: [Instant] = []
    let takes = try record("input=Test Pedal,key:KEY_B") { process in
      _ = try pedal.press(SoftwarePedal.keyA)
      presses = [try pedal.hold(SoftwarePedal.keyB)]
      wait(for: "x-1.take.json", of: process)
      try pedal.replug()
      // The program looks for it once a second.
      while process.isRunning, !FileManager.default.fileExists(atPath: folder.path("x-2.take.json")) {
        presses.append(try pedal.press(SoftwarePedal.keyB))
        usleep(300_000)
      }
    }
    #expect(takes[0].trigger?.time == presses[0] && takes[0].trigger?.extensions == [])
    let second = try #require(takes[1].trigger)
    #expect(presses.dropFirst().contains { $0 == second.time }, "\(presses), \(second)")
    #expect(second.extensions.allSatisfy(presses.contains), "\(presses), \(second)")
    for take in takes {
      // A microsecond is the resolution of these stamps.
      #expect(take.trigger?.kind == "input" && take.trigger?.uncertainty == .microseconds(1))
    }
  }

  @Test(
    "an edge begins a take when its interrupt is handled, and a pulse of 10 ms follows; the other edge does not",
    arguments: [false, true])
  func edge(isFalling: Bool) throws {
    let gpio = try SimulatedGPIO()
    let line = isFalling ? "\(SimulatedGPIO.label):0,falling" : "\(gpio.chip):0"
    let pulse = "gpio=\(SimulatedGPIO.label):\(SimulatedGPIO.secondLine)"
    let takes = try record("gpio=\(line)", "--pulse", pulse) { process in
      try gpio.trace(interruptsOf: "overcrank")
      #expect(try !gpio.isSecondLineHigh)
      // In one of the cases, as programs start slowly in an emulated machine.
      for option in isFalling ? [] : ["--trigger", "--pulse"] {
        let second = try OvercrankProgram(
          "record", SmallCamera.inVirtualTime(), option, option == "--pulse" ? pulse : "gpio=\(line)", "-o",
          folder.path("y.mp4"))
        #expect(second.status == 75 && second.errors.contains("in use by \"overcrank\""), "\(second.errors)")
      }
      for number in 1...2 {
        try gpio.pull(up: isFalling)
        try gpio.pull(up: !isFalling)
        wait(for: "x-\(number).take.json", of: process)
      }
    }
    let (interrupts, outputs) = (try gpio.interrupts, try gpio.outputs)
    try #require(interrupts.count == 2 && outputs.map(\.isHigh) == [true, false, true, false], "\(outputs)")
    for (number, (take, interrupt)) in zip(takes, interrupts).enumerated() {
      let trigger = try #require(take.trigger)
      #expect(trigger.kind == "gpio" && trigger.uncertainty == .nanoseconds(1) && trigger.extensions == [])
      let time = try #require(trigger.time)
      #expect(interrupt.contains(time), "\(time), \(interrupt)")
      let (rise, fall) = (outputs[2 * number].time, outputs[2 * number + 1].time)
      #expect(rise > time && fall - rise >= .milliseconds(10) - .microseconds(1), "\(rise), \(fall)")
    }
  }
}
