import AudioModel
import CameraModel
import Cameras
import Capture
import FrameJudge
import Foundation
import Media
import Microphones
import Platform
import Synchronization
import SystemPackage
import Takes
import Testing
import Timebase

@Suite(
  "Audio from the kernel's devices beside a camera", .serialized, .tags(.kernel), .needs(KernelCameras.vivid),
  .timeLimit(.minutes(15)))
struct KernelAudioTests {
  private let card: SoundCard

  init() throws { card = try SoundCard("Dummy", by: "snd-dummy", "pcm_substreams=1") }

  /// Expects the master to have as many samples as its picture is long, by the rate that the take states.
  ///
  /// snd-dummy's clock is the machine's, but the clocks of an emulated machine jump while it is busy, and the
  /// silence for an overrun is as long as they say. So the rate is close to the nominal one, not equal to it: closer
  /// than another usual rate would be.
  private func checkLength(_ audio: Take.Audio, of timestamps: [Instant], _ interval: Duration) throws {
    let first = try #require(timestamps.first), last = try #require(timestamps.last)
    let length = (last + interval - first) / .seconds(1)
    let drift = try #require(audio.drift)
    #expect(drift.magnitude < 30_000)
    let heard = Double(audio.samples) / (48_000 * (1 + drift / 1e6))
    #expect((heard - length).magnitude < 0.005, "\(heard) s of audio to \(length) s of pictures")
  }

