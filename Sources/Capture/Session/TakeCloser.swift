import Platform

/// Closes takes beside the writer, which goes on emptying the ring while a disk takes its time.
final class TakeCloser {
  private var threads: [NamedThread] = []
  private static let mostThreads = 4

  /// Is told what a take left, or why there is none.
  typealias Report = @Sendable (Int, Result<Recording, CaptureError>) -> Void

  private final class Work: @unchecked Sendable {
    // Unchecked: handed from the thread that made it to the one that it is for.
    private var take: TakeInProgress?
    private let failure: CaptureError?

    init(_ take: TakeInProgress, failure: CaptureError?) {
      self.take = take
      self.failure = failure
    }

    func close(report: Report) {
      guard var take = take.take() else { return }
      do throws(CaptureError) {
        report(take.number, .success(try take.writer.finish(take.facts, failure: failure)))
      } catch {
        report(take.number, .failure(error))
      }
    }
  }

  /// Closes `take` on a thread of its own, and reports there.
  func close(_ take: TakeInProgress, failure: CaptureError?, report: @escaping Report) {
    let work = Work(take, failure: failure)
    guard let thread = NamedThread(name: "overcrank-close", { work.close(report: report) }) else {
      work.close(report: report)
      return
    }
    threads.append(thread)
    // The oldest is done by now unless the disk is takes behind: then more at once are no use.
    if threads.count > Self.mostThreads { threads.removeFirst().join() }
  }

  /// Waits until all have been closed.
  func join() {
    for thread in threads { thread.join() }
    threads = []
  }
}
