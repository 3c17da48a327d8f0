internal import CLinux
internal import Glibc
internal import SystemPackage
internal import Timebase

/// A writer of appended data to the disk, in large aligned blocks from its own thread, which also keeps the
/// journal.
///
/// Bytes are copied once, into a block; a full block goes to the disk past the page cache (`O_DIRECT`) while
/// the next one is filled. A copy through the page cache would cost several times the processor time, and the
/// kernel would write it back in bursts. If the page cache cannot be bypassed, as in memory (tmpfs), bytes
/// are written there directly, because a block would be a second copy. Meanwhile, another thread makes the
/// written data durable (fdatasync(2)); blocks do not wait for that.
///
/// A class, because its threads hold it until `stop()`.
public final class BlockWriter: @unchecked Sendable {
  /// Bytes per block: enough to make the disk's overhead per request negligible.
  static let blockSize = 4 << 20
  /// One is being filled, one is being written, one is in between, and one is reserved for a checkpoint.
  private static let blockCount = 4
  /// The multiple that `O_DIRECT` requires of offsets, lengths and addresses, on any disk.
  private static let alignment = 4096
  /// Syncs take at most one part in this many of the disk's time when it falls behind.
  private static let syncShare: Int64 = 5

  private typealias Block = BlockQueue.Block

  /// Whether the journal is kept after the file is complete, until ``OutputFile/removeJournal(of:)``.
  public var keepsJournal = false
  /// Whether the journal has entries, which make the part worth keeping.
  private(set) var hasEntries = false

  // Used by the calling thread.
  private var block: Block?
  private var memory: [UnsafeMutableRawPointer]
  private var thread: NamedThread?
  private var syncThread: NamedThread?
  // Used by the disk thread, once it runs.
  private var journal: PartJournal
  // Used by all threads.
  /// The descriptor that bypasses the page cache; `nil` if that is not possible.
  private let direct: FileDescriptor?
  private let plain: FileDescriptor
  private let path: FilePath
  private let journalDescriptor: FileDescriptor
  private let shared: Monitor<BlockQueue>
  private let calls: DiskCalls

  /// Creates a writer to `part` of `path`, which is open as `plain` and stays open until ``stop()``.
  ///
  /// - Throws: ``OvercrankError`` if the system provides no thread.
  init(
    _ part: FilePath, of path: FilePath, plain: FileDescriptor, journal: consuming PartJournal,
    calls: DiskCalls = DiskCalls()
  ) throws(OvercrankError) {
    let direct = part.withPlatformString { clinux_open_direct($0) }
    self.direct = direct < 0 ? nil : FileDescriptor(rawValue: direct)
    self.plain = plain
    self.path = path
    journalDescriptor = journal.descriptor
    self.journal = journal
    self.calls = calls
    memory = (0..<Self.blockCount).map { _ in Self.newBlock() }
    shared = Monitor(BlockQueue(free: memory))
    thread = NamedThread(name: "overcrank-disk") { self.run() }
    syncThread = NamedThread(name: "overcrank-sync") { self.keepSyncing() }
    guard thread != nil, syncThread != nil else {
      stop()
      removeJournal()
      throw .noThread
    }
  }

  deinit {
    for block in memory { block.deallocate() }
    try? direct?.close()
  }

