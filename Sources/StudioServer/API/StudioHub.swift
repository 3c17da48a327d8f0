import Synchronization

/// A broadcaster that sends the studio's state and its notices to every page.
///
/// Each reader has the newest state and a bounded queue of notices: a slow reader misses intermediate states,
/// and delays no other reader.
final class StudioHub: Sendable {
  private struct State {
    var readers: [Int: Reader] = [:]
    var next = 0
    var newest: [UInt8]?
    /// The errors before the first reader came.
    var early: [[UInt8]] = []
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// The state and the notices that one page has not read yet.
  final class Reader: Sendable {
    private struct Box {
      var state: [UInt8]?
      var notices: [[UInt8]] = []
    }

    private let box = Mutex(Box())
    /// One element for each time that there may be something to read.
    let wakes: AsyncStream<Void>
    fileprivate let wake: AsyncStream<Void>.Continuation
    private static let mostNotices = 64

    fileprivate init() { (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    fileprivate func put(state: [UInt8]) {
      box.withLock { $0.state = state }
      wake.yield()
    }

    fileprivate func put(notice: [UInt8]) {
      box.withLock { box in
        box.notices.append(notice)
        if box.notices.count > Self.mostNotices { box.notices.removeFirst() }
      }
      wake.yield()
    }

    /// Wakes the reader.
    func stir() { wake.yield() }

    /// Removes and returns the notices and the newest state, which is `nil` if it has not changed.
    func take() -> (notices: [[UInt8]], state: [UInt8]?) {
      box.withLock { box in
        defer { box = Box() }
        return (box.notices, box.state)
      }
    }
  }

  /// Sends the current state to all readers.
  func publish(_ value: StudioState) {
    guard let bytes = try? JSONAnswer.bytes(value) else { return }
    let readers = state.withLock { state in
      state.newest = bytes
      return Array(state.readers.values)
    }
    for reader in readers { reader.put(state: bytes) }
  }

  /// Sends a notice to all readers; an error from before the first reader to that one.
  func publish(_ notice: StudioNotice) {
    guard let bytes = try? JSONAnswer.bytes(notice) else { return }
    let readers = state.withLock { state in
      if state.next == 0, notice.kind == .error { state.early.append(bytes) }
      return Array(state.readers.values)
    }
    for reader in readers { reader.put(notice: bytes) }
  }

  /// Ends all readers.
  func end() {
    let readers = state.withLock { state in
      state.hasEnded = true
      return Array(state.readers.values)
    }
    for reader in readers { reader.wake.finish() }
  }

  /// The number of readers.
  var readerCount: Int { state.withLock { $0.readers.count } }

  /// Calls `body` with a reader that starts with the newest state.
  func read<Value>(_ body: (Reader) async throws -> Value) async rethrows -> Value {
    let reader = Reader()
    let number = state.withLock { state in
      let number = state.next
      state.next += 1
      state.readers[number] = reader
      for notice in state.early { reader.put(notice: notice) }
      state.early = []
      if let newest = state.newest { reader.put(state: newest) }
      if state.hasEnded { reader.wake.finish() }
      return number
    }
    defer { state.withLock { _ = $0.readers.removeValue(forKey: number) } }
    return try await body(reader)
  }
}
