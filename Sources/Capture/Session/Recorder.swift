public import CameraModel
public import Cameras
public import Platform
public import Takes
import Timebase

/// What a recording is to be.
public struct RecordingRequest: Hashable, Sendable {
  /// When it is complete.
  public var limit: RecordingLimit
  /// How large the ring is; `nil` for what suits the mode.
  public var ring: RingSize?
  /// Whether files of the same name may be replaced.
  public var replacesFiles: Bool
  /// How long no frame may come before the recording ends, in milliseconds.
  public var silenceLimitMilliseconds: Int32
  /// What is known of the take beforehand, for one that has to be put together again after a crash.
  public var metadata: TakeMetadata?
  /// What is set on the camera for as long as it films.
  public var controlChanges: [ControlChange] = []
  /// How the capture thread is scheduled, as far as the kernel permits.
  public var scheduling = CaptureScheduling()

  /// A request with usual values.
  public init(
    limit: RecordingLimit = RecordingLimit(), ring: RingSize? = nil, replacesFiles: Bool = false,
    silenceLimitMilliseconds: Int32 = 10_000, metadata: TakeMetadata? = nil
  ) {
    self.limit = limit
    self.ring = ring
    self.replacesFiles = replacesFiles
    self.silenceLimitMilliseconds = silenceLimitMilliseconds
    self.metadata = metadata
  }
}

/// Films a stream into masters: the capture thread fills the ring, the calling thread writes.
public enum Recorder {
  /// Opens `camera` in `mode` and films it; see ``record(_:to:as:_:stop:ready:progress:)``.
  public static func record(
    _ camera: CaptureDevice, in mode: Mode, to path: String, as format: MasterFormat,
    _ request: RecordingRequest,
    stop: StopFlag = StopFlag(), ready: (RingReport) -> Void = { _ in },
    progress: @escaping (RecordingProgress) -> Void = { _ in }
  ) throws(CaptureError) -> Recording {
    switch camera {
    case .camera(let camera):
      try record(
        try opening { () throws(CameraError) in try camera.start(mode, making: request.controlChanges) },
        to: path, as: format, request, stop: stop, ready: ready, progress: progress)
    case .simulated(let camera, _):
      try record(
        try opening { () throws(CameraError) in try camera.start(mode) }, to: path, as: format, request,
        stop: stop, ready: ready, progress: progress)
    }
  }

  package static func opening<Stream: ~Copyable>(
    _ start: () throws(CameraError) -> Stream
  ) throws(CaptureError) -> Stream {
    do throws(CameraError) { return try start() } catch { throw .camera(error) }
  }

  /// Films `stream` until its limit, until `stop` is set, or until the camera or the disk gives out.
  ///
  /// Blocks the calling thread, which becomes the writer. Whatever ends the recording, the master is whole
  /// when this returns; if it throws, there is none.
  /// - Parameters:
  ///   - stream: a camera that is filming; stopped and put back at the end.
  ///   - path: where the master is to be.
  ///   - ready: is told what the ring holds, before the first frame comes.
  ///   - progress: is told from the writer's thread, about ten times a second.
  /// - Throws: ``CaptureError`` where nothing could be recorded.
  public static func record<Stream: CameraStream & ~Copyable>(
    _ stream: consuming Stream, to path: String, as format: MasterFormat, _ request: RecordingRequest,
    stop: StopFlag = StopFlag(), ready: (RingReport) -> Void = { _ in },
    progress: @escaping (RecordingProgress) -> Void = { _ in }
  ) throws(CaptureError) -> Recording {
    let configuration = stream.configuration
    let master = try MasterWriter.start(
      to: path, as: format, of: configuration.frameFormat, replacing: request.replacesFiles,
      metadata: request.metadata)
    let size = request.ring ?? .usual(for: configuration)
    let ends = try Ring.make(minimumCapacity: size.byteCount(for: configuration))
    ready(RingReport(ends.consumer, configuration, preRoll: 0))
    let loop = CaptureLoop(ring: ends.producer, limit: request.limit, configuration: configuration)
    let thread = try CaptureThread(
      stream, loop, until: stop, silenceLimitMilliseconds: request.silenceLimitMilliseconds,
      scheduling: request.scheduling)
    var drain = RingDrain(
      ring: ends.consumer, master: master, limit: request.limit, configuration: configuration)
    drain.run(stop: stop, progress: progress)
    let end = thread.join()
    var recording = try drain.finish(failure: end.failure)
    recording.restoreFailure = end.restoreFailure
    return recording
  }
}
