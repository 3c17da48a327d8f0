import Dispatch
import Foundation
import Overcrank
import Synchronization

/// A log that writes events to a file: one JSON object per line.
///
/// Writing has its own thread, so a reader that takes nothing blocks neither the session, a trigger, nor the
/// program's tasks.
struct EventLog {
  private let outcome: Outcome

  private final class Outcome: Sendable {
    /// Whether everything was written; `nil` until that is known.
    let isWritten = Mutex<Bool?>(nil)
  }

  init(_ sources: [EventSource], to descriptor: Int32) {
    let queue = BlockingQueue(label: "overcrank-events")
    let outcome = Outcome()
    self.outcome = outcome
    Task {
      let isWritten = await withTaskGroup(of: Bool.self) { group in
        for source in sources { group.addTask { await Self.write(source, to: descriptor, on: queue) } }
        return await group.allSatisfy(\.self)
      }
      outcome.isWritten.withLock { $0 = isWritten }
      if descriptor != STDOUT_FILENO { close(descriptor) }
    }
  }

  /// Writes the events of one session until its end. Returns whether all were accepted.
  private static func write(_ source: EventSource, to descriptor: Int32, on queue: BlockingQueue) async
    -> Bool
  {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      for try await event in source.events {
        guard let line = try? encoder.encode(NamedEvent(event: event, camera: source.camera)) else {
          continue
        }
        guard await queue.run({ write(line, to: descriptor) }) else { return false }
      }
    } catch {
      let last = ["event": "error", "message": Failure(error)?.message ?? "\(error)"]
      if let line = try? encoder.encode(last) { _ = await queue.run { write(line, to: descriptor) } }
    }
    return true
  }

  /// Waits until everything has been written, but at most two seconds after a signal. Returns whether it was.
  func finish() async -> Bool {
    let deadline = ContinuousClock.now + .seconds(2)
    while true {
      if let isWritten = outcome.isWritten.withLock({ $0 }) { return isWritten }
      if Interruption.shared.hasCome, .now >= deadline { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Opens `path` for events: a new file, or an existing pipe or device.
  static func open(_ path: FilePath, replacing: Bool) throws(Failure) -> Int32 {
    var status = stat()
    let exists = path.withPlatformString({ stat($0, &status) }) == 0
    let isFile = exists && status.st_mode & S_IFMT == S_IFREG
    if isFile, !replacing {
      throw Failure(
        "\(path): already exists. Choose another name for the events, or replace it with --force.",
        exitCode: ExitStatus.cannotCreate)
    }
    guard !isFile || (try? Stat(path, followTargetSymlink: false).type) == .regular else {
      throw Failure(
        "\(path): is a link to a file, which would be overwritten. Name the file itself, or another one.",
        exitCode: ExitStatus.cannotCreate)
    }
    do throws(OvercrankError) { try FileLock.checkIsNoInput(path) } catch { throw Failure(error) }
    // A pipe without a reader must not block the recording.
    let flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK | (exists ? isFile ? O_TRUNC : 0 : O_CREAT | O_EXCL)
    let descriptor = path.withPlatformString { Glibc.open($0, flags, 0o666) }
    guard descriptor >= 0 else {
      let answer = Errno(rawValue: errno)
      guard answer == .noSuchAddressOrDevice else { throw Failure(OvercrankError.creating(path, answer)) }
      throw Failure(
        "\(path): events cannot be written there: \(answer.inWords). "
          + "No program is reading from this pipe; start its reader first.",
        exitCode: ExitStatus.cannotCreate)
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return descriptor
  }

  /// Writes a line, and returns whether it was accepted.
  private static func write(_ line: Data, to descriptor: Int32) -> Bool {
    var rest = (line + [UInt8(ascii: "\n")])[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        // Another program has made the shared descriptor non-blocking.
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wanted, 1, -1)
        continue
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// The events of one session.
struct EventSource: Sendable {
  /// The camera's name among several; `nil` for a lone camera.
  var camera: String?
  let events: SessionEvents
}

/// An event that names its camera, if there are several.
private struct NamedEvent: Encodable {
  let event: SessionEvent
  let camera: String?

  private enum CodingKeys: CodingKey { case camera }

  func encode(to encoder: any Encoder) throws {
    try event.encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encodeIfPresent(camera, forKey: .camera)
  }
}

/// A thread for calls that may block forever, such as writing to a stopped terminal. The threads that run
/// tasks are few, and must not block.
struct BlockingQueue: Sendable {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  /// Runs `body` on the thread, and waits for its result.
  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
