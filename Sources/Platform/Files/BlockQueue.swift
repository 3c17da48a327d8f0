internal import SystemPackage
internal import Timebase

/// The state shared by the threads of a ``BlockWriter``: pending work, and past failures.
struct BlockQueue {
  /// A part of the file on its way to the disk.
  struct Block {
    var base: UnsafeMutableRawPointer
    /// The aligned offset in the file.
    var offset: Int64
    /// The number of bytes in it.
    var count = 0
    /// The number of those bytes that the file already has.
    var writtenCount = 0
  }

  /// A task for the disk thread.
  enum Job {
    case write(Block)
    case enter([UInt8])
    case claim(Range<Int64>)
    case end
  }

  private(set) var jobs: [Job] = []
  /// The number of unfinished jobs, including the current one.
  private(set) var openJobs = 0
  private(set) var openEntries = 0
  /// Blocks available for filling.
  var free: [UnsafeMutableRawPointer]
  /// The first error that the disk reported. The kernel reports a page that it could not write only once, so
  /// this is never cleared.
  private(set) var failure: Errno?
  private(set) var journalFailure: Errno?
  /// The end of the space that was claimed ahead, in bytes from the start of the file.
  private(set) var claimedEnd: Int64 = 0
  private(set) var isClaiming = false
  /// Whether the disk had no space to claim ahead.
  private(set) var hasClaimFailed = false
  /// Whether the journal has entries that no sync covers yet.
  private(set) var isSyncWanted = false
  private(set) var isSyncing = false
  /// The earliest time of the next sync while the disk is behind.
  private var nextSync = Instant(nanoseconds: 0)
  var hasEnded = false

  init(free: [UnsafeMutableRawPointer]) { self.free = free }

  mutating func submit(_ job: Job) {
    openJobs += 1
    switch job {
    case .enter: openEntries += 1
    // Ahead of the blocks, because the writer continues as soon as there is space.
    case .claim:
      isClaiming = true
      jobs.insert(job, at: 0)
      return
    case .write, .end: break
    }
    jobs.append(job)
  }

  mutating func nextJob() -> Job? { jobs.isEmpty ? nil : jobs.removeFirst() }

  mutating func finishWrite(of block: Block, _ failure: Errno?) {
    self.failure = self.failure ?? failure
    free.append(block.base)
    openJobs -= 1
  }

  /// - Parameter isDone: whether the entries were written to the journal.
  mutating func finishEntry(_ failure: Errno?, isDone: Bool, at now: Instant) {
    journalFailure = journalFailure ?? failure
    openEntries -= 1
    openJobs -= 1
    // A free block besides the one reserved for a checkpoint means that the disk has time for a sync.
    let mayWait = free.count <= 1 && now < nextSync
    isSyncWanted = isSyncWanted || isDone && !mayWait
  }

  mutating func finishClaim(of range: Range<Int64>, _ failure: Errno?) {
    if failure == nil { claimedEnd = max(claimedEnd, range.upperBound) } else { hasClaimFailed = true }
    isClaiming = false
    openJobs -= 1
  }

  /// Returns whether to sync or to end; `nil` if there is nothing to do yet.
  mutating func beginSync() -> Bool? {
    guard isSyncWanted else { return hasEnded ? false : nil }
    isSyncWanted = false
    isSyncing = true
    nextSync = .distantFuture
    return true
  }

  mutating func finishSync(_ failure: Errno?, nextAt nextSync: Instant) {
    self.failure = self.failure ?? failure
    self.nextSync = nextSync
    isSyncing = false
  }

  /// Cancels a requested sync. Returns whether none is running.
  mutating func cancelSync() -> Bool {
    isSyncWanted = false
    return !isSyncing
  }
}
