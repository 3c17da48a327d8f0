import Dispatch
import Platform
import Takes

/// Opens outputs of takes in the background, while the writer keeps emptying the ring. Opens one after
/// another, because two may need the same name.
struct OutputOpener {
  private let queue = DispatchQueue(label: "overcrank-open")
  private let make: MakeTakeOutput

  init(_ make: @escaping MakeTakeOutput) { self.make = make }

  /// Begins to open the output of a take.
  func open(_ context: TakeContext) -> OutputOpening {
    let opening = OutputOpening()
    queue.async { [make] in
      do throws(CaptureError) {
        opening.settle(.success(try make(context)))
      } catch {
        opening.settle(.failure(error))
      }
    }
    return opening
  }

  /// Releases an unused output before the next one is opened.
  func discard(_ opening: OutputOpening) { queue.async { opening.drop() } }

  /// Waits until everything has been opened or released.
  func join() { queue.sync {} }
}

/// An output that is open, or being opened.
final class OutputOpening: @unchecked Sendable {
  // Unchecked: the output is handed from the thread that opened it to the one that uses it.
  private enum State {
    case opening
    case open(Result<any TakeOutput, CaptureError>)
    case gone
  }

  private let state = Monitor(State.opening)

  fileprivate func settle(_ result: Result<any TakeOutput, CaptureError>) {
    state.change { $0 = .open(result) }
  }

  fileprivate func drop() { state.change { $0 = .gone } }

  /// Whether opening has succeeded or failed.
  var isSettled: Bool { state.read { if case .opening = $0 { false } else { true } } }

  /// The error of opening, if known.
  var failure: CaptureError? {
    state.read { if case .open(.failure(let error)) = $0 { error } else { nil } }
  }

  /// Waits for the output to open, and returns it.
  func output() throws(CaptureError) -> any TakeOutput {
    let result = state.wait { state -> Result<any TakeOutput, CaptureError>? in
      switch state {
      case .opening: return nil
      case .open(let result):
        state = .gone
        return result
      case .gone: return .failure(.empty)
      }
    }
    return try result.get()
  }
}
