import Capture
import Synchronization
import Timebase

/// Hands the triggers of the leading session to the sessions that record the same moment.
///
/// The first session leads: it alone hears the sources and the times of triggers, and decides which triggers
/// count. The others receive each of these with its moment. For them, the leader is a source of triggers,
/// which ends with its session. If the leader's camera is lost, the next session leads. If a session ends
/// before all of them have frames, the others end too.
final class TriggerRelay: Sendable {
  private struct State {
    var lead = 0
    var hasStarted: [Bool]
    var isOver: [Bool]
    /// Whether every session has had a frame.
    var haveAllStarted: Bool { hasStarted.allSatisfy(\.self) }
  }

  private let sessions: [CaptureSession]
  private let triggersAtStart: Bool
  private let state: Mutex<State>

  /// Starts to hear sessions.
  ///
  /// - Parameters:
  ///   - sessions: the sessions, the leading one first; none may have started.
  ///   - triggersAtStart: whether all are triggered as soon as each of them has frames.
  init(_ sessions: [CaptureSession], triggersAtStart: Bool) {
    self.sessions = sessions
    self.triggersAtStart = triggersAtStart
    let none = sessions.map { _ in false }
    state = Mutex(State(hasStarted: none, isOver: none))
    for (place, session) in sessions.enumerated() {
      if place > 0 { session.commands.sourceBegan() }
      session.onEvent { [weak self] event in self?.hear(event, from: place) }
    }
  }

  /// The place of the session that leads.
  var leader: Int { state.withLock(\.lead) }

  /// The session that leads.
  var lead: CaptureSession { sessions[leader] }

  /// Hears an event of a session, on that session's thread.
  private func hear(_ event: SessionEvent, from place: Int) {
    switch event.kind {
    case .started: started(place)
    case .triggered(_, .refused): break
    case .triggered(let trigger, _):
      for follower in followers(of: place) { follower.commands.trigger(trigger.relayed) }
    case .ended(let end): ended(place, end)
    default: break
    }
  }

  /// Returns the sessions that follow the one at `place`; none if it does not lead.
  private func followers(of place: Int) -> [CaptureSession] {
    state.withLock { state in
      guard state.lead == place else { return [] }
      return sessions.indices.filter { $0 != place && !state.isOver[$0] }.map { sessions[$0] }
    }
  }

  private func started(_ place: Int) {
    let isLast = state.withLock { state in
      state.hasStarted[place] = true
      return state.haveAllStarted
    }
    if isLast, triggersAtStart { lead.commands.trigger(TriggerEvent(.program, at: lead.now)) }
  }

  private func ended(_ place: Int, _ end: SessionEnd) {
    let followers = followers(of: place)
    guard state.withLock(\.haveAllStarted) else {
      for session in sessions { session.commands.send(.stop) }
      return
    }
    let heir = state.withLock { state -> Int? in
      state.isOver[place] = true
      guard state.lead == place, end.failure?.isOfCamera == true,
        let next = state.isOver.firstIndex(of: false)
      else { return nil }
      state.lead = next
      return next
    }
    if let heir {
      sessions[place].commands.pass(to: sessions[heir].commands, end.pendingTimes)
    } else {
      for follower in followers { follower.commands.sourceEnded() }
    }
  }
}

extension CaptureError {
  /// Whether it ended one camera's session, and not the recording as a whole.
  var isOfCamera: Bool {
    switch self {
    case .outOfTriggers, .empty: false
    default: true
    }
  }
}
