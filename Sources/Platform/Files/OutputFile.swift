internal import CLinux
internal import Glibc
public import SystemPackage

/// A file that appears under its name whole, or not at all.
///
/// Everything goes to `NAME.part` beside it, which takes the final name in ``commit(as:)``. An output that is dropped without it takes its part with it, unless a
/// journal says what is in that: see ``startJournal(_:)``. Not for files that others read while they
/// grow.
///
/// A file that may be replaced is locked from the start to the end: it is not replaced while another program makes
/// something of it, and none begins to.
public struct OutputFile: ~Copyable, Sendable {
  /// The name that it will have.
  public let path: FilePath
  /// Where the next byte goes, in bytes from the start.
  public private(set) var position: Int64 = 0
  /// Bytes from the start to the end of what was written.
  public private(set) var size: Int64 = 0

  let partPath: FilePath
  let descriptor: FileDescriptor
  private let isReplacing: Bool
  private let canBeMadeAgain: Bool
  /// The lock of the file that is to be replaced; `nil` where there is none, or the caller has it.
  private var former: FileLock?
  private let locksFormer: Bool
  private var headroom = DiskHeadroom()
  /// What brings a file with a journal to the disk.
  private(set) var blocks: BlockWriter?
  /// Whether the part is whole, and lacks its name alone.
  private var isWhole = false

  /// Opens `path.part` for an output that will be called `path`.
  ///
  /// - Parameters:
  ///   - path: the name that the file gets when it is committed.
  ///   - isReplacing: whether a file of that name, and the part of one that was cut off, may go.
  ///   - canBeMadeAgain: whether all that it will hold is elsewhere too. An unfinished one is then
  ///     worth nothing, so one that was cut off makes way; and where a file of the very same bytes
  ///     has the name when it is committed, that file is the output.
  ///   - isRemade: whether it is made from the part of that name, and so goes to `NAME.recovering`
  ///     instead. It can then be made again.
  ///   - isCopy: whether it is a copy of a file elsewhere, and so goes to `NAME.copying` instead: one of
  ///     these that was cut off is never worth anything.
  ///   - hasLock: whether the caller has locked the file that is to be replaced.
  /// - Throws: ``OvercrankError/Code/cannotCreate`` where the name is taken, also by an output that is being written, or the
  ///   folder is none, or may not be written in, ``OvercrankError/Code/busy`` where another program is at work with the file
  ///   that may be replaced, or writes one of that name, ``OvercrankError/Code/inputOutput`` where the disk is full.
  public init(
    _ path: FilePath, replacing isReplacing: Bool = false, canBeMadeAgain: Bool = false,
    fromItsPart isRemade: Bool = false, copying isCopy: Bool = false, havingLock hasLock: Bool = false
  ) throws(OvercrankError) {
    let canBeMadeAgain = canBeMadeAgain || isRemade
    guard let name = path.lastComponent, name.kind == .regular else {
      throw OvercrankError.creating(path, .isDirectory)
    }
    if let existing = try? Stat(path, followTargetSymlink: false) {
      // No permission to replace makes a film of a folder or of /dev/null.
      guard existing.type == .regular || existing.type == .symbolicLink else {
        throw OvercrankError(.cannotCreate, "\(path): is not a regular file. Choose another name.")
      }
      // Whether it is the same can be seen at the end.
      guard isReplacing || canBeMadeAgain else { throw OvercrankError.alreadyExists(path) }
    }
    let former = isReplacing && !hasLock ? try FileLock([path], for: .changing) : nil
    let partPath =
      isCopy
      ? path.beside(path.name + ".copying") : isRemade ? path.beside(path.name + ".recovering") : path.part
    self.descriptor = try Self.openPart(
      partPath, of: path, replacing: isReplacing || canBeMadeAgain || isCopy, isCopy: isCopy)
    self.path = path
    self.partPath = partPath
    self.former = former
    locksFormer = former != nil
    self.isReplacing = isReplacing
    self.canBeMadeAgain = canBeMadeAgain
  }

  deinit {
    blocks?.stop()
    // What another program has put in the part's place is not ours to remove. A folder that was moved
    // has taken the part with it.
    if !isWhole, blocks?.hasEntries != true, let place = descriptor.place(from: partPath),
      place.name == partPath.name
    {
      place.unlink()
      if place == partPath { blocks?.removeJournal() } else if blocks != nil { place.journal.unlink() }
    }
    descriptor.unlockAndClose()
  }

  /// The file, whatever it is called in the end; `nil` where it cannot be asked.
  package var identity: FileIdentity? { FileIdentity(descriptor) }

