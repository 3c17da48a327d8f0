public import Cameras
import Glibc
import Media
import Timebase

/// What a recording is to be.
public struct RecordingRequest: Hashable, Sendable {
  /// When it is complete.
  public var limit: RecordingLimit
  /// Bytes in the ring; `nil` for what suits the mode.
  public var ringBytes: Int?
  /// Whether files of the same name may be replaced.
  public var replacesFiles: Bool
  /// How long no frame may come before the recording ends, in milliseconds.
  public var silenceLimitMilliseconds: Int32
  /// What is set on the camera for as long as it films.
  public var controlChanges: [ControlChange] = []
  /// How the capture thread is scheduled, as far as the kernel permits.
  public var scheduling = CaptureScheduling()

  /// A request with usual values.
  public init(
    limit: RecordingLimit = RecordingLimit(), ringBytes: Int? = nil, replacesFiles: Bool = false,
    silenceLimitMilliseconds: Int32 = 10_000
  ) {
    self.limit = limit
    self.ringBytes = ringBytes
    self.replacesFiles = replacesFiles
    self.silenceLimitMilliseconds = silenceLimitMilliseconds
  }
}

/// What a recording left.
public struct Recording: Hashable, Sendable {
  /// The books.
  public let account: TakeAccount
  /// What the camera had agreed to.
  public let configuration: StreamConfiguration
  /// Bytes in the ring.
  public let ringBytes: Int
  /// The most bytes that waited in the ring, as the writer saw them.
  public let ringPeakBytes: Int
  /// Bytes of frames in the master.
  public let bytesWritten: Int64
  /// Why filming ended before its time; the master is whole all the same.
  public let failure: CaptureError?
  /// What could not be put back on the camera.
  public let restoreFailure: CameraError?
}

/// Films a stream into a master: the capture thread fills the ring, the calling thread writes.
public enum Recorder {
  /// Opens `camera` in `mode` and films it; see ``record(_:to:as:_:stop:progress:)``.
  public static func record(
    _ camera: Camera, in mode: Mode, to path: String, as format: MasterFormat, _ request: RecordingRequest,
    stop: StopFlag = StopFlag(), progress: @escaping (RecordingProgress) -> Void = { _ in }
  ) throws(CaptureError) -> Recording {
    switch camera {
    case .device(let camera):
      try record(
        try opening { () throws(CameraError) in try camera.start(mode, making: request.controlChanges) },
        to: path, as: format, request, stop: stop, progress: progress)
    case .simulated(let camera, _):
      try record(
        try opening { () throws(CameraError) in try camera.start(mode) }, to: path, as: format, request,
        stop: stop, progress: progress)
    }
  }

  static func opening<Stream: ~Copyable>(
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
  ///   - progress: is told from the writer's thread, about ten times a second.
  /// - Throws: ``CaptureError`` where nothing could be recorded.
  public static func record<Stream: CameraStream & ~Copyable>(
    _ stream: consuming Stream, to path: String, as format: MasterFormat, _ request: RecordingRequest,
    stop: StopFlag = StopFlag(), progress: @escaping (RecordingProgress) -> Void = { _ in }
  ) throws(CaptureError) -> Recording {
    let configuration = stream.configuration
    let master = try MasterWriter(
      to: path, as: format, configuration: configuration, replacing: request.replacesFiles)
    let ends = try Ring.make(
      minimumCapacity: request.ringBytes ?? Self.usualRingBytes(for: configuration))
    let loop = CaptureLoop(ring: ends.producer, limit: request.limit, configuration: configuration)
    let work = CaptureWork(stream: stream, loop: loop)
    let thread = NamedThread(name: "overcrank-film") {
      // Filming goes on without what is refused; whoever wants to know asks beforehand.
      _ = request.scheduling.apply()
      work.run(until: stop, silenceLimitMilliseconds: request.silenceLimitMilliseconds)
    }
    guard let thread else {
      throw .camera(CameraError(.failed, "The system has no thread to give; see \"ulimit -u\"."))
    }
    var drain = RingDrain(ring: ends.consumer, master: master, limit: request.limit)
    drain.run(stop: stop, progress: progress)
    thread.join()
    return try drain.finish(
      configuration: configuration, end: work.end, restoreFailure: work.restoreFailure,
      silenceLimitMilliseconds: request.silenceLimitMilliseconds)
  }

  /// Two seconds of frames, between 32 and 512 MiB; for compressed frames, whose size is not known ahead, 32 MiB.
  static func usualRingBytes(for configuration: StreamConfiguration) -> Int {
    let least = 32 << 20
    guard configuration.format.family == .raw, let interval = configuration.nominalIntervalNanoseconds,
      interval > 0
    else { return max(least, 4 * configuration.largestFrame) }
    let frames = Int(2_000_000_000 / interval) + 1
    let (bytes, overflow) = configuration.largestFrame.multipliedReportingOverflow(by: frames)
    return max(min(overflow ? .max : bytes, 512 << 20), least, 4 * configuration.largestFrame)
  }
}

extension StreamConfiguration {
  /// The accepted interval in nanoseconds; `nil` where the driver knows none.
  var nominalIntervalNanoseconds: Int64? {
    acceptedInterval?.rate?.interval.scaling(1_000_000_000)
  }
}

/// What the capture thread is given and what it leaves.
final class CaptureWork<Stream: CameraStream & ~Copyable>: @unchecked Sendable {
  private var stream: Stream?
  private var loop: CaptureLoop?
  /// Read after the thread has been joined.
  private(set) var end = CaptureLoop.End.stopped
  private(set) var restoreFailure: CameraError?
  private(set) var processorTime: Int64 = 0

  init(stream: consuming Stream, loop: consuming CaptureLoop) {
    self.stream = .some(stream)
    self.loop = .some(loop)
  }

  func run(until stop: StopFlag, silenceLimitMilliseconds: Int32) {
    // Taken out of the object first, so that the loop works on the thread's own stack.
    guard var stream = stream.take(), var loop = loop.take() else { return }
    end = loop.run(&stream, until: stop, silenceLimitMilliseconds: silenceLimitMilliseconds)
    loop.finish()
    processorTime = ProcessorTime.ofThisThread()
    do throws(CameraError) { try stream.stop() } catch { restoreFailure = error }
  }
}
