internal import CLinux
internal import Glibc
internal import SystemPackage

/// Brings what is appended to a part to the disk, in large aligned blocks from a thread of its own, and keeps the journal.
///
/// Bytes are copied once, into a block; a full one goes to the disk past the page cache (`O_DIRECT`), while the next is
/// filled. A copy through the page cache would cost several times the processor's time, and the kernel would write it
/// back in bursts. Where there is no way past the page cache, as in memory (tmpfs), bytes are copied there at once: a
/// block would be a second copy. Another thread has the disk keep what it was given (fdatasync(2)) meanwhile: blocks do
/// not wait for that.
///
/// A class, because its threads hold on to it until ``stop()``.
final class BlockWriter: @unchecked Sendable {
  /// Bytes of a block: enough that the disk's own time for a request is no matter.
  static let blockSize = 4 << 20
  /// One is filled, one is on its way, one is in between.
  private static let blockCount = 3
  /// What `O_DIRECT` wants offsets, lengths and addresses to be a multiple of, on any disk.
  private static let alignment = 4096
  /// Where the disk falls behind, syncs take at most one part in so many of its time.
  private static let syncShare: Int64 = 5

  private struct Block {
    var base: UnsafeMutableRawPointer
    /// Where it goes in the file, aligned.
    var offset: Int64
    /// Bytes in it.
    var count = 0
    /// How many of them the file has already.
    var writtenCount = 0
  }

  private enum Job {
    case write(Block)
    case enter([UInt8])
    case end
  }

  private struct State {
    var jobs: [Job] = []
    /// Jobs that have not been finished, the one at hand included.
    var openJobs = 0
    var openEntries = 0
    var free: [UnsafeMutableRawPointer]
    var failure: Errno?
    var journalFailure: Errno?
    /// Whether the journal has entries that no sync has been started for.
    var isSyncWanted = false
    /// When the next sync may begin even where the disk is behind.
    var nextSync: Int64 = 0
    var hasEnded = false
  }

  // The calling thread's.
  private var block: Block?
  private var thread: NamedThread?
  private var syncThread: NamedThread?
  // The disk thread's, once it runs.
  private var journal: PartJournal
  // All threads'.
  /// The way past the page cache; `nil` where there is none.
  private let direct: FileDescriptor?
  private let plain: FileDescriptor
  private let journalDescriptor: FileDescriptor
  private let shared: Monitor<State>
  private let memory: UnsafeMutableRawPointer

