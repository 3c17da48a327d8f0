/// The outputs of a session's takes: the next is opened before its trigger, and each is closed beside the writer.
struct TakeOutputs {
  private let opener: OutputOpener
  private let closer = TakeCloser()
  private let report: TakeCloser.Report
  /// The output of the next take.
  private var next: OutputOpening?

  /// - Parameter report: is told what each take left, or why there is none, on a thread of its own.
  init(_ make: @escaping MakeTakeOutput, report: @escaping TakeCloser.Report) {
    opener = OutputOpener(make)
    self.report = report
  }

  /// Begins to open the output of the next take, unless it is open.
  mutating func prepare(_ context: TakeContext) { if next == nil { next = opener.open(context) } }

  /// Why the next take cannot be written, as far as is known.
  var failure: CaptureError? { next?.failure }

  /// Hands out the output of the take that begins.
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

  /// Lets go of the output that was prepared, for a take that does not come.
  mutating func discardNext() { if let next = next.take() { opener.discard(next) } }

  /// Closes `take` beside the writer.
  func close(_ take: TakeInProgress, failure: CaptureError?) {
    closer.close(take, failure: failure, report: report)
  }

  /// Waits until all outputs are open.
  func joinOpening() { opener.join() }

  /// Waits until all takes are closed.
  func joinClosing() { closer.join() }
}
