import Platform

/// Closes takes in the background, while the writer keeps emptying the ring.
final class TakeCloser {
  private var threads: [NamedThread] = []
  private static let mostThreads = 4

  /// A function that receives a take's number, and its recording or error.
  typealias Report = @Sendable (Int, Result<Recording, CaptureError>) -> Void

  private final class Work: @unchecked Sendable {
    // Unchecked: handed from the thread that created it to the one that uses it.
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

  /// Closes `take` on its own thread, and reports there.
  func close(_ take: TakeInProgress, failure: CaptureError?, report: @escaping Report) {
    let work = Work(take, failure: failure)
    guard let thread = NamedThread(name: "overcrank-close", { work.close(report: report) }) else {
      work.close(report: report)
      return
    }
    threads.append(thread)
    // The oldest take is closed by now unless the disk is several takes behind; more threads would not help
    // then.
    if threads.count > Self.mostThreads { threads.removeFirst().join() }
  }

  /// Waits until all takes have been closed.
  func join() {
    for thread in threads { thread.join() }
    threads = []
  }
}
