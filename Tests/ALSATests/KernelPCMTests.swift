import AudioModel
import FrameJudge
import Foundation
import SystemPackage
import Testing
import Timebase

@testable import ALSA

@Suite(
  "The kernel's audio devices", .serialized, .tags(.kernel),
  .enabled(if: KernelCameras.areExpected, "this machine may have audio of its own"), .timeLimit(.minutes(15)))
struct KernelPCMTests {
  /// Sets the clock of device 1 of snd-aloop, from which tests record: 100000 is exact, less is faster.
  private func setLoopbackRate(_ shift: Int, of subdevice: Int) throws {
    try Program.run(
      "amixer",
      [
        "-q", "-c", "Loopback", "cset",
        "iface=PCM,name='PCM Rate Shift 100000',device=1,subdevice=\(subdevice)", "\(shift)",
      ])
  }

  @Test("have clock drifts whose differences are measured to 20 parts per million")
  func drift() throws {
    let shifts = [99_950, 100_000, 100_050]
    _ = try SoundCard("Loopback", by: "snd-aloop", "pcm_substreams=\(shifts.count)")
    var devices: [CapturePCM] = []
    for (subdevice, shift) in shifts.enumerated() {
      try setLoopbackRate(shift, of: subdevice)
      devices.append(try CapturePCM("hw:Loopback,1,\(subdevice)", buffer: .seconds(4)))
    }
    #expect(devices.allSatisfy { $0.stampsMonotonic })
    var (fits, delivered, last) = ([AudioClockFit](), [Int64](), [AudioMark?]())
    func begin() {
      fits = devices.map { AudioClockFit(nominalRate: $0.format.rate) }
      delivered = devices.map { _ in 0 }
      last = devices.map { _ in nil }
    }
    begin()
    for device in devices { try device.start() }
    let deadline = ContinuousClock.now + .seconds(200)
    // All at once, until each fit states that its error is small enough: 20 is five times that error.
    while fits.contains(where: { $0.span < 8 || $0.driftError > 4 }), ContinuousClock.now < deadline {
      var isWhole = true
      for (index, device) in devices.enumerated() {
        let outcome = try device.next(within: .seconds(1)) { bytes, waiting, time in
          delivered[index] += Int64(bytes.count / device.format.sampleBytes)
          let mark = AudioMark(time: time, sampleCount: delivered[index] + Int64(waiting))
          if let former = last[index] {
            let heard = Double(mark.sampleCount - former.sampleCount) / Double(device.format.rate)
            if (mark.time - former.time) / .seconds(1) - heard > 2 { isWhole = false }
          }
          last[index] = mark
          fits[index].enter(mark)
        }
        if outcome == .restarted { isWhole = false }
      }
      // A machine that has no processor for longer than a buffer lasts loses samples: with an error, or whole buffers
      // without one. No clock is measured across that.
      if !isWhole { begin() }
    }
    // The clock of an emulated machine drifts while it is busy, which all its devices show alike. So the
    // exact device is the reference for the others.
    #expect(fits[1].drift.magnitude < max(200, 5 * fits[1].driftError))
    for (shift, fit) in zip(shifts, fits) {
      let expected = (100_000 / Double(shift) - 1) * 1e6
      // 20 where the fits state what is wanted above; more on a machine too busy for that.
      #expect(
        (fit.drift - fits[1].drift - expected).magnitude < 5 * max(4, fit.driftError, fits[1].driftError),
        "\(fit.drift) +- \(fit.driftError) after \(fit.span) s where \(expected) was set")
    }
  }

  @Test("serve one program at a time, restart after an overrun, and report being unplugged")
  func life() throws {
    _ = try SoundCard("Dummy", by: "snd-dummy", "pcm_substreams=1")
    let device = try CapturePCM("hw:Dummy", buffer: .milliseconds(200))
    let busy = #expect(throws: ALSAError.self) { try CapturePCM("hw:Dummy") }
    #expect(busy?.code == .busy)
    try device.start()
    var heard = 0
    while heard < device.format.rate / 2 {
      if case .samples(let count) = try device.next(within: .seconds(1), { _, _, _ in }) { heard += count }
    }
    // Nothing is read for longer than the buffer lasts. Where the machine stands still for all of it, whole buffers
    // are lost without an overrun, and so it is done again.
    var isRestarted = false
    while !isRestarted {
      usleep(1_000_000)
      isRestarted = try device.next(within: .seconds(1)) { _, _, _ in } == .restarted
    }
    heard = 0
    while heard < device.format.rate / 10 {
      if case .samples(let count) = try device.next(within: .seconds(1), { _, _, _ in }) { heard += count }
    }
    try SoundCard.unplugDummy()
    let gone = #expect(throws: ALSAError.self) {
      for _ in 0..<1000 { _ = try device.next(within: .milliseconds(100)) { _, _, _ in } }
    }
    #expect(gone?.code == .disconnected, "\(gone?.description ?? "")")
  }
}
