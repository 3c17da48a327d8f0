import Platform
import CameraModel
import Cameras
import Takes

/// A session's stream: it opens, ends and finds the camera.
struct SessionStream {
  private(set) var source: CaptureSource
  /// The capture settings, from the next opening on.
  var settings: CaptureSettings
  /// The running stream; `nil` if there is none.
  private(set) var run: CaptureRun?
  /// The mode that `run` was opened with.
  private var mode: Mode
  /// The error that kept a setting of the camera from being restored.
  private(set) var restoreFailure: OvercrankError?
  /// The processor time of the capture threads that have ended.
  private(set) var captureTime = Duration.zero

  init(_ source: CaptureSource, _ settings: CaptureSettings, _ mode: Mode) {
    self.source = source
    self.settings = settings
    self.mode = mode
  }

  /// Opens the stream with `configuration`.
  ///
  /// - Parameters:
  ///   - former: The configuration before a change that the driver may refuse.
  ///   - isStopped: Returns whether a stop was requested meanwhile.
  mutating func open(
    _ configuration: SessionConfiguration, after former: SessionConfiguration?,
    unless isStopped: @escaping () -> Bool
  ) throws(CaptureError) {
    run = nil
    let run = try source.open(configuration, settings, isStopped)
    if let former, let error = configuration.refusal(of: run.configuration, after: former, by: source.name) {
      run.stop.set()
      _ = run.join()
      throw error
    }
    begin(run, configuration.mode)
  }

  /// Continues with an open stream.
  mutating func begin(_ run: CaptureRun, _ mode: Mode) {
    self.run = run
    self.mode = mode
  }

  /// Requests the stream's end; frames in the ring still count.
  func stop() { run?.stop.set() }

  /// Waits for the end of a stream whose ring is closed. Returns the error if it failed.
  mutating func join() -> CaptureError? {
    guard let run else { return nil }
    let (failure, restoreFailure) = run.join()
    note(restoreFailure)
    captureTime += run.processorTime
    return failure
  }

  /// Records an error of restoring a setting; keeps the first.
  mutating func note(_ failure: OvercrankError?) { restoreFailure = restoreFailure ?? failure }

  /// Releases an ended stream and its ring.
  mutating func close() { run = nil }

  /// Looks for a lost camera. Returns whether it is connected.
  mutating func find() -> Bool {
    guard let found = source.find() else { return false }
    source = found
    return true
  }

  /// Returns the context of take `number`; `nil` if no stream is running.
  func context(of number: Int, _ audio: AudioInput?) -> TakeContext? {
    run.map {
      TakeContext(
        number: number, camera: source.name, mode: mode, configuration: $0.configuration, audio: audio)
    }
  }
}