  /// Appends `bytes` to the file, whose end is at `offset`.
  ///
  /// - Throws: the disk's error for this block or an earlier one.
  func append(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Errno) {
    guard direct != nil else { return try DiskCalls().write(plain, offset, bytes) }
    var rest = bytes[...]
    while !rest.isEmpty {
      if block == nil { block = try begin(at: offset) }
      guard var current = block else { return }
      let part = rest.prefix(Self.blockSize - current.count)
      (current.base + current.count).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: part).baseAddress ?? UnsafeRawPointer(current.base),
        byteCount: part.count)
      current.count += part.count
      rest = rest.dropFirst(part.count)
      block = current
      if current.count == Self.blockSize {
        submit(.write(current))
        block = nil  // Submitted only once, even if no further block is available.
        block = Block(base: try freeBlock(), offset: current.offset + Int64(Self.blockSize))
      }
    }
  }

  /// Makes the written data safe from a crash of the program, then writes `entries`, which describe it, to
  /// the journal, then syncs both, unless the disk is behind and has synced recently.
  ///
  /// Waits until this is done for earlier entries, not for these. From the first entry on, the part is worth
  /// keeping. Use from the thread that writes the file.
  ///
  /// - Throws: ``OvercrankError/Code/inputOutput``, also for data and entries written before.
  public func enter(_ entries: [UInt8]) throws(OvercrankError) {
    guard !entries.isEmpty else { return }
    hasEntries = true
    do throws(Errno) {
      try submitPartial()
      let failure = shared.wait { queue in
        queue.openEntries == 0 || queue.failure != nil ? .some(queue.failure ?? queue.journalFailure) : nil
      }
      if let failure { throw failure }
    } catch {
      throw .writing(path, error, on: plain, part: path.part)
    }
    submit(.enter(entries))
  }

  /// Returns whether ``append(_:at:)`` would take `count` bytes without waiting for the disk.
  ///
  /// One block is reserved for ``enter(_:)``, which would otherwise never find one while the disk is behind.
  func isReady(forBytes count: Int) -> Bool {
    guard direct != nil else { return true }
    let needed =
      if let block { (block.count + count) / Self.blockSize } else {
        1 + (Self.alignment + count) / Self.blockSize
      }
    // As many as a frame larger than the usual blocks takes, and one that is being written.
    while memory.count < needed + 3 {
      let more = Self.newBlock()
      memory.append(more)
      shared.change { $0.free.append(more) }
    }
    return shared.read { $0.free.count > needed || $0.failure != nil }
  }

  /// Whether ``enter(_:)`` would take entries without waiting for the disk.
  public var isReadyForEntries: Bool {
    let needsBlock = block.map { $0.count > $0.writtenCount } ?? false
    return shared.read { queue in
      queue.openEntries == 0 && (!needsBlock || !queue.free.isEmpty) || queue.failure != nil
    }
  }

  /// Whether another thread writes appended bytes to the disk later.
  var isPastPageCache: Bool { direct != nil }

  /// Claims the space of these bytes of the file in the background; one claim at a time.
  func claim(_ range: Range<Int64>) {
    guard shared.read({ !$0.isClaiming && !$0.hasClaimFailed }) else { return }
    submit(.claim(range))
  }

  /// The end of the claimed space, and whether a claim is under way.
  var claimed: (end: Int64, isClaiming: Bool) { shared.read { ($0.claimedEnd, $0.isClaiming) } }

  /// Waits until no other thread syncs the file, so that the caller's next sync gets the disk's errors.
  ///
  /// - Throws: the disk's first error so far.
  func endSyncs() throws(Errno) {
    let failure = shared.wait { $0.cancelSync() ? .some($0.failure) : nil }
    if let failure { throw failure }
  }

  /// Waits until the file has all appended bytes, so that others can write to it.
  func settle() throws(Errno) {
    try submitPartial()
    if let last = block { shared.change { $0.free.append(last.base) } }
    block = nil
    let failure = shared.wait { $0.openJobs == 0 ? .some($0.failure) : nil }
    if let failure { throw failure }
  }

  /// Ends the threads after they finish their work.
  func stop() {
    submit(.end)
    thread?.join()
    thread = nil
    shared.change { $0.hasEnded = true }
    syncThread?.join()
    syncThread = nil
  }

  /// Removes the journal; call it after ``stop()``.
  func removeJournal() { journal.remove() }

  private func submit(_ job: BlockQueue.Job) { shared.change { $0.submit(job) } }

  private static func newBlock() -> UnsafeMutableRawPointer {
    .allocate(byteCount: blockSize, alignment: alignment)
  }

  /// Submits the block's content so far, and continues with a copy of its last bytes, which do not fill an
  /// aligned unit.
  private func submitPartial() throws(Errno) {
    guard let current = block, current.count > current.writtenCount else { return }
    let next = try freeBlock()
    let kept = current.count & ~(Self.alignment - 1)
    next.copyMemory(from: current.base + kept, byteCount: current.count - kept)
    block = Block(
      base: next, offset: current.offset + Int64(kept), count: current.count - kept,
      writtenCount: current.count - kept)
    submit(.write(current))
  }

  private func freeBlock() throws(Errno) -> UnsafeMutableRawPointer {
    let result = shared.wait { queue -> Result<UnsafeMutableRawPointer, Errno>? in
      if let failure = queue.failure { return .failure(failure) }
      return queue.free.popLast().map(Result.success)
    }
    return try result.get()
  }

  /// Returns a block that continues at `offset`, filled with the file's bytes since the last multiple of the
  /// alignment.
  private func begin(at offset: Int64) throws(Errno) -> Block {
    let count = Int(offset) & (Self.alignment - 1)
    let block = Block(
      base: try freeBlock(), offset: offset - Int64(count), count: count, writtenCount: count)
    do {
      let read = try plain.read(
        fromAbsoluteOffset: block.offset, into: UnsafeMutableRawBufferPointer(start: block.base, count: count)
      )
      guard read == count else { throw Errno.ioError }
    } catch {
      throw error as? Errno ?? .ioError
    }
    return block
  }
}

