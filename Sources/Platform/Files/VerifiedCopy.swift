internal import Glibc
public import SystemPackage

/// A copy of a file on another disk, verified by reading it back.
///
/// The copy is written under another name, synced to the disk, read back past the page cache, and compared
/// with the source. Only then does it get its name.
public struct VerifiedCopy: Hashable, Sendable {
  /// The file that was copied.
  public let source: FilePath
  /// The path of the copy.
  public let target: FilePath
  /// Whether the copy existed before, identical in every byte.
  public let wasThere: Bool
  /// The size in bytes.
  public let size: Int64
  private let state: SourceState

  /// A step of copying.
  public enum Step: Hashable, Sendable {
    /// The source is read and the copy written.
    case copying
    /// The copy is read back.
    case comparing
  }

  /// Copies `source` to `target`; `nil` if it was stopped.
  ///
  /// - Parameters:
  ///   - source: the file to copy.
  ///   - target: the path of the copy.
  ///   - progress: called for each piece with the number of further bytes; `false` stops the copy.
  /// - Throws: ``OvercrankError``. There is then no copy, and the file at `target` is unchanged:
  ///   ``OvercrankError/Code/cannotCreate`` if that is a different file.
  public init?(
    of source: FilePath, at target: FilePath, progress: (Step, Int64) -> Bool
  ) throws(OvercrankError) {
    let input = try InputFile(source)
    let state: SourceState
    do throws(Errno) { state = try SourceState(input.descriptor) } catch {
      throw OvercrankError.opening(source, error)
    }
    // Checked before opening it, which for a pipe would wait for a writer.
    let type = try? Stat(target, followTargetSymlink: false).type
    if let type { try Self.check(type, of: target) }
    if let existing = SourceState(target), existing.isSameFile(as: state) {
      throw OvercrankError(.cannotCreate, "\(target): is \(source) itself. Choose another folder.")
    }
    if let limit = target.largestFile, input.size > limit {
      throw OvercrankError(
        .cannotCreate,
        "\(target): cannot be created: it has \(input.size) bytes, and the file system there, FAT, cannot hold a file "
          + "of 4 GiB. Format the disk as exFAT, or use another.")
    }
    let exists = type != nil
    let isCopied =
      try exists
      ? Self.find(input, at: target, progress) : Self.write(input, state, to: target, progress)
    guard isCopied else { return nil }
    guard SourceState(source) == state else { throw Self.changed(source) }
    self.source = source
    self.target = target
    self.state = state
    size = input.size
    wasThere = exists
  }

  /// Removes the source, unless it has changed since it was compared.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``; the source then still exists.
  public func removeSource() throws(OvercrankError) {
    try checkSource()
    try source.removeFile()
  }

  /// Checks that the source has not changed since it was compared.
  ///
  /// - Throws: ``OvercrankError/Code/busy``.
  package func checkSource() throws(OvercrankError) {
    guard SourceState(source) == state else { throw Self.changed(source) }
  }

  /// Checks that an existing target is a regular file, as a copy must be.
  private static func check(_ type: FileType, of target: FilePath) throws(OvercrankError) {
    guard type != .regular else { return }
    let words =
      switch type {
      case .symbolicLink: "is a symbolic link, and a copy is never written through one"
      case .directory: "is a folder"
      default: "is not a regular file"
      }
    throw OvercrankError(
      .cannotCreate, "\(target): already exists, and \(words). Move it away, or choose another folder.")
  }

  /// Checks that the existing file at `target` is the copy; returns `false` if it was stopped.
  private static func find(
    _ input: InputFile, at target: FilePath, _ progress: (Step, Int64) -> Bool
  ) throws(OvercrankError) -> Bool {
    let isEqual: Bool?
    do {
      // The program that made it may not have synced it.
      let file = try FileDescriptor.open(
        target, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
      try file.closeAfter { try file.synchronize() }
      try target.folder.synchronize()
      isEqual = try DiskReader(target).holds(input) { !progress(.comparing, $0) }
    } catch {
      throw Self.failure(error, reading: target)
    }
    guard isEqual != false else {
      throw OvercrankError(
        .cannotCreate,
        "\(target): already exists, and differs from \(input.path). Move it away, or choose another "
          + "folder.")
    }
    return isEqual != nil
  }

  /// Writes the copy; returns `false` if it was stopped.
  private static func write(
    _ input: InputFile, _ state: SourceState, to target: FilePath, _ progress: (Step, Int64) -> Bool
  ) throws(OvercrankError) -> Bool {
    var file = try OutputFile(target, copying: true)
    if let count = Int(exactly: input.size), count > 0 { try file.reserve(count) }
    while file.position < input.size {
      let bytes = try input.bytes(at: file.position, count: 1 << 20)
      guard !bytes.isEmpty else { throw changed(input.path) }
      try file.write(bytes)
      guard progress(.copying, Int64(bytes.count)) else { return false }
    }
    guard let isEqual = try file.isOnDisk(as: input, isStopped: { !progress(.comparing, $0) }) else {
      return false
    }
    guard SourceState(input.path) == state else { throw changed(input.path) }
    guard isEqual else {
      throw OvercrankError(
        .inputOutput,
        "\(target): the disk returned data that differs from what was written: it is failing. Use "
          + "another disk; \(input.path) still exists.")
    }
    try file.commit()
    return true
  }

  private static func changed(_ source: FilePath) -> OvercrankError {
    OvercrankError(
      .busy,
      "\(source): changed while it was copied, so the copy is not valid. Try again when it no longer changes."
    )
  }

  fileprivate static func failure(_ error: any Error, reading target: FilePath) -> OvercrankError {
    error as? OvercrankError ?? .readingBack(target, error as? Errno ?? .ioError)
  }
}

extension FilePath {
  /// Checks that the disk, read past the page cache, gives back what was written to this file and synced.
  ///
  /// - Parameter isStopped: called often; `true` ends the check.
  /// - Throws: ``OvercrankError/Code/inputOutput`` if the disk fails, ``OvercrankError/Code/cancelled``.
  package func checkIsOnDisk(isStopped: () -> Bool) throws(OvercrankError) {
    let isEqual: Bool?
    do { isEqual = try DiskReader(self).holds(InputFile(self)) { _ in isStopped() } } catch {
      throw VerifiedCopy.failure(error, reading: self)
    }
    guard let isEqual else { throw OvercrankError(.cancelled, "\(self): the check was stopped.") }
    guard isEqual else {
      throw OvercrankError(
        .inputOutput,
        "\(self): the disk returned data that differs from what was written: it is failing. Use another disk."
      )
    }
  }
}

extension OutputFile {
  /// Syncs the written data, and returns whether the disk gives back the content of `source`; `nil` if it was
  /// stopped.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` if the disk fails.
  mutating func isOnDisk(as source: InputFile, isStopped: (Int64) -> Bool) throws(OvercrankError) -> Bool? {
    do {
      try descriptor.resize(to: size)
      try descriptor.synchronize()
    } catch {
      throw OvercrankError.writing(path, error as? Errno ?? .ioError, on: descriptor, part: partPath)
    }
    do {
      return try DiskReader(partPath).holds(source, isStopped: isStopped)
    } catch {
      throw VerifiedCopy.failure(error, reading: partPath)
    }
  }
}
