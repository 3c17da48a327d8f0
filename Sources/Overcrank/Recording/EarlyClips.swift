import CameraModel
import FoundationEssentials
import Platform
import Retime
import Synchronization
import SystemPackage
import Takes

/// Renders clips while their takes are recorded, one take after the other, on otherwise idle cores.
final class EarlyClips: Sendable {
  private struct State {
    var clips: [Int: EarlyClip] = [:]
    /// The clips that have not begun yet, in the order of their takes.
    var waiting: [EarlyClip] = []
    var isOver = false
    var threads: IdleThreads?
    var work: Task<Void, Never>?
  }

  private let spec: RenderSpec
  private let part: ClipSpan
  private let turn: PictureTurn?
  private let sensor: SensorFacts?
  private let state = Mutex(State())

  private static let pause = Duration.milliseconds(200)

  /// Creates the early clips of a recording; `nil` if its clips need complete sources.
  ///
  /// - Parameters:
  ///   - request: the recording.
  ///   - sensor: what is known of the sensor; `nil` if nothing is.
  init?(_ request: RecordRequest, sensor: SensorFacts?) {
    guard request.makesClipsWhileRecording, let clip = request.clip, let render = clip.render,
      render.wholeSourceNeed() == nil
    else { return nil }
    spec = render
    part = clip.part
    turn = request.turn
    self.sensor = sensor
  }

  /// Starts the clip of take `number` once those before it have had their turn. Does not wait.
  func begin(_ number: Int, of master: GrowingMaster, in folder: FilePath) {
    state.withLock { state in
      guard !state.isOver else { return }
      let threads = state.threads ?? IdleThreads(count: ProcessInfo.processInfo.activeProcessorCount)
      let clip = EarlyClip(
        of: master, spec: spec, of: part, turn: turn, sensor: sensor, keptIn: folder, on: threads)
      state.clips[number] = clip
      state.waiting.append(clip)
      guard state.threads == nil else { return }
      state.threads = threads
      threads.giveWay()
      state.work = Task(executorPreference: threads) { await self.make() }
      // The disk may fill up while no core is idle.
      Task { await self.giveWay(threads) }
    }
  }

  /// Returns the early clip of take `number`.
  func clip(ofTake number: Int) -> EarlyClip? { state.withLock { $0.clips[number] } }

  /// Waits for the segments being rendered, and renders nothing more; cancelling the task ends it.
  ///
  /// Call it once the last master is complete.
  func end() async {
    let (clips, threads, work) = state.withLock { state in
      state.isOver = true
      return (Array(state.clips.values), state.threads, state.work)
    }
    for clip in clips { clip.stop() }
    guard let threads, let work else { return }
    if threads.runAsUsual() {
      await withTaskCancellationHandler {
        await work.value
      } onCancel: {
        work.cancel()
      }
    } else {
      // Encoders whose threads stay idle may never finish.
      work.cancel()
    }
    Task {
      await work.value
      threads.end()
    }
  }

  private func make() async {
    while !Task.isCancelled {
      let (next, isOver) = state.withLock { state in
        (state.waiting.isEmpty || state.isOver ? nil : state.waiting.removeFirst(), state.isOver)
      }
      if let next {
        await next.make()
      } else if isOver {
        return
      } else {
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  private func giveWay(_ threads: IdleThreads) async {
    while case let (clips, isOver) = state.withLock({ (Array($0.clips.values), $0.isOver) }), !isOver {
      threads.giveWay()
      for clip in clips { clip.giveWay() }
      try? await Task.sleep(for: Self.pause)
    }
  }
}
