package import Cameras
package import Platform

/// The capture thread at work on a stream.
package final class CaptureThread<Stream: CameraStream & ~Copyable>: @unchecked Sendable {
  // Unchecked: the thread's alone from its start until it has been joined, then its maker's.
  private var stream: Stream?
  private var loop: CaptureLoop?
  private let silenceLimitMilliseconds: Int32
  private var thread: NamedThread?
  /// Both read after the thread has been joined.
  private var end = CaptureLoop.End.stopped
  private var restoreFailure: CameraError?
  /// Processor time that filming took, in nanoseconds; read after the thread has been joined.
  package private(set) var processorTime: Int64 = 0

  /// Starts to film `stream` into the ring of `loop`, until its end or until `stop` is set.
  ///
  /// - Throws: ``CaptureError`` where the system has no thread to give.
  package init(
    _ stream: consuming Stream, _ loop: consuming CaptureLoop, until stop: StopFlag,
    silenceLimitMilliseconds: Int32, scheduling: CaptureScheduling = CaptureScheduling()
  ) throws(CaptureError) {
    self.stream = .some(stream)
    self.loop = .some(loop)
    self.silenceLimitMilliseconds = silenceLimitMilliseconds
    thread = NamedThread(name: "overcrank-film") {
      // Filming goes on without what is refused; whoever wants to know asks beforehand.
      _ = scheduling.apply()
      self.run(until: stop)
    }
    guard thread != nil else {
      throw .camera(CameraError(.failed, "The system has no thread to give; see \"ulimit -u\"."))
    }
  }

  private func run(until stop: StopFlag) {
    // Taken out of the object first, so that the loop works on the thread's own stack.
    guard var stream = stream.take(), var loop = loop.take() else { return }
    end = loop.run(&stream, until: stop, silenceLimitMilliseconds: silenceLimitMilliseconds)
    loop.finish()
    processorTime = ProcessorTime.ofThisThread()
    do throws(CameraError) { try stream.stop() } catch { restoreFailure = error }
  }

  /// Waits for the thread's end: why the camera stopped sending before it was told to, and what could not be put back.
  package func join() -> (failure: CaptureError?, restoreFailure: CameraError?) {
    thread?.join()
    let failure: CaptureError? =
      switch end {
      case .complete, .stopped, .streamEnded: nil
      case .silent: .silence(milliseconds: silenceLimitMilliseconds)
      case .failed(let error): .camera(error)
      }
    return (failure, restoreFailure)
  }
}
