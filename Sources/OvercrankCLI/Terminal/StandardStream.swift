import Foundation
import Overcrank
import Synchronization

/// Standard output or standard error, written by its own thread.
///
/// A stopped terminal, or a pipe that is not read, blocks only that thread. At most 64 KiB wait: beyond that,
/// words are dropped, and callers that print facts wait.
final class StandardStream: Sendable {
  /// A text to write.
  enum Text: Sendable {
    /// Facts for people, wrapped to the terminal's width.
    case facts(String)
    /// Facts whose lines stay as they are, such as JSON.
    case data(String)
    /// Words: remarks and errors.
    case words(String)

    fileprivate var isFact: Bool { if case .words = self { false } else { true } }

    fileprivate func text(columns: Int?) -> String {
      switch self {
      case .facts(let text), .words(let text): columns.map { text.wrapped(to: $0) } ?? text
      case .data(let text): text
      }
    }
  }

  private struct State {
    var texts: [Text] = []
    var byteCount = 0
    /// The number of words dropped for lack of room.
    var skipped = 0
    /// The status line at the bottom of the terminal.
    var line: String?
    var isLineNew = false
    /// Whether the terminal has echoed a key, such as `^C`, into the last line.
    var hasEcho = false
    var isWriting = false
    /// Whether there is no thread, so that callers write texts themselves.
    var hasNoThread = false
    /// Whether the stream is no longer being read.
    var isAbandoned = false
    /// The errno of the first fact that could not be written; 0 if none failed.
    var factsErrno: Int32 = 0

    var isIdle: Bool { texts.isEmpty && !isWriting && !isLineNew }
  }

  private let descriptor: Int32
  /// Whether it is a terminal.
  let isTerminal: Bool
  private let state = Monitor(State())
  /// The number of bytes written so far.
  private let taken = Atomic<Int>(0)

  private static let most = 64 << 10

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    let thread = NamedThread(name: "overcrank-text") { [self] in run() }
    // Without a thread, the caller must write, even to a stopped terminal.
    if thread == nil { state.change { $0.hasNoThread = true } }
  }

  /// Queues a text that ends with its line. Words never wait; facts wait for those before them, but no longer
  /// than `patience` without progress.
  func put(_ text: Text, patience: () -> Duration? = { nil }) {
    guard !state.read({ $0.hasNoThread }) else {
      let errno = factsErrno(of: text, columns: isTerminal ? Console.columns(of: descriptor) : nil)
      state.change { if $0.factsErrno == 0 { $0.factsErrno = errno } }
      return
    }
    if text.isFact { _ = wait(patience: patience) { $0.byteCount < Self.most || $0.isAbandoned } }
    state.change { state in
      guard !state.isAbandoned else { return }
      guard text.isFact || state.byteCount < Self.most else {
        state.skipped += 1
        return
      }
      state.texts.append(text)
      state.byteCount += text.text(columns: nil).utf8.count
    }
  }

  /// Redraws the status line at the bottom of the terminal; `nil` clears it.
  func draw(_ line: String?) {
    state.change { state in
      guard state.line != line, !state.isAbandoned, !state.hasNoThread else { return }
      state.line = line
      state.isLineNew = true
    }
  }

  /// Notes that the terminal has echoed a key into the last line, which is cleared before further output.
  func noteEcho() {
    guard isTerminal else { return }
    state.change { state in
      guard !state.hasNoThread else { return }
      state.hasEcho = true
      state.isLineNew = true
    }
  }

  /// Waits until all has been written; gives up for good after `patience` without progress.
  func drain(patience: () -> Duration?) {
    guard !wait(patience: patience, until: { $0.isIdle || $0.isAbandoned }) else { return }
    state.change { $0.isAbandoned = true }
  }

  /// The errno of the first fact that could not be written; 0 if none failed.
  var factsErrno: Int32 { state.read { $0.factsErrno } }

  /// Waits for `condition`, and returns whether it became true.
  private func wait(patience: () -> Duration?, until condition: (borrowing State) -> Bool) -> Bool {
    var (before, since) = (taken.load(ordering: .relaxed), ContinuousClock.now)
    while !state.read(condition) {
      let now = taken.load(ordering: .relaxed)
      if now != before { (before, since) = (now, .now) }
      if let patience = patience(), .now - since >= patience { return false }
      usleep(500)
    }
    return true
  }

  // MARK: The thread

  private struct Work {
    var texts: [Text]
    var skipped: Int
    var line: String?
    var hasEcho: Bool
  }

  private func run() {
    // The number of columns of the status line on the terminal.
    var shown = 0
    while true {
      let work = state.wait { state -> Work? in
        guard !state.texts.isEmpty || state.isLineNew else { return nil }
        let work = Work(
          texts: state.texts, skipped: state.skipped, line: state.line, hasEcho: state.hasEcho)
        (state.texts, state.byteCount, state.skipped) = ([], 0, 0)
        (state.isLineNew, state.hasEcho, state.isWriting) = (false, false, true)
        return work
      }
      let errno = write(work, over: &shown)
      state.change { state in
        state.isWriting = false
        if state.factsErrno == 0 { state.factsErrno = errno }
      }
    }
  }

  /// Writes the queued texts, and returns the errno of the first fact that failed; 0 if none did.
  private func write(_ work: Work, over shown: inout Int) -> Int32 {
    let columns = isTerminal ? Console.columns(of: descriptor) : nil
    var factsErrno: Int32 = 0
    if shown > 0 || work.hasEcho, !work.texts.isEmpty || work.line == nil {
      // `^C` takes two columns after the line.
      _ = write(TerminalLine.erasing(shown + 2))
      shown = 0
    }
    for text in work.texts {
      let errno = self.factsErrno(of: text, columns: columns)
      if factsErrno == 0 { factsErrno = errno }
    }
    if work.skipped > 0 { _ = write("(\(work.skipped) messages left out: no program read them.)\n") }
    if let line = work.line, let columns {
      let text = line.fittedLine(to: columns - 3)
      _ = write("\r\(text)" + TerminalLine.blank(after: text.count, over: shown + 2))
      shown = text.count
    }
    return factsErrno
  }

  /// Writes a text, and returns the errno if it was a fact that could not be written; 0 otherwise.
  private func factsErrno(of text: Text, columns: Int?) -> Int32 {
    let errno = write(text.text(columns: columns))
    // A reader that leaves early, as head does, needs no more, and neither does a closed terminal.
    let hasLeft = errno == EPIPE || isTerminal && errno == EIO
    return text.isFact && !hasLeft ? errno : 0
  }

  /// Writes all of `text`, however long that takes, and returns the errno of a failure. It does not throw,
  /// because a failed message is no reason to lose a recording.
  private func write(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, rest.baseAddress, min(rest.count, 4096))
        if count >= 0 {
          taken.add(count, ordering: .relaxed)
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if errno == EAGAIN {
          // Another program has made the shared terminal non-blocking.
          var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wanted, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }
}
