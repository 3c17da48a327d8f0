import Cameras
import Platform

/// The capture thread at work on a stream.
final class CaptureThread: @unchecked Sendable {
  // Unchecked: written by the thread alone until it has been joined, and read after that.
  private var thread: NamedThread?
  private var end = CaptureLoop.End.stopped
  private var restoreFailure: OvercrankError?
  /// Processor time that capturing took; read after the thread has been joined.
  private(set) var processorTime = Duration.zero

  /// What is handed over to the thread.
  private final class Work<Stream: CameraStream & ~Copyable>: @unchecked Sendable {
    // Unchecked: its maker lets go of it when the thread starts.
    var stream: Stream?
    var loop: CaptureLoop?

    init(_ stream: consuming Stream, _ loop: consuming CaptureLoop) {
      self.stream = .some(stream)
      self.loop = .some(loop)
    }
  }

  /// Starts to capture `stream` into the ring of `loop`, until its end or until `stop` is set.
  ///
  /// - Throws: ``CaptureError`` where the system has no thread to give.
  init<Stream: CameraStream & ~Copyable>(
    _ stream: consuming Stream, _ loop: consuming CaptureLoop, until stop: StopFlag,
    silenceLimit: Duration, scheduling: CaptureScheduling, clock: SessionClock
  ) throws(CaptureError) {
    let work = Work(stream, loop)
    thread = NamedThread(name: "overcrank-film", in: clock) {
      // Capturing goes on without what is refused; whoever wants to know asks beforehand.
      _ = scheduling.apply()
      // Taken out of the object first, so that the loop works on the thread's own stack.
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

  /// Waits for the thread's end: how the camera stopped sending, and what could not be put back.
  func join() -> (end: CaptureLoop.End, restoreFailure: OvercrankError?) {
    thread?.join()
    thread = nil
    return (end, restoreFailure)
  }
}
