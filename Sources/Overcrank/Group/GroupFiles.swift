import Capture
import Platform
import Synchronization
import SystemPackage
import Takes

/// The group files of a recording: each is written once every camera's take is complete.
final class GroupFiles: Sendable {
  fileprivate struct State {
    /// The numbers of the takes that have ended, for each camera.
    var ended: [Set<Int>]
    var isOver: [Bool]
    var errors: [OvercrankError?]
    /// The takes whose files are written or being written.
    var claimed: Set<Int> = []
    var written: [Int: FilePath] = [:]
    var failure: OvercrankError?
    /// The remarks on takes, by their files.
    var remarks: [FilePath: String] = [:]
    var listener: (@Sendable (Int, Result<FilePath, OvercrankError>) -> Void)?
  }

  private let members: [GroupRecorder.Member]
  private let names: GroupNames
  private let isReplacing: Bool
  private let endsTogether: Bool
  private let state: Mutex<State>

  /// Starts to hear the sessions of `members`; none may have started.
  ///
  /// - Parameter endsTogether: whether the takes of all cameras end at one moment.
  init(
    of members: [GroupRecorder.Member], named names: GroupNames, replacing isReplacing: Bool,
    endsTogether: Bool
  ) {
    self.endsTogether = endsTogether
    self.members = members
    self.names = names
    self.isReplacing = isReplacing
    state = Mutex(
      State(
        ended: members.map { _ in [] }, isOver: members.map { _ in false }, errors: members.map { _ in nil }))
    for (place, member) in members.enumerated() {
      member.recorder.session.onEvent { [weak self] event in self?.hear(event, from: place) }
    }
  }

  /// The files written so far, by the numbers of their takes.
  var written: [Int: FilePath] { state.withLock(\.written) }
  /// The first error of writing one.
  var failure: OvercrankError? { state.withLock(\.failure) }
  /// The remarks on takes, by their files.
  var remarks: [FilePath: String] { state.withLock(\.remarks) }
  /// The error of each camera that failed.
  var errors: [OvercrankError?] { state.withLock(\.errors) }

  /// Calls `body` with each take's number and its file, or the error of writing that.
  func onWritten(_ body: @escaping @Sendable (Int, Result<FilePath, OvercrankError>) -> Void) {
    state.withLock { $0.listener = body }
  }

  /// Hears an event of a camera's session, after its recorder has written the take file.
  private func hear(_ event: SessionEvent, from place: Int) {
    switch event.kind {
    case .takeEnded(let number, let result):
      state.withLock { state in
        state.ended[place].insert(number)
        let failure: CaptureError? =
          switch result {
          case .success(let recording): recording.failure
          case .failure(let error): error
          }
        state.note(failure, of: place)
      }
    case .ended(let end):
      state.withLock { state in
        state.isOver[place] = true
        state.note(end.failure, of: place)
      }
    default: return
    }
    let due = state.withLock { state in
      let numbers = state.ended.reduce(into: Set()) { $0.formUnion($1) }
      let due = numbers.filter { number in
        !state.claimed.contains(number)
          && members.indices.allSatisfy { state.isOver[$0] || state.ended[$0].contains(number) }
      }
      state.claimed.formUnion(due)
      return due.sorted()
    }
    for number in due { write(number) }
  }

  private func write(_ number: Int) {
    let takes = members.compactMap { member in
      member.recorder.takes.first { $0.number == number }
        .map { GroupMember(name: member.name, path: $0.files.take, take: $0.take) }
    }
    guard let first = takes.first else { return }
    let errors = errors
    let cameras = takes.enumerated().map { place, take in
      TakeGroup.Camera(take: take.path.name, of: take, beside: place == 0 ? nil : first)
    }
    var silences: [String: String] = [:]
    for (take, silence) in zip(takes, endsTogether ? GroupMember.silences(takes, at: cameras) : []) {
      guard let silence else { continue }
      let words =
        "No frame arrived in the last \(silence.inSeconds.decimal(places: 2)) s, so the take is shorter than those of "
        + "the other cameras."
      silences[take.name] = words
      state.withLock { $0.remarks[take.path] = words }
    }
    let group = TakeGroup(
      overcrank: Version.current, cameras: cameras, trigger: first.take.trigger,
      failed: zip(members, errors).compactMap { member, error in
        (error?.description ?? silences[member.name]).map {
          TakeGroup.Failure(name: member.name, camera: member.recorder.device.name, error: $0)
        }
      })
    let path = names.group(number)
    let result: Result<FilePath, OvercrankError>
    do throws(OvercrankError) {
      try group.write(to: path, replacing: isReplacing)
      state.withLock { $0.written[number] = path }
      result = .success(path)
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
      result = .failure(error)
    }
    state.withLock(\.listener)?(number, result)
  }
}

extension GroupFiles.State {
  /// Notes the failure of a camera; the first counts.
  fileprivate mutating func note(_ failure: CaptureError?, of place: Int) {
    guard let failure, failure.isOfCamera, errors[place] == nil else { return }
    errors[place] = OvercrankError(failure)
  }
}
