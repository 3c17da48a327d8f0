import Overcrank
import Synchronization

/// A queue of clips, which are made one at a time.
final class ClipQueue: Sendable {
  /// A clip to make.
  struct Job: Sendable {
    /// The take file, or the group's file for a clip of all its cameras.
    var take: FilePath
    /// The spec of the clip.
    var spec = ClipSpec()
    /// The path of the clip; `nil` for the default name of a further clip.
    var clip: FilePath?
    /// The take files of a group's cameras.
    var takes: [FilePath] = []
  }

  /// The result of a job.
  struct Outcome: Sendable {
    var job: Job
    var result: Result<FilePath, any Error>
  }

  /// The progress of a clip.
  struct Progress: Hashable, Sendable {
    var take: FilePath
    /// The fraction that is done, from 0 to 1.
    var fraction: Double
  }

  private struct State {
    var waiting: [Job] = []
    var current: Progress?
    /// The task that makes the current clip.
    var work: Task<FilePath, any Error>?
    /// The job of the current clip.
    var job: Job?
    var isHeld = false
    var hasEnded = false
    /// The jobs that were not finished when the queue ended.
    var left: [Job] = []
  }

  private let state = Mutex(State())
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation
  private let changed: @Sendable () -> Void
  private let finished: @Sendable (Outcome) async -> Void
  private let thumbnails: Thumbnails?
  private static let mostWaiting = 32

  /// - Parameters:
  ///   - thumbnails: the thumbnails of file managers; `nil` to write none.
  ///   - changed: called whenever the waiting and the current clips change.
  ///   - finished: called with the outcome of each finished job.
  init(
    thumbnails: Thumbnails? = Thumbnails(), changed: @escaping @Sendable () -> Void,
    finished: @escaping @Sendable (Outcome) async -> Void
  ) {
    self.thumbnails = thumbnails
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (self.changed, self.finished) = (changed, finished)
  }

  /// The clips that are waiting or being made.
  var progress: [Progress] {
    state.withLock { state in
      [state.current].compactMap(\.self) + state.waiting.map { Progress(take: $0.take, fraction: 0) }
    }
  }

  /// The jobs that were not finished when the queue ended.
  var left: [Job] { state.withLock { $0.left } }

  /// Returns whether a clip of this take, or one that shows it beside others, is waiting or being made.
  func holds(_ take: FilePath) -> Bool {
    state.withLock { state in
      ([state.job].compactMap(\.self) + state.waiting).contains { $0.take == take || $0.takes.contains(take) }
    }
  }

  /// Adds a job to the queue or, once the queue has ended, to ``left``.
  ///
  /// - Throws: `APIError.busy` if too many are waiting.
  func add(_ job: Job) throws(APIError) {
    let isTaken = state.withLock { state in
      guard !state.hasEnded else {
        state.left.append(job)
        return true
      }
      guard state.waiting.count < Self.mostWaiting else { return false }
      state.waiting.append(job)
      return true
    }
    guard isTaken else { throw .busy }
    changed()
    wake.yield()
  }

  /// Cancels the clips of `take` that wait or are being made, and leaves no file of them. Returns whether there were any.
  func cancel(_ take: FilePath) -> Bool {
    let isCancelled = state.withLock { state in
      let isCurrent = state.current?.take == take
      if isCurrent { state.work?.cancel() }
      let count = state.waiting.count
      state.waiting.removeAll { $0.take == take }
      return isCurrent || state.waiting.count < count
    }
    if isCancelled { changed() }
    return isCancelled
  }

  /// Pauses or resumes the queue: recording a take may need all processors.
  func hold(_ isHeld: Bool) {
    state.withLock { $0.isHeld = isHeld }
    wake.yield()
  }

  /// Makes clips until the task is cancelled, which leaves no file of an unfinished clip.
  func run() async {
    for await _ in wakes {
      while let (job, work) = next() {
        let result = await withTaskCancellationHandler {
          await work.result
        } onCancel: {
          work.cancel()
        }
        let isCancelled = work.isCancelled && (try? result.get()) == nil
        state.withLock { state in
          (state.current, state.work, state.job) = (nil, nil, nil)
          if isCancelled, Task.isCancelled { state.left.append(job) }
        }
        changed()
        if !isCancelled { await finished(Outcome(job: job, result: result)) }
        if Task.isCancelled { break }
      }
      if Task.isCancelled { break }
    }
    state.withLock { state in
      state.hasEnded = true
      state.left += state.waiting
      state.waiting = []
    }
  }

  private func next() -> (job: Job, work: Task<FilePath, any Error>)? {
    state.withLock { state in
      guard !state.isHeld, !state.waiting.isEmpty else { return nil }
      let job = state.waiting.removeFirst()
      let work = Task { try await make(job) }
      state.current = Progress(take: job.take, fraction: 0)
      (state.work, state.job) = (work, job)
      return (job, work)
    }
  }

  private func make(_ job: Job) async throws -> FilePath {
    let video = try source(of: job)
    let path = (try job.clip ?? video.clipName(in: video.container(for: job.spec))).free
    let made = try await video.makeClip(to: path, spec: job.spec) { self.note($0, of: job) }
    if let unentered = made.unentered { throw unentered }
    // Without these thumbnails, a file manager makes its own or shows none.
    if let thumbnails {
      _ = try? TakeLibrary(job.take.folder).entry(at: job.take)?.writeThumbnails(to: thumbnails)
    }
    return path
  }

  /// Opens the master of a job's take, or those of its group's cameras.
  private func source(of job: Job) throws -> SourceVideo {
    guard !GroupVideo.isNamed(by: job.take) else { return try GroupVideo(job.take).video }
    guard let entry = TakeLibrary(job.take.folder).entry(at: job.take), let master = entry.master else {
      throw OvercrankError(.noInput, "The take's master is missing, and clips can only be made from it.")
    }
    let video = try SourceVideo(master)
    entry.removeUnfinishedClips()
    return video
  }

  private func note(_ progress: ClipProgress, of job: Job) {
    let fraction = progress.total > 0 ? min(1, Double(progress.done) / Double(progress.total)) : 0
    state.withLock { $0.current?.fraction = fraction }
    changed()
  }
}
