import Cameras
import Dispatch
import Platform
import Synchronization

/// Sets controls while a camera captures, beside the writer: a driver may take its time.
final class ControlSetter: Sendable {
  private struct State {
    /// What is to be set; the newest of each control.
    var waiting: [ControlChange] = []
    /// The controls that were set, with their values before.
    var set: [ControlOutcome] = []
  }

  private let queue = DispatchQueue(label: "overcrank-control")
  private let state = Mutex(State())
  private let events: SessionEventTeller

  init(_ events: SessionEventTeller) { self.events = events }

  /// Sets a control of `source` soon; in place of a value of the same control that still waits.
  func set(_ change: ControlChange, of source: CaptureSource) {
    let isNew = state.withLock { state in
      if let place = state.waiting.firstIndex(where: { $0.id == change.id }) {
        state.waiting[place] = change
        return false
      }
      state.waiting.append(change)
      return true
    }
    if isNew { queue.async { self.setNext(of: source) } }
  }

  private func setNext(of source: CaptureSource) {
    guard let change = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else { return }
    do throws(CameraError) {
      let outcome = try source.set(change)
      state.withLock { state in
        if !state.set.contains(where: { $0.change.id == change.id }) { state.set.append(outcome) }
      }
      events.tell(.controlChanged(outcome), at: MonotonicClock.now)
    } catch {
      events.tell(.error(.camera(error)), at: MonotonicClock.now)
    }
  }

  /// Waits for what is being set, and puts all controls of `source` back; why one could not be.
  func putBack(_ source: CaptureSource) -> CameraError? {
    queue.sync {
      var failure: CameraError?
      let outcomes = state.withLock { state in
        defer { state.set = [] }
        return state.set
      }
      for outcome in outcomes.reversed() {
        guard let before = outcome.before else { continue }
        let change = outcome.change
        let back = ControlChange(id: change.id, name: change.name, value: before, isRequired: false)
        do throws(CameraError) { _ = try source.set(back) } catch { failure = failure ?? error }
      }
      return failure
    }
  }
}
