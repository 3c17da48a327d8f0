import Platform

/// Closes masters beside the writer, which so goes on to empty the ring while a disk takes its time.
final class TakeCloser {
  private var threads: [NamedThread] = []
  private static let mostThreads = 4

  /// What a take that has ended left: its number, and its recording or why there is none.
  typealias Report = @Sendable (Int, Result<Recording, CaptureError>) -> Void

  private final class Work: @unchecked Sendable {
    // Unchecked: handed from the thread that made it to the one that it is for.
    var take: TakeInProgress?
    init(_ take: consuming TakeInProgress) { self.take = .some(take) }
  }

  /// Closes `take` on a thread of its own, and reports there.
  func close(_ take: consuming TakeInProgress, report: @escaping Report) {
    let work = Work(take)
    let body: @Sendable () -> Void = {
      guard let take = work.take.take() else { return }
      Self.close(take, failure: nil, report: report)
    }
    guard let thread = NamedThread(name: "overcrank-close", body) else {
      body()
      return
    }
    threads.append(thread)
    // The oldest has long been done, unless the disk is takes behind: then there is no use in more at once.
    if threads.count > Self.mostThreads { threads.removeFirst().join() }
  }

  /// Closes `take` and reports.
  static func close(_ take: consuming TakeInProgress, failure: CaptureError?, report: Report) {
    let number = take.number
    do throws(CaptureError) {
      report(number, .success(try take.finish(failure: failure)))
    } catch {
      report(number, .failure(error))
    }
  }

  /// Waits until all have been closed.
  func join() {
    for thread in threads { thread.join() }
    threads = []
  }
}
