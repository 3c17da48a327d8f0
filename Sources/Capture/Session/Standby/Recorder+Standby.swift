public import CameraModel
public import Cameras
import Glibc
import Platform
public import Takes

/// How a recording that waited for triggers came to its end.
public struct StandbyEnd: Hashable, Sendable {
  /// How many takes there were, those that failed included.
  public var takeCount: Int
  /// Why it ended before its time; every take until then is whole all the same.
  public var failure: CaptureError?
  /// What could not be put back on the camera.
  public var restoreFailure: CameraError?
}

/// What a recording that waits for triggers tells while it goes on.
public struct StandbyReports {
  /// Is told from the writer's thread, about ten times a second.
  public var progress: (RecordingProgress) -> Void
  /// Is told what the ring holds, before the first frame comes.
  public var ready: (RingReport) -> Void
  /// Is told of each take that has ended, on a thread of its own, while the next may be filmed already.
  public var ended: @Sendable (Int, Result<Recording, CaptureError>) -> Void

  /// Reports to these.
  public init(
    progress: @escaping (RecordingProgress) -> Void = { _ in },
    ready: @escaping (RingReport) -> Void = { _ in },
    ended: @escaping @Sendable (Int, Result<Recording, CaptureError>) -> Void
  ) {
    self.progress = progress
    self.ready = ready
    self.ended = ended
  }
}

extension Recorder {
  /// Opens `camera` in `mode` and waits for triggers; see ``standBy(_:as:_:_:triggers:stop:path:reports:)``.
  public static func standBy(
    _ camera: CaptureDevice, in mode: Mode, as format: MasterFormat, _ request: RecordingRequest,
    _ plan: StandbyPlan,
    triggers: TriggerQueue, stop: StopFlag, path: @escaping (Int) -> String, reports: StandbyReports
  ) throws(CaptureError) -> StandbyEnd {
    switch camera {
    case .camera(let camera):
      try standBy(
        try opening { () throws(CameraError) in try camera.start(mode, making: request.controlChanges) },
        as: format, request, plan,
        triggers: triggers, stop: stop, path: path, reports: reports)
    case .simulated(let camera, _):
      try standBy(
        try opening { () throws(CameraError) in try camera.start(mode) }, as: format, request, plan,
        triggers: triggers, stop: stop, path: path, reports: reports)
    }
  }

  /// Keeps the newest frames of `stream` in the ring, and writes a take around each trigger, until there are as many
  /// as `plan` asks for, `stop` is set, no trigger can come any more, or the camera or the disk gives out.
  ///
  /// Blocks the calling thread, which becomes the writer. The stream never stops between takes.
  /// - Parameters:
  ///   - request: its limit counts for nothing, as that of `plan` does.
  ///   - path: where the master of a take is to be, by its number, counted from 1.
  /// - Throws: ``CaptureError`` where it could not begin.
  public static func standBy<Stream: CameraStream & ~Copyable>(
    _ stream: consuming Stream, as format: MasterFormat, _ request: RecordingRequest, _ plan: StandbyPlan,
    triggers: TriggerQueue, stop: StopFlag, path: @escaping (Int) -> String, reports: StandbyReports
  ) throws(CaptureError) -> StandbyEnd {
    let configuration = stream.configuration
    let size = request.ring ?? .usual(for: configuration, preRoll: plan.preRoll)
    let ends = try Ring.make(minimumCapacity: size.byteCount(for: configuration))
    reports.ready(RingReport(ends.consumer, configuration, preRoll: plan.preRoll))
    var drain = try StandbyDrain(
      ring: ends.consumer, configuration: configuration, plan: plan, queue: triggers,
      makeMaster: { (number) throws(CaptureError) in
        try MasterWriter.start(
          to: path(number), as: format, of: configuration.frameFormat, replacing: request.replacesFiles,
          metadata: request.metadata)
      })
    let loop = CaptureLoop(ring: ends.producer, limit: RecordingLimit(), configuration: configuration)
    let thread = try CaptureThread(
      stream, loop, until: stop, silenceLimitMilliseconds: request.silenceLimitMilliseconds,
      scheduling: request.scheduling)
    let closer = TakeCloser()
    var takeCount = 0
    let failure = run(&drain, plan, stop: stop, reports) { ended in
      takeCount += 1
      closer.close(ended, report: reports.ended)
    }
    stop.set()
    let end = thread.join()
    if let last = drain.endTake() {
      takeCount += 1
      TakeCloser.close(last, failure: failure ?? end.failure, report: reports.ended)
    }
    drain.close()
    closer.join()
    return StandbyEnd(
      takeCount: takeCount, failure: failure ?? end.failure, restoreFailure: end.restoreFailure)
  }

  /// How long the writer sleeps when the ring has nothing new, in microseconds: a trigger is seen that much later.
  private static let nap: UInt32 = 5000

  /// The writer's loop, until there is nothing more to do.
  private static func run(
    _ drain: inout StandbyDrain, _ plan: StandbyPlan, stop: StopFlag, _ reports: StandbyReports,
    onEnd: (consuming TakeInProgress) -> Void
  ) -> CaptureError? {
    var lastTold: Int64 = 0
    var lastCheckpoint: Int64 = 0
    var failure: CaptureError?
    while true {
      let wasClosed = drain.isClosed
      let now = MonotonicClock.now
      do throws(CaptureError) {
        let mayHaveMore = try drain.step(now: now, onEnd: onEnd)
        if drain.isDone { return nil }
        if drain.hasDiskFailed { stop.set() }
        if drain.isWaitingInVain, !stop.isSet {
          stop.set()
          if plan.takeCount != nil { failure = .outOfTriggers }
        }
        if !mayHaveMore, wasClosed { return failure }
        if now - lastCheckpoint >= RingDrain.checkpointInterval {
          lastCheckpoint = now
          drain.checkpoint(at: now)
        }
        if lastCheckpoint == now, now - lastTold >= RingDrain.progressInterval {
          lastTold = now
          reports.progress(drain.progress(at: now))
        }
        if !mayHaveMore { usleep(nap) }
      } catch {
        return error
      }
    }
  }
}
