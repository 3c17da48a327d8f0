internal import CLinux
internal import Glibc
public import SystemPackage

/// A file that appears under its name complete, or not at all.
///
/// Everything goes to `NAME.part` beside it, which gets the final name in ``commit(as:)``. An output that is
/// released without a commit removes its part, unless a journal describes its content: see
/// ``startJournal(_:)``. Not for files that others read while they grow.
///
/// A file that may be replaced is locked from start to end: it is not replaced while another program uses it
/// as an input, and no other program starts to do so.
public struct OutputFile: ~Copyable, Sendable {
  /// The final name of the file.
  public let path: FilePath
  /// The offset of the next byte, from the start.
  public private(set) var position: Int64 = 0
  /// The number of bytes from the start to the end of the written data.
  public private(set) var size: Int64 = 0

  let partPath: FilePath
  let descriptor: FileDescriptor
  private let isReplacing: Bool
  private let canBeMadeAgain: Bool
  /// The lock on the file to be replaced; `nil` if there is none, or the caller holds it.
  private var former: FileLock?
  private let locksFormer: Bool
  private var headroom = DiskHeadroom()
  /// The writer that brings a file with a journal to the disk.
  private(set) var blocks: BlockWriter?
  /// Whether the part is complete and only lacks its name.
  private var isWhole = false
  /// Whether the lock on the part is held beyond the end of this output.
  private var sharesLock = false

  /// Opens `path.part` for an output that will be called `path`.
  ///
  /// - Parameters:
  ///   - path: the name that the file gets when it is committed.
  ///   - isReplacing: whether an existing file of that name, and an abandoned part of it, may be removed.
  ///   - canBeMadeAgain: whether the whole content is also available elsewhere. An unfinished part is then
  ///     worthless, so an abandoned one is removed, but never that of another program; and if a file with exactly
  ///     the same bytes has the name when it is committed, that file is the output.
  ///   - isRemade: whether it is made from the part of that name, and so goes to `NAME.recovering` instead.
  ///     It can then be made again.
  ///   - isCopy: whether it is a copy of a file elsewhere, and so goes to `NAME.copying` instead: an
  ///     abandoned one is never worth keeping, unless it is another program's.
  ///   - hasLock: whether the caller has locked the file to be replaced.
  /// - Throws: ``OvercrankError/Code/cannotCreate`` if the name is taken, another program's file has the name of the
  ///   part, or the folder is not one or is not writable; ``OvercrankError/Code/busy`` if another program uses the file to be replaced, or writes one of that
  ///   name; ``OvercrankError/Code/inputOutput`` if the disk is full.
  public init(
    _ path: FilePath, replacing isReplacing: Bool = false, canBeMadeAgain: Bool = false,
    fromItsPart isRemade: Bool = false, copying isCopy: Bool = false, havingLock hasLock: Bool = false
  ) throws(OvercrankError) {
    let canBeMadeAgain = canBeMadeAgain || isRemade
    guard let name = path.lastComponent, name.kind == .regular else {
      throw OvercrankError.creating(path, .isDirectory)
    }
    let existing = try? Stat(path, followTargetSymlink: false)
    if let existing {
      // Permission to replace does not extend to a folder or /dev/null.
      guard existing.type == .regular || existing.type == .symbolicLink else {
        throw OvercrankError(.cannotCreate, "\(path): is not a regular file. Choose another name.")
      }
      // Whether both are the same is known only at the end.
      guard isReplacing || canBeMadeAgain else { throw OvercrankError.alreadyExists(path) }
    }
    let former = isReplacing && !hasLock ? try FileLock([path], for: .changing) : nil
    let partPath =
      isCopy
      ? path.beside(path.name + ".copying") : isRemade ? path.beside(path.name + ".recovering") : path.part
    // What may be replaced without being asked for is only what an output of the same kind left.
    let isWorthless = canBeMadeAgain || isCopy
    let descriptor = try Self.openPart(
      partPath, of: path, replacing: isReplacing || isWorthless, ownOnly: isWorthless)
    // A private file stays private. Not every file system has permissions.
    if isReplacing, let existing, existing.type == .regular {
      _ = fchmod(descriptor.rawValue, existing.permissions.rawValue)
    }
    self.init(
      path, part: partPath, descriptor, replacing: isReplacing, canBeMadeAgain: canBeMadeAgain,
      former: former)
  }

