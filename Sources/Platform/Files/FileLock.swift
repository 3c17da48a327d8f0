internal import Glibc
internal import Synchronization
package import SystemPackage
internal import Timebase

/// A lock that keeps other instances of this program from changing files until it is released.
///
/// Long reads of a file share its lock; removing or changing it requires an exclusive one. The lock is on the
/// file, whatever its name, and a file with several names is locked once. A file that cannot be opened is not
/// locked, nor is one on a file system without locks: code that then uses it gets the error itself. The
/// corresponding call is flock(2), so a lock never outlives the program that holds it.
package final class FileLock: Sendable {
  /// The purpose of a lock.
  package enum Purpose: Hashable, Sendable {
    /// The files are read and must stay.
    case reading
    /// The files are removed or changed.
    case changing
  }

  private let descriptors: [FileDescriptor]
  private let files: Set<FileIdentity>

  /// The inputs of the command that this program runs: see ``keepInput(_:)``.
  private static let inputs = Mutex<[FileIdentity: FileLock]>([:])

  /// Locks the files at `paths`; if one cannot be locked, none stays locked.
  ///
  /// - Parameters:
  ///   - paths: the files.
  ///   - purpose: the purpose of the lock.
  ///   - patience: the time to wait for other holders; zero does not wait.
  /// - Throws: ``OvercrankError/Code/busy``, which names the holder; ``OvercrankError/Code/cannotCreate`` if an input
  ///   of this command would be changed.
  package init(
    _ paths: [FilePath], for purpose: Purpose, patience: Duration = .zero
  ) throws(OvercrankError) {
    var locked: [FileDescriptor] = []
    var files: Set<FileIdentity> = []
    let end = MonotonicClock.now + patience
    do throws(OvercrankError) {
      for path in paths {
        // A second lock on the same file would wait for the first.
        if let file = FileIdentity(path), files.contains(file) { continue }
        if purpose == .changing { try Self.checkIsNoInput(path) }
        guard let descriptor = try Self.locked(path, purpose, until: end) else { continue }
        locked.append(descriptor)
        if let file = FileIdentity(descriptor) { files.insert(file) }
      }
    } catch {
      for descriptor in locked { descriptor.unlockAndClose() }
      throw error
    }
    descriptors = locked
    self.files = files
  }

  /// Creates the lock that the holder of `descriptor` has on its file, which is then held until both release it.
  init?(sharing descriptor: FileDescriptor) {
    let shared = FileDescriptor(rawValue: fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0))
    guard shared.rawValue >= 0 else { return nil }
    descriptors = [shared]
    files = Set([FileIdentity(shared)].compactMap(\.self))
  }

  /// Locks the file at `path`, which the command of this program reads, until the program ends: neither an output of the
  /// same command nor another program replaces it, whatever name leads to it. A pipe or device is left as it is.
  ///
  /// Not for a program that may change the file later, such as a studio.
  ///
  /// - Throws: ``OvercrankError/Code/busy`` if another program is changing it.
  package static func keepInput(_ path: FilePath) throws(OvercrankError) {
    guard (try? Stat(path).type) == .regular, let file = FileIdentity(path) else { return }
    let lock = try FileLock([path], for: .reading)
    inputs.withLock { $0[file] = lock }
  }

  /// Refuses to change the file at `path` if it is an input of this command.
  ///
  /// - Throws: ``OvercrankError/Code/cannotCreate``.
  package static func checkIsNoInput(_ path: FilePath) throws(OvercrankError) {
    guard let file = FileIdentity(path), inputs.withLock({ $0[file] != nil }) else { return }
    throw isInput(path)
  }

  /// Refuses to replace the file at `path` if one of `inputs` leads to it. For inputs that are not locked until the
  /// program ends, such as the take that a new clip is added to.
  ///
  /// - Parameters:
  ///   - path: the output.
  ///   - inputs: what the work for it reads; files that do not exist are skipped.
  /// - Throws: ``OvercrankError/Code/cannotCreate``.
  package static func check(_ path: FilePath, isNoneOf inputs: [FilePath]) throws(OvercrankError) {
    guard let file = FileIdentity(path), inputs.contains(where: { FileIdentity($0) == file }) else { return }
    throw isInput(path)
  }

  private static func isInput(_ path: FilePath) -> OvercrankError {
    OvercrankError(
      .cannotCreate,
      "\(path): is read by this very command, so it is not replaced. Choose another name for the output.")
  }

  /// Lets other programs read the files, too; returns `false`, without the lock, if another one took it first.
  package func admitReaders() -> Bool { descriptors.allSatisfy { $0.lock(isShared: true) == nil } }

  /// Returns whether the file now at `path` is one of the locked files.
  package func holds(_ path: FilePath) -> Bool { FileIdentity(path).map(files.contains) ?? false }

  deinit { for descriptor in descriptors { descriptor.unlockAndClose() } }

  /// Releases the locks.
  package func release() { for descriptor in descriptors { flock(descriptor.rawValue, LOCK_UN) } }

  /// Returns the file at `path`, locked; `nil` if it cannot be opened or locked.
  private static func locked(
    _ path: FilePath, _ purpose: Purpose, until end: Instant
  ) throws(OvercrankError) -> FileDescriptor? {
    while true {
      guard
        let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
      else { return nil }
      let refusal = descriptor.lock(isShared: purpose == .reading)
      // The previous holder may have replaced the file.
      if refusal == nil, descriptor.leadsTo(path) { return descriptor }
      let holder = refusal == .wouldBlock ? LockHolder(of: descriptor) : nil
      descriptor.unlockAndClose()
      if let refusal, refusal != .wouldBlock { return nil }
      guard refusal == nil || MonotonicClock.now < end else { throw inUse(path, by: holder) }
      if refusal != nil { usleep(10_000) }
    }
  }

  private static func inUse(_ path: FilePath, by holder: LockHolder?) -> OvercrankError {
    OvercrankError(
      .busy,
      "\(path): is in use: \(holder?.description ?? "another program") is reading or changing it. Try again when "
        + "it has finished.")
  }
}

/// A process that has locked a file.
private struct LockHolder: CustomStringConvertible {
  let process: Int32
  let name: String

  /// `overcrank (process 1234)`.
  var description: String { "\(name) (process \(process))" }

  /// Finds a process that holds a lock on the file open as `descriptor`, as far as this user may see.
  init?(of descriptor: FileDescriptor) {
    guard let file = FileIdentity(descriptor) else { return nil }
    let system = SystemFolder()
    for process in system.names(in: "/proc").compactMap(Int32.init).sorted() {
      let folder = FilePath("/proc/\(process)")
      let locks = system.names(in: folder.appending("fd")).contains { number in
        guard FileIdentity(folder.appending("fd/\(number)")) == file,
          let facts = try? WholeFile.bytes(of: folder.appending("fdinfo/\(number)"), atMost: 1 << 16)
        else { return false }
        return String(decoding: facts, as: UTF8.self).contains("\nlock:")
      }
      guard locks else { continue }
      self.process = process
      name = system.line(folder.appending("comm")) ?? "a process"
      return
    }
    return nil
  }
}

extension FileDescriptor {
  /// Returns whether `path` leads to this file.
  fileprivate func leadsTo(_ path: FilePath) -> Bool {
    guard let own = FileIdentity(self), let named = FileIdentity(path) else { return false }
    return own == named
  }
}
