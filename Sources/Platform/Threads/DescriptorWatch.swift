internal import CLinux
internal import Glibc

/// A thread that reads descriptors as soon as they have something to read, until this object is released.
///
/// Dispatch's read sources do not serve for a device that may be unplugged: on Linux, they may crash the
/// program if the device hangs up while a source is cancelled (swift-corelibs-libdispatch, issue 949).
package final class DescriptorWatch: Sendable {
  /// The end of a pipe, which is closed when it is released.
  fileprivate final class PipeEnd: Sendable {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  /// The thread's wait for its descriptors.
  package struct Wait: Sendable {
    private let end: PipeEnd

    fileprivate init(until end: PipeEnd) { self.end = end }

    /// Waits until a descriptor has something to read, has failed or has hung up.
    ///
    /// - Parameters:
    ///   - descriptors: The descriptors, which stay open during the wait.
    ///   - timeout: The longest wait; `nil` for no limit.
    /// - Returns: the descriptors that are ready, none after `timeout`; `nil` once the watch is released.
    package func next(of descriptors: [Int32], within timeout: Duration? = nil) -> [Int32]? {
      var entries = ([end.descriptor] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&entries, nfds_t(entries.count), timeout?.pollMilliseconds ?? -1) > 0 else { return [] }
      guard entries[0].revents == 0 else { return nil }
      return entries.dropFirst().filter { $0.revents != 0 }.map(\.fd)
    }
  }

  /// The pipe's other end, whose closing ends the thread's wait.
  private let holder: PipeEnd

  /// Starts a thread called `name`; `nil` if the system has no thread or no pipe available.
  ///
  /// - Parameter body: The thread's work, which should return once its wait returns `nil`.
  package init?(name: String, _ body: @escaping @Sendable (Wait) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { return nil }
    let wait = Wait(until: PipeEnd(ends[0]))
    holder = PipeEnd(ends[1])
    guard NamedThread(name: name, { body(wait) }) != nil else { return nil }
  }
}