  /// Creates the output of an open part.
  ///
  /// Nothing in it throws. Swift 6.2 destroys the wrong fields of a value that cannot be copied if the
  /// initializer that sets them ends early.
  private init(
    _ path: FilePath, part: FilePath, _ descriptor: FileDescriptor, replacing isReplacing: Bool,
    canBeMadeAgain: Bool, former: FileLock?
  ) {
    self.path = path
    partPath = part
    self.descriptor = descriptor
    locksFormer = former != nil
    self.former = former
    self.isReplacing = isReplacing
    self.canBeMadeAgain = canBeMadeAgain
  }

  deinit {
    blocks?.stop()
    // A file that another program put in the part's place must not be removed. If the folder was moved, the
    // part moved with it.
    if !isWhole, blocks?.hasEntries != true, let place = descriptor.place(from: partPath),
      place.name == partPath.name
    {
      place.unlink()
      if place == partPath { blocks?.removeJournal() } else if blocks != nil { place.journal.unlink() }
    }
    if sharesLock { try? descriptor.close() } else { descriptor.unlockAndClose() }
  }

  /// Returns the lock on this file, whatever its name, for a caller that holds it beyond the end of this output; `nil`
  /// if there are no descriptors left.
  package mutating func sharedLock() -> FileLock? {
    let lock = FileLock(sharing: descriptor)
    sharesLock = lock != nil
    return lock
  }

  /// The identity of the file, whatever its final name; `nil` if fstat(2) fails.
  package var identity: FileIdentity? { FileIdentity(descriptor) }

  /// Claims the disk space of the next `count` bytes, if the file system supports it.
  ///
  /// After this, writing that many bytes cannot find the disk full.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` if there is no room; nothing was written, and space
  ///   claimed before can still be used.
  public mutating func reserve(_ count: Int) throws(OvercrankError) {
    _ = hasSpace(for: count)
    do {
      try headroom.extend(descriptor, to: position + Int64(count))
    } catch {
      throw failure(error)
    }
  }

  /// Writes `bytes` at ``position`` and advances it past them.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``; part of the bytes may have been written.
  public mutating func write(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) {
    do {
      // If space cannot be claimed ahead, this write must report a full disk, rather than a later one.
      if let blocks, position == size, headroom.isSupported {
        try blocks.append(bytes, at: position)
      } else {
        try blocks?.settle()
        try checkIsUndisturbed()
        try descriptor.writeAll(toAbsoluteOffset: position, bytes)
      }
    } catch {
      throw failure(error)
    }
    position += Int64(bytes.count)
    size = max(size, position)
  }

