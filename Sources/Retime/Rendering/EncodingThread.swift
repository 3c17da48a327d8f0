import Media
import Platform
import Synchronization

/// A video encoder on a thread of its own.
///
/// An encoder may block for any time: while its queue is full, for the frames that remain at the end, and
/// when it is freed. Only this thread waits for that. A cancelled task continues at once, and an abandoned
/// encoder ends by itself.
final class EncodingThread: Sendable {
  /// The next input of an encoder.
  enum Input: Sendable {
    /// A picture, with its timestamp in frames.
    case picture(Picture, timestamp: Int64)
    /// The end of the pictures.
    case end
  }

  private struct State {
    var requests: [(input: Input, reply: Reply)] = []
    var isLeft = false
  }

  /// The track of the encoder's packets.
  let track: VideoTrack
  private let state = Monitor(State())
  /// The number of threads that have an encoder.
  fileprivate static let running = Atomic(0)

  /// Moves `encoder` to a thread.
  ///
  /// - Throws: `inputOutput` if the system cannot create a thread.
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

  /// Returns the packets that the encoder has after `input`; `nil` if the task was cancelled first.
  ///
  /// - Throws: `unsupported` if the encoder refuses a picture.
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

  /// Encodes requests until the `EncodingThread` is released.
  private static func serve(_ state: Monitor<State>, with encoder: consuming VideoEncoder) {
    func next() -> (input: Input, reply: Reply)? {
      state.wait { state -> (input: Input, reply: Reply)?? in
        // `.none` waits for a request; `.some(.none)` ends the thread.
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

  /// The answer to one request; the first one given counts.
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
  /// Whether an encoder is still running, such as that of a cancelled clip. A program can end without waiting
  /// for it by `_exit(2)`.
  package static var hasEncodersAtWork: Bool { EncodingThread.running.load(ordering: .relaxed) > 0 }
}

extension VideoEncoder {
  /// Sends `input` to the encoder, and returns the packets that are then available.
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
