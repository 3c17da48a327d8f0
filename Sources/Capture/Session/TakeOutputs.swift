/// The outputs of a session's takes: the next is opened before its trigger, and each is closed in the
/// background.
struct TakeOutputs {
  private let opener: OutputOpener
  private let closer = TakeCloser()
  private let report: TakeCloser.Report
  /// The output of the next take.
  private var next: OutputOpening?

  /// Creates the outputs.
  ///
  /// - Parameter report: Called with the result of each take, on a separate thread.
  init(_ make: @escaping MakeTakeOutput, report: @escaping TakeCloser.Report) {
    opener = OutputOpener(make)
    self.report = report
  }

  /// Begins to open the output of the next take, unless that has been done.
  mutating func prepare(_ context: TakeContext) { if next == nil { next = opener.open(context) } }

  /// The error of opening the next output, if known.
  var failure: CaptureError? { next?.failure }

  /// Returns the output of the take that begins.
  mutating func takeNext(_ context: TakeContext) -> OutputOpening {
    next.take() ?? opener.open(context)
  }

  /// Opens an output and waits for it.
  func open(_ context: TakeContext) throws(CaptureError) -> OutputOpening {
    let opening = opener.open(context)
    opener.join()
    if let error = opening.failure { throw error }
    return opening
  }

  /// Releases the prepared output of a take that will not begin.
  mutating func discardNext() { if let next = next.take() { opener.discard(next) } }

  /// Closes `take` in the background.
  func close(_ take: TakeInProgress, failure: CaptureError?) {
    closer.close(take, failure: failure, report: report)
  }

  /// Waits until all outputs are open.
  func joinOpening() { opener.join() }

  /// Waits until all takes are closed.
  func joinClosing() { closer.join() }
}