  @Test("is recorded and listed, and the program that keeps a device busy is named")
  func recorded() throws {
    let folder = try TemporaryFolder()
    let list = try OvercrankProgram("devices", "--microphones")
    #expect(list.output.contains("Dummy"))
    let node = try #require(KernelCameras.vivid)
    let run = try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--fps", "30", "--max-width", "320", "--mic", "dummy", "--duration",
        "1h",
        "--no-clip", "-o", folder.path("x.mp4"),
      ]
    ) { process in
      folder.waitForVideo(of: process)
      let busy = try OvercrankProgram(
        "record", SmallCamera.inRealTime(), "--mic", "hw:Dummy", "--frames", "5", "-o", folder.path("y.mp4"))
      #expect(busy.status == 75, "\(busy.errors)")
      #expect(busy.errors.contains("Another program records from it"))
      kill(process.processIdentifier, SIGINT)
    }
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    let audio = try #require(take.audio)
    try checkLength(audio, of: Array(take.timestamps), .seconds(1) / 30)
  }

  @Test("is silent while the device is unplugged, and no frame is lost")
  func unplugged() throws {
    let folder = try TemporaryFolder()
    let node = try #require(KernelCameras.vivid)
    let run = try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--fps", "30", "--max-width", "320", "--mic", "hw:Dummy",
        "--duration", "1h",
        "--no-clip", "-o", folder.path("x.mp4"),
      ]
    ) { process in
      folder.waitForVideo(of: process)
      try SoundCard.unplugDummy()
      while process.isRunning, card.isListed { usleep(50_000) }
      try SoundCard.plugDummy()
      // The card is recorded again, for long enough to know how much was lost.
      while process.isRunning, card.samplesRead < 48_000 { usleep(50_000) }
      kill(process.processIdentifier, SIGINT)
    }
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("The device is gone"), "\(run.errors)")
    let take = try folder.take()
    #expect(take.frames.lost.ring == 0 && take.frames.lost.disk == 0)
    let audio = try #require(take.audio)
    // The program looks for it once a second.
    #expect(audio.lost.contains { $0.samples > 48_000 / 2 })
    try checkLength(audio, of: Array(take.timestamps), .seconds(1) / 30)
  }

  /// A microphone whose thread stalls once, within a take.
  private final class HeldUpStream: AudioStream, @unchecked Sendable {
    // Unchecked: the test reads the time of the stall only once it is over.
    private let stream: any AudioStream
    private var heard = 0
    /// Whether frames have been written: what is lost before the first one is not part of the take.
    let hasFrames = Atomic(false)
    private(set) var held: (start: Instant, end: Instant)?
    /// Whether a second was heard after the stall, which is long enough to know how much was lost.
    let isOver = Atomic(false)
    private var heardSince = 0

    init(_ stream: any AudioStream) { self.stream = stream }

    var format: AudioFormat { stream.format }
    func begin() throws(OvercrankError) { try stream.begin() }
    func stop() { stream.stop() }

    func next(
      within timeout: Duration, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(OvercrankError) -> AudioArrival {
      if hasFrames.load(ordering: .relaxed), heard > format.rate, held == nil {
        let start = MonotonicClock.now
        MonotonicClock().wait(until: start + .seconds(2))
        held = (start, MonotonicClock.now)
      }
      let arrival = try stream.next(within: timeout, body)
      if case .samples(let count, _) = arrival {
        heard += count
        if held != nil { heardSince += count }
        if heardSince > format.rate { isOver.store(true, ordering: .releasing) }
      }
      return arrival
    }
  }

  @Test("is silent for as long as a stalled thread overran its buffer, and no frame is lost")
  func overrun() async throws {
    let folder = try TemporaryFolder()
    let camera = V4L2Camera(path: FilePath(try #require(KernelCameras.vivid)))
    let mode = Mode(fourcc: "YUYV", width: 320, height: 180, interval: FrameInterval(1, 30))
    let stream = HeldUpStream(try ALSAMicrophone(name: "hw:Dummy").start())
    let microphone = try OpenMicrophone(
      CaptureMicrophone(name: "hw:Dummy") { () throws(OvercrankError) in stream })
    let path = folder.path("x.nut")
    let session = CaptureSession(
      SessionSetup(
        CaptureSource(.camera(camera)), SessionConfiguration(mode: mode),
        SessionPlan(limit: RecordingLimit(duration: .seconds(60))), microphone: microphone
      ) { take throws(CaptureError) in
        guard let format = MasterFormat(take.configuration.frameFormat.pixelFormat) else { throw .empty }
        do throws(OvercrankError) {
          return try MasterWriter(
            to: FilePath(path), as: format, of: take.configuration.frameFormat, replacing: false,
            audio: take.audio)
        } catch {
          throw .master(error)
        }
      })
    var recordings: [Recording] = []
    var events = session.events.makeAsyncIterator()
    try session.start()
    while let event = try await events.next() {
      switch event.kind {
      case .progress(let status) where status.take.map { $0.frames.written > 0 } == true:
        stream.hasFrames.store(true, ordering: .relaxed)
        if stream.isOver.load(ordering: .acquiring) { session.commands.send(.stop) }
      case .takeEnded(_, let result): recordings.append(try result.get())
      default: break
      }
    }
    let recording = try #require(recordings.first)
    let ledger = recording.accounting.ledger
    #expect(ledger.count(of: .ring) == 0 && ledger.count(of: .disk) == 0)
    let timestamps = Array(recording.accounting.timestamps)
    let audio = Take.Audio(try #require(recording.audio), from: try #require(timestamps.first))
    let held = try #require(stream.held)
    func end(_ loss: Take.Audio.Loss) -> Instant { loss.time + .seconds(Double(loss.samples) / 48_000) }
    let loss = try #require(audio.lost.first { end($0) > held.end - .milliseconds(5) }, "\(audio.lost)")
    // Everything after the last look was dropped with the buffer, until the thread continued.
    #expect(loss.time < held.end)
    let silent = audio.lost.filter { end($0) > held.start && $0.time < held.end }.reduce(0) {
      $0 + $1.samples
    }
    // The clocks of an emulated machine jump while it is busy; only the total length is exact.
    #expect(Double(silent) / 48_000 > 0.5 * ((held.end - held.start) / .seconds(1)), "\(audio.lost), \(held)")
    try checkLength(audio, of: timestamps, .seconds(1) / 30)
    #expect(try HeardClicks(path).sampleCount == audio.samples)
  }
}
