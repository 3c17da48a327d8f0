internal import SystemPackage
internal import Timebase

/// What the threads of a ``BlockWriter`` know together: what is to be done, and how it went.
struct BlockQueue {
  /// A part of the file on its way to the disk.
  struct Block {
    var base: UnsafeMutableRawPointer
    /// Where it goes in the file, aligned.
    var offset: Int64
    /// Bytes in it.
    var count = 0
    /// How many of them the file has already.
    var writtenCount = 0
  }

  /// What the disk thread is to do.
  enum Job {
    case write(Block)
    case enter([UInt8])
    case claim(Range<Int64>)
    case end
  }

  private(set) var jobs: [Job] = []
  /// Jobs that have not been finished, the one at hand included.
  private(set) var openJobs = 0
  private(set) var openEntries = 0
  /// Blocks that wait to be filled.
  var free: [UnsafeMutableRawPointer]
  /// The first that the disk said. The kernel tells of a page that it could not write once, so this
  /// is never taken back.
  private(set) var failure: Errno?
  private(set) var journalFailure: Errno?
  /// Bytes from the start of the file the space of which was claimed ahead.
  private(set) var claimedEnd: Int64 = 0
  private(set) var isClaiming = false
  /// Whether the disk had no space to claim ahead.
  private(set) var hasClaimFailed = false
  /// Whether the journal has entries that no sync has been started for.
  private(set) var isSyncWanted = false
  private(set) var isSyncing = false
  /// When the next sync may begin even where the disk is behind.
  private var nextSync = Instant(nanoseconds: 0)
  var hasEnded = false

  init(free: [UnsafeMutableRawPointer]) { self.free = free }

  mutating func submit(_ job: Job) {
    openJobs += 1
    switch job {
    case .enter: openEntries += 1
    // In front of the blocks: the writer goes on as soon as there is space.
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

  /// - Parameter isDone: whether the journal has the entries.
  mutating func finishEntry(_ failure: Errno?, isDone: Bool, at now: Instant) {
    journalFailure = journalFailure ?? failure
    openEntries -= 1
    openJobs -= 1
    // With a block to spare besides the checkpoint's, the disk has time for it.
    let mayWait = free.count <= 1 && now < nextSync
    isSyncWanted = isSyncWanted || isDone && !mayWait
  }

  mutating func finishClaim(of range: Range<Int64>, _ failure: Errno?) {
    if failure == nil { claimedEnd = max(claimedEnd, range.upperBound) } else { hasClaimFailed = true }
    isClaiming = false
    openJobs -= 1
  }

  /// Whether to sync; `nil` where there is nothing to do yet.
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

  /// Lets go of a sync that was wanted; whether none runs.
  mutating func cancelSync() -> Bool {
    isSyncWanted = false
    return !isSyncing
  }
}
