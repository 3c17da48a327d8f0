import AudioModel
import Microphones
import Platform
import Takes
import Timebase

/// A microphone from start to end: its ring, and the thread that fills it.
final class AudioRun {
  /// The microphone's name and format.
  let input: AudioInput
  /// The writer's end of the ring.
  var ring: RingConsumer
  private let stop = StopFlag()
  private let thread: NamedThread?

  /// The time between attempts to reopen a lost microphone.
  private static let lookInterval = Duration.seconds(1)

  /// The state passed to the thread.
  private final class Work: @unchecked Sendable {
    // Unchecked: only the thread uses it once it has started.
    var loop: AudioLoop?
    var stream: (any AudioStream)?

    init(_ loop: consuming AudioLoop, _ stream: any AudioStream) {
      self.loop = .some(loop)
      self.stream = stream
    }
  }

  /// Starts recording `microphone` into a ring for `duration`.
  ///
  /// - Parameters:
  ///   - clock: The session's clock.
  ///   - failed: Called on the audio thread when the microphone fails; the thread then tries to reopen it.
  /// - Throws: ``CaptureError`` if there is no memory for the ring or no thread, or if the device refuses.
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
        // Releases the device before looking for it, because it serves one stream at a time, even within this
        // program.
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
      throw .microphone(OvercrankError(.failed, "The system allows no more threads; see \"ulimit -u\"."))
    }
  }

  /// Records `stream` until it fails; `nil` if stopped, or if there is no stream.
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

  /// Creates a run whose ring a test fills, on one thread.
  init(ring: consuming RingConsumer, _ input: AudioInput) {
    self.ring = ring
    self.input = input
    thread = nil
  }

  /// Returns the size of a ring for `duration` of audio in blocks of 10 ms.
  static func ringBytes(for format: AudioFormat, _ duration: Duration) -> Int {
    let block = RingLayout.recordBytes(
      payload: AudioBlock.headerBytes + format.rate / 100 * format.sampleBytes)
    return RingProducer.headroom
      + block.multiplied(clamping: Int(clamping: duration / .milliseconds(10)))
  }

  /// Waits for the microphone to return with the same format; `nil` if stopped.
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

  /// Stops the thread and waits for its end.
  func end() {
    stop.set()
    thread?.join()
  }
}
