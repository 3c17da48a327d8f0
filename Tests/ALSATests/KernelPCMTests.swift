import AudioModel
import FilmJudge
import Foundation
import SystemPackage
import Testing
import Timebase

@testable import ALSA

/// The kernel's audio loop, whose clock can be set off.
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
}
