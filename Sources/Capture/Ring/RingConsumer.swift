import Synchronization

/// The writer's end of a ring.
public struct RingConsumer: ~Copyable, @unchecked Sendable {
  // Unchecked: as the producer's end; what has been published belongs to this one until it is released.
  private let memory: RingMemory
  private let arena: UnsafeMutableRawPointer
  private let published: UnsafeMutablePointer<Atomic<Int>>
  private let released: UnsafeMutablePointer<Atomic<Int>>
  private let rewoundFrom: UnsafeMutablePointer<Atomic<Int>>
  /// Bytes in the ring.
  public let capacity: Int
  private var tail = 0
  private var knownHead = 0
  /// What lies before has been told by ``scan()`` or popped; never before `tail`.
  private var scanned = 0

  init(_ memory: RingMemory) {
    self.memory = memory
    arena = memory.arena
    published = memory.published
    released = memory.released
    rewoundFrom = memory.rewoundFrom
    capacity = memory.capacity
  }

  /// Lends the oldest record and its payload to `body` and then lets go of it; `nil` where there is none.
  public mutating func pop<Result, Failure: Error>(
    _ body: (RingRecord, UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard hasRecord(at: tail) else { return nil }
    let (record, payload) = content(at: tail)
    defer {
      tail += RingLayout.recordBytes(payload: payload.count)
      scanned = max(scanned, tail)
      // Release: pairs with the acquire in `RingProducer.hasRoom`; we have read before it overwrites.
      released.pointee.store(tail, ordering: .releasing)
    }
    return try body(record, payload)
  }

  /// The oldest record, which stays where it is; `nil` where there is none.
  public mutating func peek() -> RingRecord? { peekContent()?.record }

  /// The oldest record and its payload, which stay where they are; `nil` where there is none.
  ///
  /// The payload is valid until the record is popped.
  public mutating func peekContent() -> (record: RingRecord, payload: UnsafeRawBufferPointer)? {
    guard hasRecord(at: tail) else { return nil }
    let (record, payload) = content(at: tail)
    return (record, payload)
  }

  /// The oldest record and its payload, as ``peekContent()`` has them; `nil` where ``scan()`` has not told it yet.
  mutating func peekScanned() -> (record: RingRecord, payload: UnsafeRawBufferPointer)? {
    tail == scanned ? nil : peekContent()
  }

  /// The oldest record that was neither told by this call before nor popped; it stays in the ring. `nil` where
  /// there is none.
  ///
  /// The payload is valid until the record is popped.
  public mutating func scan() -> (record: RingRecord, payload: UnsafeRawBufferPointer)? {
    guard hasRecord(at: scanned) else { return nil }
    let (record, payload) = content(at: scanned)
    scanned += RingLayout.recordBytes(payload: payload.count)
    return (record, payload)
  }

  /// Lends every record that waits to `body`, the oldest first; all stay in the ring.
  public mutating func forEach<Failure: Error>(
    _ body: (RingRecord, UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard hasRecord(at: tail) else { return }
    var place = tail
    while place != knownHead {
      let (record, payload) = content(at: place)
      try body(record, payload)
      place += RingLayout.recordBytes(payload: payload.count)
    }
  }

  private borrowing func content(at place: Int) -> (RingRecord, UnsafeRawBufferPointer) {
    let header = header(at: place)
    let start = arena + place % capacity + RingLayout.headerBytes
    return (header.record, UnsafeRawBufferPointer(start: start, count: header.payloadBytes))
  }

  /// Whether a record has been published at `place`, the tail or what was scanned last; both are moved on to the
  /// arena's start where the producer began again there.
  private mutating func hasRecord(at place: Int) -> Bool {
    guard place == knownHead else { return true }
    // Acquire: pairs with the release in `RingProducer.publish`; the record is seen whole.
    knownHead = published.pointee.load(ordering: .acquiring)
    guard place != knownHead else { return false }
    // The producer begins again only where nothing is left, neither to pop nor to scan.
    if place == tail {
      tail = tailAfterRewind
      scanned = max(scanned, tail)
    }
    return true
  }

  private borrowing func header(at place: Int) -> RingLayout.Header {
    (arena + place % capacity).load(as: RingLayout.Header.self)
  }

  /// Why the ring's memory may be swapped out, as an errno; 0 where it may not.
  public var lockErrno: Int32 { memory.lockErrno }

  /// Bytes that are waiting; what was published a moment ago may be missing.
  public var fillBytes: Int {
    // Acquire: a rewind is stored before the head that follows it; that head may still be missing.
    max(0, published.pointee.load(ordering: .acquiring) - tailAfterRewind)
  }

  /// Where the next record lies, be it at the arena's start.
  private var tailAfterRewind: Int {
    // Relaxed: it was stored before the head that was acquired before.
    guard tail == rewoundFrom.pointee.load(ordering: .relaxed) else { return tail }
    return tail + capacity - tail % capacity
  }

  /// Whether the producer has closed the ring; what it pushed before can still be popped.
  public var isClosed: Bool {
    // Acquire: pairs with the release in `RingProducer.close`; all records are visible once it is seen.
    memory.isClosed.pointee.load(ordering: .acquiring)
  }
}
