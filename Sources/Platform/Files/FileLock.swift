internal import Glibc
package import SystemPackage
internal import Timebase

/// Files that other programs of this kind leave as they are until it is released.
///
/// Who reads a file for long shares it with others who do; who removes or changes it has it alone. The lock is on the
/// file, whatever its name, and a file of several names is locked once. A file that cannot be opened is not locked, nor
/// is one where there are no locks: whoever then works with it meets that itself. The corresponding call is flock(2),
/// so a lock never outlives the program that has it.
package final class FileLock: Sendable {
  /// What a lock is for.
  package enum Purpose: Hashable, Sendable {
    /// The files are read, and stay.
    case reading
    /// The files are removed or changed.
    case changing
  }

  private let descriptors: [FileDescriptor]
  private let files: Set<FileIdentity>

  /// Locks the files at `paths`; none stays locked where one cannot be had.
  ///
  /// - Parameters:
  ///   - paths: the files.
  ///   - purpose: what for.
  ///   - patience: how long to wait for others; zero does not wait.
  /// - Throws: ``OvercrankError/Code/busy``, with who has it.
  package init(
    _ paths: [FilePath], for purpose: Purpose, patience: Duration = .zero
  ) throws(OvercrankError) {
    var locked: [FileDescriptor] = []
    var files: Set<FileIdentity> = []
    let end = MonotonicClock.now + patience
    do throws(OvercrankError) {
      for path in paths {
        // A second lock of the same file would wait for the first.
        if let file = FileIdentity(path), files.contains(file) { continue }
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

  /// Returns whether the file that `path` leads to now is one of those that were locked.
  package func holds(_ path: FilePath) -> Bool { FileIdentity(path).map(files.contains) ?? false }

  deinit { for descriptor in descriptors { descriptor.unlockAndClose() } }

  /// Lets others have the files.
  package func release() { for descriptor in descriptors { flock(descriptor.rawValue, LOCK_UN) } }

  /// The file at `path`, locked; `nil` where it cannot be.
  private static func locked(
    _ path: FilePath, _ purpose: Purpose, until end: Instant
  ) throws(OvercrankError) -> FileDescriptor? {
    while true {
      guard
        let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
      else { return nil }
      let refusal = descriptor.lock(isShared: purpose == .reading)
      // Whoever had it may have put another in its place.
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
      "\(path): is in use: \(holder?.description ?? "another program") reads or changes it just now. Try again when "
        + "that has ended.")
  }
}

/// A process that has locked a file.
private struct LockHolder: CustomStringConvertible {
  let process: Int32
  let name: String

  /// `overcrank (process 1234)`.
  var description: String { "\(name) (process \(process))" }

  /// A process that has locked the file that is open as `descriptor`, as far as this user may see.
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
  /// Whether `path` leads to this very file.
  fileprivate func leadsTo(_ path: FilePath) -> Bool {
    guard let own = FileIdentity(self), let named = FileIdentity(path) else { return false }
    return own == named
  }
}
