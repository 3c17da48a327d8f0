internal import Glibc
public import SystemPackage

/// A copy of a file on another disk that was read back from there.
///
/// The copy is written under another name, brought to the disk, read back past the page cache, and
/// compared with the source. Only then does it get its name.
public struct VerifiedCopy: Hashable, Sendable {
  /// The file that was copied.
  public let source: FilePath
  /// Where the copy is.
  public let target: FilePath
  /// Whether it was there before, equal to the last byte.
  public let wasThere: Bool
  /// Bytes in it.
  public let size: Int64
  private let state: SourceState

  /// What a copy is at.
  public enum Step: Hashable, Sendable {
    /// Reads the source and writes the copy.
    case copying
    /// Reads the copy back.
    case comparing
  }

  /// Copies `source` to `target`; `nil` where it was stopped.
  ///
  /// - Parameters:
  ///   - source: what is copied.
  ///   - target: where the copy is to lie.
  ///   - progress: is told of so many more bytes, a piece at a time; `false` stops it.
  /// - Throws: ``OvercrankError``. There is no copy then, and what was at `target` before still is:
  ///   ``OvercrankError/Code/cannotCreate`` where that is another file.
  public init?(
    of source: FilePath, at target: FilePath, progress: (Step, Int64) -> Bool
  ) throws(OvercrankError) {
    let input = try InputFile(source)
    let state: SourceState
    do throws(Errno) { state = try SourceState(input.descriptor) } catch {
      throw OvercrankError.opening(source, error)
    }
    // Before it is opened, which waits for a writer where it is a pipe.
    let type = try? Stat(target, followTargetSymlink: false).type
    if let type { try Self.check(type, of: target) }
    if let existing = SourceState(target), existing.isSameFile(as: state) {
      throw OvercrankError(.cannotCreate, "\(target): is \(source) itself. Name another folder.")
    }
    if let limit = target.largestFile, input.size > limit {
      throw OvercrankError(
        .cannotCreate,
        "\(target): cannot be created: it has \(input.size) bytes, and the file system there, FAT, holds no file of "
          + "4 GiB. Format the disk as exFAT, or name another.")
    }
    let isThere = type != nil
    let isCopied =
      try isThere
      ? Self.find(input, at: target, progress) : Self.write(input, state, to: target, progress)
    guard isCopied else { return nil }
    guard SourceState(source) == state else { throw Self.changed(source) }
    self.source = source
    self.target = target
    self.state = state
    size = input.size
    wasThere = isThere
  }

  /// Removes the source, unless it has changed since it was compared.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``; the source is still there then.
  public func removeSource() throws(OvercrankError) {
    try checkSource()
    try source.removeFile()
  }

  /// Refuses a source that has changed since it was compared.
  ///
  /// - Throws: ``OvercrankError/Code/busy``.
  package func checkSource() throws(OvercrankError) {
    guard SourceState(source) == state else { throw Self.changed(source) }
  }

  /// Refuses a target that is no file, and so no copy.
  private static func check(_ type: FileType, of target: FilePath) throws(OvercrankError) {
    guard type != .regular else { return }
    let words =
      switch type {
      case .symbolicLink: "is a symbolic link, and a copy is never written through one"
      case .directory: "is a folder"
      default: "is not a regular file"
      }
    throw OvercrankError(
      .cannotCreate, "\(target): exists already, and \(words). Move it away, or name another folder.")
  }

  /// Makes sure that what is at `target` already is the copy; `false` where it was stopped.
  private static func find(
    _ input: InputFile, at target: FilePath, _ progress: (Step, Int64) -> Bool
  ) throws(OvercrankError) -> Bool {
    let isEqual: Bool?
    do {
      // Whoever made it may not have waited for the disk.
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
        "\(target): exists already, and is not what \(input.path) is. Move it away, or name another "
          + "folder.")
    }
    return isEqual != nil
  }

  /// Writes the copy; `false` where it was stopped.
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
        "\(target): what the disk gave back is not what was written: it is failing. Name another disk; \(input.path) "
          + "is still there.")
    }
    try file.commit()
    return true
  }

  private static func changed(_ source: FilePath) -> OvercrankError {
    OvercrankError(
      .busy,
      "\(source): changed while it was copied, so the copy does not count. Try again when it is at rest.")
  }

  fileprivate static func failure(_ error: any Error, reading target: FilePath) -> OvercrankError {
    error as? OvercrankError ?? .readingBack(target, error as? Errno ?? .ioError)
  }
}

extension OutputFile {
  /// Waits until the disk has what was written, and tells whether it gives back what `source` holds; `nil` where
  /// that was stopped.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` where the disk fails.
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
