import Platform
import CameraModel
import Cameras
import Takes
import Timebase

/// The stream of a session: opens, ends and finds its camera.
struct SessionStream {
  private(set) var source: CaptureSource
  /// How it is captured from the next opening on.
  var settings: CaptureSettings
  /// The stream that captures; `nil` while none does.
  private(set) var run: CaptureRun?
  /// The mode that `run` was opened with.
  private var mode: Mode
  /// Why a setting of the camera could not be restored.
  private(set) var restoreFailure: OvercrankError?
  /// Processor time of the capture threads that have ended.
  private(set) var captureTime = Duration.zero

  init(_ source: CaptureSource, _ settings: CaptureSettings, _ mode: Mode) {
    self.source = source
    self.settings = settings
    self.mode = mode
  }

  /// Opens the stream with `configuration`.
  ///
  /// - Parameters:
  ///   - former: what the camera was set to before a change, which the driver may refuse.
  ///   - isStopped: whether a stop was asked for meanwhile.
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

  /// Goes on with a stream that is open.
  mutating func begin(_ run: CaptureRun, _ mode: Mode) {
    self.run = run
    self.mode = mode
  }

  /// Asks the stream to end; frames in the ring still count.
  func stop() { run?.stop.set() }

  /// Waits for the end of a stream whose ring is closed. Returns why it failed.
  mutating func join() -> CaptureError? {
    guard let run else { return nil }
    let (failure, restoreFailure) = run.join()
    note(restoreFailure)
    captureTime += run.processorTime
    return failure
  }

  /// Notes why a setting could not be restored; the first reason counts.
  mutating func note(_ failure: OvercrankError?) { restoreFailure = restoreFailure ?? failure }

  /// Lets go of a stream that has ended, and its ring.
  mutating func close() { run = nil }

  /// Looks for a camera that is gone. Returns whether it is there.
  mutating func find() -> Bool {
    guard let found = source.find() else { return false }
    source = found
    return true
  }

  /// The recording of take `number` so far; `nil` while no stream captures.
  func context(of number: Int, _ audio: AudioInput?) -> TakeContext? {
    run.map {
      TakeContext(
        number: number, camera: source.name, mode: mode, configuration: $0.configuration, audio: audio)
    }
  }
}
