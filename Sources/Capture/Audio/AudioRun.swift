import AudioModel
import Microphones
import Platform
import Takes
import Timebase

/// A microphone from its start to its end: its ring, and the thread that fills it.
final class AudioRun {
  /// What it is and delivers.
  let input: AudioInput
  /// The writer's end of the ring.
  var ring: RingConsumer
  private let stop = StopFlag()
  private let thread: NamedThread?

  /// How long a microphone that has gone is waited for before it is looked for again.
  private static let lookInterval = Duration.seconds(1)

  /// What is handed over to the thread.
  private final class Work: @unchecked Sendable {
    // Unchecked: its maker lets go of it when the thread starts.
    var loop: AudioLoop?
    var stream: (any AudioStream)?

    init(_ loop: consuming AudioLoop, _ stream: any AudioStream) {
      self.loop = .some(loop)
      self.stream = stream
    }
  }

  /// Starts to hear `microphone` into a ring for `duration`.
  ///
  /// - Parameters:
  ///   - clock: the session's.
  ///   - failed: is told on the audio thread when it fails; it is looked for from then on.
  /// - Throws: ``CaptureError`` where there is no memory for the ring, or no thread, or the device refuses.
  init(
    _ microphone: OpenMicrophone, holding duration: Duration, taps: TapList<AudioTap>,
    clock: SessionClock, failed: @escaping @Sendable (OvercrankError) -> Void
  ) throws(CaptureError) {
    let stream: any AudioStream
    do throws(OvercrankError) {
      stream = try microphone.take()
      try stream.begin()
    } catch {
      throw .microphone(error)
    }
    input = AudioInput(device: microphone.input.device, format: stream.format)
    let ends = try Ring.make(minimumCapacity: Self.ringBytes(for: stream.format, duration))
    let format = stream.format
    let work = Work(AudioLoop(ends.producer, format, taps: taps), stream)
    let stop = stop
    thread = NamedThread(name: "overcrank-audio", in: clock) {
      guard var loop = work.loop.take() else { return }
      var stream = work.stream.take()
      while let error = Self.hear(stream, with: &loop, until: stop) {
        // The device is let go before it is looked for: it serves one at a time, this program too.
        stream = nil
        failed(error)
        stream = Self.wait(for: microphone, format, stop, clock)
        loop.reopened()
      }
      stream?.stop()
      loop.finish()
    }
    ring = ends.consumer
    guard thread != nil else {
      throw .microphone(OvercrankError(.failed, "The system has no thread to give; see \"ulimit -u\"."))
    }
  }

  /// Hears `stream` until it fails; `nil` where it is no longer wanted, or there is none.
  private static func hear(
    _ stream: (any AudioStream)?, with loop: inout AudioLoop, until stop: StopFlag
  ) -> OvercrankError? {
    while let stream, !stop.isSet {
      do throws(OvercrankError) { _ = try loop.step(stream, within: .milliseconds(100)) } catch {
        return error
      }
    }
    return nil
  }

  /// A run whose ring a test fills, on one thread.
  init(ring: consuming RingConsumer, _ input: AudioInput) {
    self.ring = ring
    self.input = input
    thread = nil
  }

  /// Bytes of a ring for so much audio in blocks of 10 ms.
  static func ringBytes(for format: AudioFormat, _ duration: Duration) -> Int {
    let block = RingLayout.recordBytes(
      payload: AudioBlock.headerBytes + format.rate / 100 * format.sampleBytes)
    return RingProducer.headroom
      + block.multiplied(clamping: Int(clamping: duration / .milliseconds(10)))
  }

  /// The microphone, once it is back with what it delivered before; `nil` once it is no longer wanted.
  private static func wait(
    for microphone: OpenMicrophone, _ format: AudioFormat, _ stop: StopFlag, _ clock: SessionClock
  ) -> (any AudioStream)? {
    var look = clock.now + lookInterval
    while !stop.isSet {
      clock.wait(until: clock.now + .milliseconds(50))
      guard clock.now >= look else { continue }
      look = clock.now + lookInterval
      guard let stream = try? microphone.take(), stream.format == format, (try? stream.begin()) != nil
      else { continue }
      return stream
    }
    return nil
  }

  /// Ends it, and waits for that.
  func end() {
    stop.set()
    thread?.join()
  }
}
