import Media
import Platform
import Synchronization

/// A video encoder on a thread of its own.
///
/// An encoder takes as long as it likes: while its queue is full, for all that it has left at the end, and before it can be
/// freed. Only this thread waits for that. A task that was cancelled goes on at once, and an encoder that was left ends by
/// itself.
final class EncodingThread: Sendable {
  /// The next that an encoder is given.
  enum Input: Sendable {
    /// A picture, shown at that time in pictures.
    case picture(Picture, timestamp: Int64)
    /// No more pictures come.
    case end
  }

  private struct State {
    var requests: [(input: Input, reply: Reply)] = []
    var isLeft = false
  }

  /// The encoder's packets.
  let track: VideoTrack
  private let state = Monitor(State())
  /// How many threads have an encoder.
  fileprivate static let running = Atomic(0)

  /// Moves `encoder` to a thread.
  ///
  /// - Throws: `inputOutput` where the system has no thread to give.
  init(_ encoder: consuming sending VideoEncoder) throws(OvercrankError) {
    track = encoder.track
    let held = Held(encoder)
    Self.running.add(1, ordering: .relaxed)
    let thread = NamedThread(name: "overcrank-code") { [state] in
      if let encoder = held.encoder.withLock({ $0.take() }) { Self.serve(state, with: encoder) }
      Self.running.subtract(1, ordering: .relaxed)
    }
    guard thread != nil else {
      Self.running.subtract(1, ordering: .relaxed)
      throw .noThread
    }
  }

  deinit { state.change { $0.isLeft = true } }

  /// The packets that the encoder has after `input`; `nil` where the task was cancelled before.
  ///
  /// - Throws: `unsupported` where the encoder refuses a picture.
  func packets(after input: Input) async throws(OvercrankError) -> [Packet]? {
    let reply = Reply()
    let packets = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        reply.wait(continuation)
        state.change { $0.requests.append((input, reply)) }
      }
    } onCancel: {
      reply.give(.success(nil))
    }
    return try packets.get()
  }

  /// Codes what comes until nobody is left to send anything.
  private static func serve(_ state: Monitor<State>, with encoder: consuming VideoEncoder) {
    func next() -> (input: Input, reply: Reply)? {
      state.wait { state -> (input: Input, reply: Reply)?? in
        // Nothing to do yet is none; nothing to do ever again is some of none.
        if state.isLeft { return .some(.none) }
        guard !state.requests.isEmpty else { return .none }
        return .some(.some(state.requests.removeFirst()))
      }
    }
    while let (input, reply) = next() {
      reply.give(Result { () throws(OvercrankError) in try encoder.code(input) })
    }
  }
}

extension EncodingThread {
  /// Holds an encoder until its thread takes it.
  private final class Held: Sendable {
    let encoder: Mutex<VideoEncoder?>
    init(_ encoder: consuming sending VideoEncoder) { self.encoder = Mutex(encoder) }
  }

  /// The answer to one request; the first that is given counts.
  private final class Reply: Sendable {
    typealias Content = Result<[Packet]?, OvercrankError>

    private enum State {
      case open
      case awaited(CheckedContinuation<Content, Never>)
      case given(Content)
    }

    private let state = Mutex(State.open)

    func give(_ content: Content) {
      let continuation = state.withLock { state -> CheckedContinuation<Content, Never>? in
        guard case .given = state else {
          defer { state = .given(content) }
          if case .awaited(let continuation) = state { return continuation }
          return nil
        }
        return nil
      }
      continuation?.resume(returning: content)
    }

    func wait(_ continuation: CheckedContinuation<Content, Never>) {
      let content = state.withLock { state -> Content? in
        if case .given(let content) = state { return content }
        state = .awaited(continuation)
        return nil
      }
      if let content { continuation.resume(returning: content) }
    }
  }
}

extension ClipRenderer {
  /// Whether an encoder is still at work, such as one of a clip that was cancelled. A program ends without waiting for it by
  /// `_exit(2)`.
  package static var hasEncodersAtWork: Bool { EncodingThread.running.load(ordering: .relaxed) > 0 }
}

extension VideoEncoder {
  /// Takes `input`; the packets that there are then.
  fileprivate mutating func code(_ input: EncodingThread.Input) throws(OvercrankError) -> [Packet] {
    switch input {
    case .picture(let picture, let timestamp): try send(picture, timestamp: timestamp)
    case .end: try finish()
    }
    var packets: [Packet] = []
    while let packet = try nextPacket() { packets.append(packet) }
    return packets
  }
}