  /// A writer to `part`, which is open as `plain` and stays so until ``stop()``.
  ///
  /// - Throws: `Errno.resourceTemporarilyUnavailable` where the system has no thread to give.
  init(_ part: FilePath, plain: FileDescriptor, journal: consuming PartJournal) throws(Errno) {
    let direct = clinux_open_direct(part.string)
    self.direct = direct < 0 ? nil : FileDescriptor(rawValue: direct)
    self.plain = plain
    journalDescriptor = journal.descriptor
    self.journal = journal
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Self.blockCount * Self.blockSize, alignment: Self.alignment)
    self.memory = memory
    shared = Monitor(State(free: (0..<Self.blockCount).map { memory + $0 * Self.blockSize }))
    thread = NamedThread(name: "overcrank-disk") { self.run() }
    syncThread = NamedThread(name: "overcrank-sync") { self.keepSyncing() }
    guard thread != nil, syncThread != nil else {
      stop()
      removeJournal()
      throw .resourceTemporarilyUnavailable
    }
  }

  deinit {
    memory.deallocate()
    try? direct?.close()
  }

  /// Appends `bytes` to the file, whose end is at `offset`.
  ///
  /// - Throws: what the disk said to this block or an earlier one.
  func append(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Errno) {
    guard direct != nil else {
      do { _ = try plain.writeAll(toAbsoluteOffset: offset, bytes) } catch {
        throw error as? Errno ?? .ioError
      }
      return
    }
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
        block = nil  // Not to be handed over twice where the next cannot be had.
        block = Block(base: try freeBlock(), offset: current.offset + Int64(Self.blockSize))
      }
    }
  }

  /// Makes what was appended safe from a crash of the program, then enters `entries` into the journal, then has the disk
  /// keep both, unless it is behind and did so just now.
  ///
  /// Waits until this was done for what was given before, not for these.
  ///
  /// - Throws: what the disk said to an earlier block or entry.
  func checkpoint(_ entries: [UInt8]) throws(Errno) {
    try submitPartial()
    let failure = shared.wait { state in
      state.openEntries == 0 || state.failure != nil ? .some(state.failure ?? state.journalFailure) : nil
    }
    if let failure { throw failure }
    submit(.enter(entries))
  }

  /// Waits until the file has all that was appended, so that others can write to it.
  func settle() throws(Errno) {
    try submitPartial()
    if let last = block { shared.change { $0.free.append(last.base) } }
    block = nil
    let failure = shared.wait { $0.openJobs == 0 ? .some($0.failure) : nil }
    if let failure { throw failure }
  }

  /// Ends the threads after what they have to do.
  func stop() {
    submit(.end)
    thread?.join()
    thread = nil
    shared.change { $0.hasEnded = true }
    syncThread?.join()
    syncThread = nil
  }

  /// Removes the journal; to be called after ``stop()``.
  func removeJournal() { journal.remove() }

  private func submit(_ job: Job) {
    shared.change { state in
      state.jobs.append(job)
      state.openJobs += 1
      if case .enter = job { state.openEntries += 1 }
    }
  }

  /// Hands over what the block has so far, and goes on with a copy of its last bytes, which are short of the alignment.
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
    let result = shared.wait { state -> Result<UnsafeMutableRawPointer, Errno>? in
      if let failure = state.failure { return .failure(failure) }
      return state.free.popLast().map(Result.success)
    }
    return try result.get()
  }

  /// A block for what follows `offset`, with what the file has before it from the last multiple of the alignment on.
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
      let job = shared.wait { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      switch job {
      case .write(let block):
        let failure = shared.change { $0.failure } ?? write(block)
        shared.change { state in
          state.failure = failure
          state.free.append(block.base)
          state.openJobs -= 1
        }
      case .enter(let entries):
        // Entries must not speak of what is not there.
        let hasFailed = shared.change { $0.failure != nil }
        var failure: Errno?
        if !hasFailed {
          do throws(Errno) { try journal.append(entries) } catch { failure = error }
        }
        shared.change { state in
          state.journalFailure = state.journalFailure ?? failure
          state.openEntries -= 1
          state.openJobs -= 1
          // With a block to spare, the disk has time for it.
          let mayWait = state.free.isEmpty && MonotonicClock.now < state.nextSync
          state.isSyncWanted = state.isSyncWanted || !hasFailed && !mayWait
        }
      case .end:
        return
      }
    }
  }

  /// Writes `block`, up to the next multiple of the alignment; what the disk said to it.
  private func write(_ block: Block) -> Errno? {
    let length = (block.count + Self.alignment - 1) & ~(Self.alignment - 1)
    memset(block.base + block.count, 0, length - block.count)
    let bytes = UnsafeRawBufferPointer(start: block.base, count: length)
    do {
      if let direct {
        do {
          _ = try direct.writeAll(toAbsoluteOffset: block.offset, bytes)
          return nil
        } catch Errno.invalidArgument {
          // Opened, but not for such a request: some file systems say so only now.
        }
      }
      _ = try plain.writeAll(toAbsoluteOffset: block.offset, bytes)
      return nil
    } catch {
      return error as? Errno ?? .ioError
    }
  }

  /// Has the disk keep the frames and then the journal each time that is wanted: the sync thread's work.
  private func keepSyncing() {
    func isWanted(_ state: inout State) -> Bool? {
      guard state.isSyncWanted else { return state.hasEnded ? false : nil }
      state.isSyncWanted = false
      state.nextSync = .max
      return true
    }
    while shared.wait(for: isWanted) {
      let start = MonotonicClock.now
      var failure: Errno?
      // The journal's blocks get their place on the disk now, so that the file system commits what it notes of both files
      // at once, after the frames. An entry that came to the disk earlier is told by the ends of its frame.
      clinux_start_writeback(journalDescriptor.rawValue)
      do throws(Errno) {
        try plain.synchronizeData()
        try journalDescriptor.synchronizeData()
      } catch {
        failure = error
      }
      let end = MonotonicClock.now
      shared.change { state in
        state.failure = state.failure ?? failure
        state.nextSync = end + (end - start) * (Self.syncShare - 1)
      }
    }
  }
}

extension FileDescriptor {
  /// Waits until the disk has what is needed to read all that was written. The corresponding call is fdatasync(2).
  fileprivate func synchronizeData() throws(Errno) {
    guard fdatasync(rawValue) == 0 else { throw Errno(rawValue: errno) }
  }
}