  /// Claims the disk space of the next `count` bytes, where the file system can.
  ///
  /// After this, writing that many bytes cannot meet a full disk.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput`` where there is no room; nothing was written, and whatever was claimed
  ///   before can still be used.
  public mutating func reserve(_ count: Int) throws(OvercrankError) {
    _ = hasSpace(for: count)
    do {
      try headroom.extend(descriptor, to: position + Int64(count))
    } catch {
      throw failure(error)
    }
  }

  /// Writes `bytes` at ``position`` and moves it behind them.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``; part of the bytes may have been written.
  public mutating func write(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) {
    do {
      // Where disk space cannot be claimed ahead, a full disk is to be met here and not behind the caller's back.
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

  /// Writes `bytes` at ``position`` and moves it behind them.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``; part of the bytes may have been written.
  public mutating func write(_ bytes: [UInt8]) throws(OvercrankError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(OvercrankError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Writes `bytes` at `offset`, which is at most ``size``, at once and past whatever brings the file to the disk.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``; ``size`` is as before then, so that ``commit(as:)`` cuts off what was
  ///   written behind it.
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

  /// The `count` bytes from `offset` on of what was written, or as many as there are.
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

  /// Whether `count` bytes could be written at ``position`` now without waiting for a disk, with
  /// `more` that must stay free behind them.
  ///
  /// Always where there is no journal, or no way past the page cache: whatever is written stays in
  /// memory at first. Where space is missing, the disk is asked for it meanwhile; where it has none,
  /// that is for ``reserve(_:)`` to meet. `true` also after a failure, which the next write tells.
  public mutating func isReady(forBytes count: Int, reserving more: Int = 0) -> Bool {
    guard let blocks, blocks.isPastPageCache, headroom.isSupported, position == size else { return true }
    return hasSpace(for: count + more) && blocks.isReady(forBytes: count)
  }

  /// Whether the next `count` bytes can be claimed without waiting, as far as is known; has the disk
  /// claim more ahead.
  private mutating func hasSpace(for count: Int) -> Bool {
    guard let blocks, blocks.isPastPageCache else { return true }
    let needed = position + Int64(count)
    headroom.note(claimed: blocks.claimed.end)
    if let next = headroom.next(after: needed) { blocks.claim(next) }
    return headroom.holds(needed) || !blocks.claimed.isClaiming
  }

  /// Moves ``position``, in bytes from the start; behind the end leaves a hole of zeros.
  ///
  /// - Precondition: `position` is not negative.
  public mutating func seek(to position: Int64) {
    precondition(position >= 0, "a position in a file is not negative")
    self.position = position
  }

  /// Starts a journal beside the part, and threads that bring both to the disk. What it returns
  /// takes entries, which say what was written.
  ///
  /// To be called before space is claimed, as there may be none for the journal afterwards. It is
  /// gone once the file is whole. From the first entry on the part is worth keeping: an output that is
  /// dropped leaves it and its journal as a killed program does, for `AbandonedPart`.
  ///
  /// - Throws: ``OvercrankError/Code/cannotCreate``, ``OvercrankError/Code/inputOutput``.
  public mutating func startJournal(_ header: [UInt8]) throws(OvercrankError) -> BlockWriter {
    try startJournal(header, calls: DiskCalls())
  }

  /// As ``startJournal(_:)``, with these calls in place of the system's.
  mutating func startJournal(_ header: [UInt8], calls: DiskCalls) throws(OvercrankError) -> BlockWriter {
    precondition(blocks == nil, "a file has one journal")
    // The lock on the part is ours, so whoever wrote a journal here has gone.
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

  /// Gives back the space that was claimed and not used, waits until the disk has it all, gives the file its name, and
  /// waits until the disk has that.
  ///
  /// - Parameter settle: is asked for the name in place of ``path``, in the same folder, when the file is whole, and
  ///   once more where that was taken just then; `nil` where it must be ``path``.
  /// - Throws: ``OvercrankError/Code/inputOutput`` where the disk failed, ``OvercrankError/Code/cannotCreate`` where the name
  ///   has been taken in the meantime: the part, whole by then, stays where the message says.
  public consuming func commit(as settle: (() -> FilePath)? = nil) throws(OvercrankError) {
    do {
      try blocks?.settle()
      try checkIsUndisturbed()
      try descriptor.resize(to: size)
      try blocks?.endSyncs()
      try descriptor.synchronize()
    } catch {
      throw failure(error)
    }
    isWhole = !canBeMadeAgain
    guard descriptor.isNamed(partPath) else {
      guard isWhole else { throw .moved(path, to: descriptor.place(from: partPath)?.folder) }
      throw failure(Errno.staleNFSFileHandle)
    }
    var name = settle?() ?? path
    if settle == nil { try lockFormer() }
    // A name that was found to be free replaces nothing, whoever was faster to take it.
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
      throw OvercrankError(reason.code, "\(reason) What was written is whole, in \(partPath).")
    }
    isWhole = true
    // The name is on the disk before the journal goes.
    do throws(Errno) {
      try name.folder.synchronize()
    } catch {
      throw failure(error)
    }
    if let blocks, !blocks.keepsJournal || name != path { blocks.removeJournal() }
  }

  /// Locks what would be replaced where that has got the name since the start.
  private mutating func lockFormer() throws(OvercrankError) {
    guard locksFormer, former?.holds(path) != true else { return }
    do throws(OvercrankError) { former = try FileLock([path], for: .changing) } catch {
      guard isWhole else { throw error }
      throw OvercrankError(error.code, "\(error) What was written is whole, in \(partPath).")
    }
  }

  /// Gives the part its name, with the journal that stays beside it; why not, where it cannot have it.
  private borrowing func move(to name: FilePath, replacing isReplacing: Bool) -> Errno? {
    let journal = name != path && blocks?.keepsJournal == true ? name.part.journal : nil
    // It has both names until the file has its own: whenever the program is killed, one of them is beside the file.
    // Not every file system has links: FAT has none, and gets a copy.
    let isLinked =
      journal.map { partPath.journal.link(to: $0) || partPath.journal.copy(to: $0) } ?? false
    do throws(Errno) {
      try partPath.rename(to: name, replacing: isReplacing)
      // There may be no room for a copy.
      if let journal, !isLinked { try? partPath.journal.rename(to: journal, replacing: false) }
      return nil
    } catch {
      if isLinked { journal?.unlink() }
      return error
    }
  }

  /// Removes the journal that a file at `path` kept when it was whole.
  public static func removeJournal(of path: FilePath) { path.part.journal.unlink() }

  /// Throws where the part does not hold what was written to it.
  private borrowing func checkIsUndisturbed() throws(Errno) {
    guard descriptor.holds(size) else { throw .staleNFSFileHandle }
  }

  private borrowing func failure(_ error: any Error) -> OvercrankError {
    .writing(path, error as? Errno ?? .ioError, on: descriptor, part: partPath)
  }
}

extension OutputFile {
  /// Creates the part, locked as long as it is open: that is how one being written differs from one left behind.
  ///
  /// Who holds the lock on the file that the part's name leads to may remove or rename it, and nobody else does.
  private static func openPart(
    _ part: FilePath, of path: FilePath, replacing isReplacing: Bool, isCopy: Bool
  ) throws(OvercrankError) -> FileDescriptor {
    do {
      if isReplacing { try removeAbandoned(part) }
      let descriptor = try FileDescriptor.open(
        part, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
      // Another that starts now and may replace it can have taken it for one left behind.
      if descriptor.lock() == .wouldBlock || !descriptor.isNamed(part) {
        descriptor.unlockAndClose()
        throw Errno.wouldBlock
      }
      return descriptor
    } catch Errno.fileExists {
      if part.isBeingWritten { throw OvercrankError.beingWritten(part, of: path, replacing: isReplacing) }
      throw isCopy ? OvercrankError.inTheWay(part, ofCopy: path) : OvercrankError.inTheWay(part, of: path)
    } catch Errno.wouldBlock {
      throw OvercrankError.beingWritten(part, of: path, replacing: isReplacing)
    } catch {
      throw OvercrankError.creating(path, error as? Errno ?? .ioError)
    }
  }

  private static func removeAbandoned(_ part: FilePath) throws {
    guard let type = try? Stat(part, followTargetSymlink: false).type else { return }
    guard type == .regular else { throw Errno.fileExists }
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
  /// Whether a program has locked this file to write it.
  fileprivate var isBeingWritten: Bool {
    guard
      let descriptor = try? FileDescriptor.open(
        self, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
    else { return false }
    defer { descriptor.unlockAndClose() }
    return descriptor.lock(isShared: true) == .wouldBlock
  }

  /// Whether both are regular files of the same bytes.
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

  /// Gives the file another name besides; whether the file system can. The corresponding call is link(2).
  fileprivate func link(to other: FilePath) -> Bool {
    withPlatformString { file in other.withPlatformString { Glibc.link(file, $0) == 0 } }
  }

  /// Makes `other` a copy that is on the disk; whether it is.
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

  fileprivate func rename(to target: FilePath, replacing isReplacing: Bool) throws(Errno) {
    let result = withPlatformString { old in
      target.withPlatformString { new in
        isReplacing ? (Glibc.rename(old, new) == 0 ? 0 : errno) : -clinux_rename_to_new(old, new)
      }
    }
    guard result == 0 else { throw Errno(rawValue: result) }
  }
}