/// The disk thread's work.
extension BlockWriter {
  private func run() {
    while true {
      switch shared.wait(for: { $0.nextJob() }) {
      case .write(let block):
        let failure = shared.read { $0.failure } ?? write(block)
        shared.change { $0.finishWrite(of: block, failure) }
      case .enter(let entries):
        // Entries must not describe data that was not written.
        let isDue = shared.read { $0.failure == nil }
        var failure: Errno?
        if isDue {
          do throws(Errno) { try journal.append(entries) } catch { failure = error }
        }
        shared.change { $0.finishEntry(failure, isDone: isDue, at: MonotonicClock.now) }
      case .claim(let range):
        var failure: Errno?
        do throws(Errno) {
          try calls.claim(plain, range.lowerBound, range.upperBound - range.lowerBound)
        } catch {
          failure = error
        }
        shared.change { $0.finishClaim(of: range, failure) }
      case .end:
        return
      }
    }
  }

  /// Writes `block`, padded to the next multiple of the alignment. Returns the disk's error, if any.
  private func write(_ block: Block) -> Errno? {
    let length = (block.count + Self.alignment - 1) & ~(Self.alignment - 1)
    memset(block.base + block.count, 0, length - block.count)
    let bytes = UnsafeRawBufferPointer(start: block.base, count: length)
    do throws(Errno) {
      if let direct {
        do throws(Errno) {
          try calls.write(direct, block.offset, bytes)
          return nil
        } catch .invalidArgument {
          // Some file systems accept the open and reject such a request only now.
        }
      }
      try calls.write(plain, block.offset, bytes)
      return nil
    } catch {
      return error
    }
  }

  /// Syncs the frames and then the journal each time that is requested, on the sync thread.
  private func keepSyncing() {
    while shared.wait(for: { $0.beginSync() }) {
      let start = MonotonicClock.now
      var failure: Errno?
      // This allocates the journal's blocks on the disk now, so that the file system commits the metadata of
      // both files at once, after the frames. An entry that reaches the disk earlier is recognized by the
      // ends of its frame.
      clinux_start_writeback(journalDescriptor.rawValue)
      do throws(Errno) {
        try calls.synchronize(plain)
        try calls.synchronize(journalDescriptor)
      } catch {
        failure = error
      }
      let end = MonotonicClock.now
      shared.change { $0.finishSync(failure, nextAt: end + (end - start) * (Self.syncShare - 1)) }
    }
  }
}