  /// Writes `bytes` at ``position`` and advances it past them.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``; part of the bytes may have been written.
  public mutating func write(_ bytes: [UInt8]) throws(OvercrankError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(OvercrankError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Writes `bytes` at `offset`, which is at most ``size``, at once and directly, not through the block
  /// writer.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``; ``size`` is then unchanged, so that ``commit(as:)`` cuts
  ///   off anything written past it.
  public mutating func replace(_ bytes: [UInt8], at offset: Int64) throws(OvercrankError) {
    do {
      try blocks?.settle()
      try checkIsUndisturbed()
      try bytes.withUnsafeBytes { _ = try descriptor.writeAll(toAbsoluteOffset: offset, $0) }
    } catch {
      throw failure(error)
    }
    size = max(size, offset + Int64(bytes.count))
  }

  /// Cuts off what was written from `size` on. The disk's file is cut when it is committed.
  package mutating func shorten(to size: Int64) {
    self.size = min(self.size, size)
    position = min(position, self.size)
  }

  /// Returns the `count` written bytes from `offset` on, or as many as there are.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``.
  public mutating func bytes(at offset: Int64, count: Int) throws(OvercrankError) -> [UInt8] {
    do {
      try blocks?.settle()
      return try descriptor.bytes(at: offset, count: Int(clamping: min(Int64(count), size - offset)))
    } catch {
      throw failure(error)
    }
  }

  /// Returns whether `count` bytes could be written at ``position`` now without waiting for a disk, while
  /// `more` bytes stay free after them.
  ///
  /// Always `true` without a journal, or if the page cache cannot be bypassed: written data then stays in
  /// memory at first. Missing space is claimed in the background; if the disk has none, ``reserve(_:)``
  /// reports that. `true` also after a failure, which the next write reports.
  public mutating func isReady(forBytes count: Int, reserving more: Int = 0) -> Bool {
    guard let blocks, blocks.isPastPageCache, headroom.isSupported, position == size else { return true }
    return hasSpace(for: count + more) && blocks.isReady(forBytes: count)
  }

  /// Returns whether the next `count` bytes can be claimed without waiting, as far as is known; also starts
  /// claiming more space ahead.
  private mutating func hasSpace(for count: Int) -> Bool {
    guard let blocks, blocks.isPastPageCache else { return true }
    let needed = position + Int64(count)
    headroom.note(claimed: blocks.claimed.end)
    if let next = headroom.next(after: needed) { blocks.claim(next) }
    return headroom.holds(needed) || !blocks.claimed.isClaiming
  }

  /// Sets ``position``, in bytes from the start; a position past the end leaves a hole of zeros.
  ///
  /// - Precondition: `position` is not negative.
  public mutating func seek(to position: Int64) {
    precondition(position >= 0, "a position in a file is not negative")
    self.position = position
  }

  /// Starts a journal beside the part, and threads that bring both to the disk. Returns the writer that takes
  /// the journal's entries, which describe the written data.
  ///
  /// Call it before claiming space, because no space may be left for the journal afterwards. The journal is
  /// removed once the file is complete. From the first entry on, the part is worth keeping: an output that is
  /// released leaves it and its journal as a killed program does, for `AbandonedPart`.
  ///
  /// - Throws: ``OvercrankError/Code/cannotCreate``, ``OvercrankError/Code/inputOutput``.
  public mutating func startJournal(_ header: [UInt8]) throws(OvercrankError) -> BlockWriter {
    try startJournal(header, calls: DiskCalls())
  }

  /// Starts a journal as ``startJournal(_:)`` does, with these calls in place of the system's.
  mutating func startJournal(_ header: [UInt8], calls: DiskCalls) throws(OvercrankError) -> BlockWriter {
    precondition(blocks == nil, "a file has one journal")
    // This output holds the lock on the part, so the writer of an existing journal has ended.
    if isReplacing { partPath.journal.unlink() }
    let journal: PartJournal
    do throws(Errno) {
      journal = try PartJournal(of: partPath, header: header)
    } catch .fileExists {
      throw OvercrankError.inTheWay(partPath.journal, of: path)
    } catch {
      throw OvercrankError.creating(partPath.journal, error)
    }
    do throws(OvercrankError) {
      let blocks = try BlockWriter(partPath, of: path, plain: descriptor, journal: journal, calls: calls)
      self.blocks = blocks
      return blocks
    } catch {
      throw OvercrankError(.inputOutput, "\(path): cannot be written. \(error)")
    }
  }

  /// Frees the claimed space that was not used, and syncs the data, so that ``commit(as:)`` finds no full disk.
  /// Nothing may be written afterwards.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` if the disk failed.
  package mutating func bringToDisk() throws(OvercrankError) {
    do {
      try blocks?.settle()
      try checkIsUndisturbed()
      try descriptor.resize(to: size)
      try blocks?.endSyncs()
      try descriptor.synchronize()
    } catch {
      throw failure(error)
    }
  }

  /// Checks that an output to `path` can be created, before the work for it is done.
  ///
  /// - Parameters:
  ///   - path: the name of the file.
  ///   - isReplacing: whether an existing file of that name, and an abandoned part of it, may be removed.
  /// - Throws: `OvercrankError`, as ``init(_:replacing:canBeMadeAgain:fromItsPart:copying:havingLock:)`` does.
  package static func check(_ path: FilePath, replacing isReplacing: Bool) throws(OvercrankError) {
    _ = try OutputFile(path, replacing: isReplacing)
  }

  /// Frees the claimed space that was not used, syncs the data, gives the file its name, and syncs that too.
  ///
  /// - Parameter settle: called for the name to use in place of ``path``, in the same folder, when the file
  ///   is complete, and again if that name has just been taken; `nil` if the name must be ``path``.
  /// - Throws: ``OvercrankError/Code/inputOutput`` if the disk failed, ``OvercrankError/Code/cannotCreate``
  ///   if the name has been taken in the meantime: the part, then complete, stays at the path in the message.
  public consuming func commit(as settle: (() -> FilePath)? = nil) throws(OvercrankError) {
    try commit(as: settle) { (_) throws(OvercrankError) in }
  }

  /// Does as ``commit(as:)`` does, once `check` has accepted the file.
  ///
  /// - Parameter check: called with the path of the part, complete and synced; if it throws, there is no file.
  /// - Throws: the error of `check`, and those of ``commit(as:)``.
  package consuming func commit(
    checking check: (FilePath) throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    try commit(as: nil, check)
  }

  private consuming func commit(
    as settle: (() -> FilePath)?, _ check: (FilePath) throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    try bringToDisk()
    try check(partPath)
    isWhole = !canBeMadeAgain
    guard descriptor.isNamed(partPath) else {
      guard isWhole else { throw .moved(path, to: descriptor.place(from: partPath)?.folder) }
      throw failure(Errno.staleNFSFileHandle)
    }
    var name = settle?() ?? path
    if settle == nil { try lockFormer() }
    // A name that was found free replaces nothing, even if another program has since taken it.
    var refusal = move(to: name, replacing: isReplacing && settle == nil)
    while refusal == .fileExists, let next = settle?(), next != name {
      name = next
      refusal = move(to: name, replacing: false)
    }
    if refusal == .fileExists, canBeMadeAgain, partPath.hasSameBytes(as: name) {
      partPath.unlink()
      refusal = nil
    }
    if let refusal {
      let reason = OvercrankError.creating(name, refusal)
      guard isWhole else { throw reason }
      throw OvercrankError(reason.code, "\(reason) What was written is complete, in \(partPath).")
    }
    isWhole = true
    // The name must be on the disk before the journal is removed.
    do throws(Errno) {
      try name.folder.synchronize()
    } catch {
      throw failure(error)
    }
    if let blocks, !blocks.keepsJournal || name != path { blocks.removeJournal() }
  }

  /// Locks the file to be replaced, if one has got the name since the start.
  private mutating func lockFormer() throws(OvercrankError) {
    guard locksFormer, former?.holds(path) != true else { return }
    do throws(OvercrankError) { former = try FileLock([path], for: .changing) } catch {
      guard isWhole else { throw error }
      throw OvercrankError(error.code, "\(error) What was written is complete, in \(partPath).")
    }
  }

  /// Gives the part its name, and a kept journal the matching one. Returns the error if that fails.
  private borrowing func move(to name: FilePath, replacing isReplacing: Bool) -> Errno? {
    let journal = name != path && blocks?.keepsJournal == true ? name.part.journal : nil
    // The journal has both names until the file has its own: whenever the program is killed, one of them is
    // beside the file. Not every file system has links: FAT has none, and gets a copy.
    let isLinked =
      journal.map { partPath.journal.link(to: $0) || partPath.journal.copy(to: $0) } ?? false
    do throws(Errno) {
      try partPath.rename(to: name, replacing: isReplacing)
      // There may have been no room for a copy.
      if let journal, !isLinked { try? partPath.journal.rename(to: journal, replacing: false) }
      return nil
    } catch {
      if isLinked { journal?.unlink() }
      return error
    }
  }

  /// Removes the journal that was kept for the complete file at `path`.
  public static func removeJournal(of path: FilePath) { path.part.journal.unlink() }

  /// Checks that the part still holds all that was written to it.
  private borrowing func checkIsUndisturbed() throws(Errno) {
    guard descriptor.holds(size) else { throw .staleNFSFileHandle }
  }

  private borrowing func failure(_ error: any Error) -> OvercrankError {
    .writing(path, error as? Errno ?? .ioError, on: descriptor, part: partPath)
  }
}

extension OutputFile {
  /// Creates the part, locked while it is open: the lock distinguishes a part being written from an abandoned
  /// one.
  ///
  /// Only the holder of the lock on the file at the part's name may remove or rename it.
  ///
  /// - Parameter ownOnly: whether a part of another program stays, even if a part may be replaced.
  private static func openPart(
    _ part: FilePath, of path: FilePath, replacing isReplacing: Bool, ownOnly: Bool
  ) throws(OvercrankError) -> FileDescriptor {
    do {
      if isReplacing { try removeAbandoned(part, ownOnly: ownOnly) }
      let descriptor = try FileDescriptor.open(
        part, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
      // Another program that starts now and may replace the part can have mistaken it for an abandoned one.
      if descriptor.lock() == .wouldBlock || !descriptor.isNamed(part) {
        descriptor.unlockAndClose()
        throw Errno.wouldBlock
      }
      clinux_mark_output(descriptor.rawValue)
      return descriptor
    } catch Errno.fileExists {
      if part.isBeingWritten { throw OvercrankError.beingWritten(part, of: path) }
      throw ownOnly ? OvercrankError.foreign(part, of: path) : OvercrankError.inTheWay(part, of: path)
    } catch Errno.wouldBlock {
      throw OvercrankError.beingWritten(part, of: path)
    } catch {
      throw OvercrankError.creating(path, error as? Errno ?? .ioError)
    }
  }

  private static func removeAbandoned(_ part: FilePath, ownOnly: Bool) throws {
    guard let type = try? Stat(part, followTargetSymlink: false).type else { return }
    guard type == .regular, !ownOnly || !part.holdsForeignOutput else { throw Errno.fileExists }
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(part, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
    } catch Errno.noSuchFileOrDirectory {
      return
    }
    defer { descriptor.unlockAndClose() }
    if let error = descriptor.lock() { throw error }
    guard descriptor.isNamed(part) else { throw Errno.wouldBlock }
    guard part.unlink() == 0 else { throw Errno(rawValue: errno) }
  }
}

extension FilePath {
  /// Returns whether both are regular files with the same bytes.
  fileprivate func hasSameBytes(as other: FilePath) -> Bool {
    guard let one = try? InputFile(self, options: .noFollow),
      let two = try? InputFile(other, options: .noFollow), one.size == two.size
    else { return false }
    let piece = 1 << 20
    for place in stride(from: 0, to: one.size, by: piece) {
      guard let left = try? one.bytes(at: place, count: piece),
        let right = try? two.bytes(at: place, count: piece), left == right
      else { return false }
    }
    return true
  }

  /// Gives the file an additional name. Returns whether the file system can. The corresponding call is
  /// link(2).
  fileprivate func link(to other: FilePath) -> Bool {
    withPlatformString { file in other.withPlatformString { Glibc.link(file, $0) == 0 } }
  }

  /// Makes `other` a synced copy of the file. Returns whether that succeeded.
  fileprivate func copy(to other: FilePath) -> Bool {
    guard let source = try? FileDescriptor.open(self, .readOnly, options: [.noFollow, .closeOnExec]) else {
      return false
    }
    defer { try? source.close() }
    guard
      let copy = try? FileDescriptor.open(
        other, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
    else { return false }
    defer { try? copy.close() }
    clinux_mark_output(copy.rawValue)
    do {
      var place: Int64 = 0
      while case let bytes = try source.bytes(at: place, count: 1 << 20), !bytes.isEmpty {
        try bytes.withUnsafeBytes { _ = try copy.writeAll(toAbsoluteOffset: place, $0) }
        place += Int64(bytes.count)
      }
      try copy.synchronize()
      return true
    } catch {
      other.unlink()
      return false
    }
  }
}
