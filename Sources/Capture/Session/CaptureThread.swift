import Cameras
import Platform

/// The capture thread of a stream.
final class CaptureThread: @unchecked Sendable {
  // Unchecked: only the thread writes until it has been joined; others read after that.
  private var thread: NamedThread?
  private var end = CaptureLoop.End.stopped
  private var restoreFailure: OvercrankError?
  /// The processor time of the capture; valid after the thread has been joined.
  private(set) var processorTime = Duration.zero

  /// The state passed to the thread.
  private final class Work<Stream: CameraStream & ~Copyable>: @unchecked Sendable {
    // Unchecked: only the thread uses it once it has started.
    var stream: Stream?
    var loop: CaptureLoop?

    init(_ stream: consuming Stream, _ loop: consuming CaptureLoop) {
      self.stream = .some(stream)
      self.loop = .some(loop)
    }
  }

  /// Starts capturing `stream` into the ring of `loop`, until its end or until `stop` is set.
  ///
  /// - Throws: ``CaptureError`` if the system cannot start a thread.
  init<Stream: CameraStream & ~Copyable>(
    _ stream: consuming Stream, _ loop: consuming CaptureLoop, until stop: StopFlag,
    silenceLimit: Duration, scheduling: CaptureScheduling, clock: SessionClock
  ) throws(CaptureError) {
    let work = Work(stream, loop)
    thread = NamedThread(name: "overcrank-film", in: clock) {
      // Capturing continues if scheduling is refused; clients can check that in advance.
      _ = scheduling.apply()
      // Moves both out of the object, so that the loop works on the thread's own stack.
      guard var stream = work.stream.take(), var loop = work.loop.take() else { return }
      self.end = loop.run(&stream, until: stop, silenceLimit: silenceLimit) { clock.now }
      loop.finish()
      self.processorTime = ProcessorTime.ofThisThread()
      do throws(OvercrankError) { try stream.stop() } catch { self.restoreFailure = error }
    }
    guard thread != nil else {
      throw .camera(.noThread)
    }
  }

  /// Waits for the thread's end. Returns why the camera stopped sending, and the error that kept its settings
  /// from being restored.
  func join() -> (end: CaptureLoop.End, restoreFailure: OvercrankError?) {
    thread?.join()
    thread = nil
    return (end, restoreFailure)
  }
}
