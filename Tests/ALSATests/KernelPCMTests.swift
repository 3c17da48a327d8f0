import AudioModel
import FilmJudge
import Foundation
import SystemPackage
import Testing
import Timebase

@testable import ALSA

/// The kernel's own audio devices: snd-aloop, whose clock can be set off, and snd-dummy.
enum KernelAudio {
  /// Loads a module anew, with parameters; needs root, as in script/vm.
  static func load(_ module: String, _ parameters: String...) throws {
    _ = try? Program.run("modprobe", ["-r", module])
    try Program.run("modprobe", [module] + parameters)
    // The nodes come a moment later.
    try Program.run("sleep", ["1"])
  }

  /// Sets the clock of what is recorded from device 1 of snd-aloop: 100000 is right, less is faster.
  static func setLoopbackRate(_ shift: Int) throws {
    try Program.run(
      "amixer",
      ["-q", "-c", "Loopback", "cset", "iface=PCM,name='PCM Rate Shift 100000',device=1", "\(shift)"])
  }
}

@Suite(
  "The kernel's audio devices", .serialized, .tags(.kernel),
  .enabled(if: KernelCameras.areExpected, "this machine may have audio of its own"))
struct KernelPCMTests {
  @Test(
    "a microphone whose clock is off is found out to 20 millionths", arguments: [99_950, 100_000, 100_050])
  func drift(_ shift: Int) throws {
    try KernelAudio.load("snd-aloop", "pcm_substreams=1")
    try KernelAudio.setLoopbackRate(shift)
    let device = try CapturePCM("hw:Loopback,1")
    #expect(device.stampsMonotonic)
    var fit = AudioClockFit(nominalRate: device.format.rate)
    var delivered: Int64 = 0
    try device.start()
    while fit.span < 30 {
      _ = try device.next(within: .seconds(1)) { bytes, waiting, time in
        delivered += Int64(bytes.count / device.format.sampleBytes)
        fit.enter(AudioMark(time: time, sampleCount: delivered + Int64(waiting)))
      }
    }
    device.stop()
    let expected = (100_000 / Double(shift) - 1) * 1e6
    #expect((fit.drift - expected).magnitude < 20, "\(fit.drift) where \(expected) was set")
  }

  @Test("a device serves one program; one that is overrun is started again; one that goes says so")
  func life() throws {
    try KernelAudio.load("snd-dummy", "pcm_substreams=1")
    let device = try CapturePCM("hw:Dummy", buffer: .milliseconds(200))
    let busy = #expect(throws: ALSAError.self) { try CapturePCM("hw:Dummy") }
    #expect(busy?.code == .busy)
    try device.start()
    var heard = 0
    while heard < device.format.rate / 2 {
      if case .samples(let count) = try device.next(within: .seconds(1), { _, _, _ in }) { heard += count }
    }
    // Nobody takes what comes for longer than the buffer lasts.
    try Program.run("sleep", ["1"])
    var outcomes: [CapturePCM.Outcome] = []
    while outcomes.count < 20 { outcomes.append(try device.next(within: .seconds(1)) { _, _, _ in }) }
    #expect(outcomes.contains(.restarted))
    #expect(outcomes.contains { if case .samples = $0 { true } else { false } })
    // The kernel waits there until the device is closed, so another process does it, and nobody waits for that.
    let unbinding = Process()
    unbinding.executableURL = URL(filePath: "/bin/sh")
    unbinding.arguments = ["-c", "echo snd_dummy.0 > /sys/bus/platform/drivers/snd_dummy/unbind"]
    try unbinding.run()
    let gone = #expect(throws: ALSAError.self) {
      for _ in 0..<200 { _ = try device.next(within: .milliseconds(100)) { _, _, _ in } }
    }
    #expect(gone?.code == .disconnected, "\(gone?.description ?? "")")
  }
}
