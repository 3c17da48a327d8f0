import Synchronization

/// The writer's end of a ring.
public struct RingConsumer: ~Copyable, @unchecked Sendable {
  // Unchecked: as for the producer; published records belong to this end until it releases them.
  private let memory: RingMemory
  private let arena: UnsafeMutableRawPointer
  private let published: UnsafeMutablePointer<Atomic<Int>>
  private let released: UnsafeMutablePointer<Atomic<Int>>
  private let rewoundFrom: UnsafeMutablePointer<Atomic<Int>>
  /// The size of the ring in bytes.
  public let capacity: Int
  private var tail = 0
  private var knownHead = 0
  /// The end of the records returned by ``scan()`` or popped; never before `tail`.
  private var scanned = 0

  init(_ memory: RingMemory) {
    self.memory = memory
    arena = memory.arena
    published = memory.published
    released = memory.released
    rewoundFrom = memory.rewoundFrom
    capacity = memory.capacity
  }

  /// Lends the oldest record and its payload to `body`, then releases it; `nil` if the ring is empty.
  public mutating func pop<Result, Failure: Error>(
    _ body: (RingRecord, UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard hasRecord(at: tail) else { return nil }
    let (record, payload) = content(at: tail)
    defer {
      tail += RingLayout.recordBytes(payload: payload.count)
      scanned = max(scanned, tail)
      // Release: pairs with the acquire in `RingProducer.hasRoom`; this end has read the record before it is
      // overwritten.
      released.pointee.store(tail, ordering: .releasing)
    }
    return try body(record, payload)
  }

  /// Returns the oldest record without removing it; `nil` if the ring is empty.
  public mutating func peek() -> RingRecord? { peekContent()?.record }

  /// Returns the oldest record and its payload without removing them; `nil` if the ring is empty.
  ///
  /// The payload is valid until the record is popped.
  public mutating func peekContent() -> (record: RingRecord, payload: UnsafeRawBufferPointer)? {
    guard hasRecord(at: tail) else { return nil }
    let (record, payload) = content(at: tail)
    return (record, payload)
  }

  /// Returns the oldest record and its payload, as ``peekContent()`` does; `nil` if ``scan()`` has not
  /// returned it yet.
  mutating func peekScanned() -> (record: RingRecord, payload: UnsafeRawBufferPointer)? {
    tail == scanned ? nil : peekContent()
  }

  /// Returns the oldest record that was neither returned by this method before nor popped; `nil` if there is
  /// none. The record stays in the ring.
  ///
  /// The payload is valid until the record is popped.
  public mutating func scan() -> (record: RingRecord, payload: UnsafeRawBufferPointer)? {
    guard hasRecord(at: scanned) else { return nil }
    let (record, payload) = content(at: scanned)
    scanned += RingLayout.recordBytes(payload: payload.count)
    return (record, payload)
  }

  /// Lends every waiting record to `body`, the oldest first; all stay in the ring.
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

  /// Returns whether a record has been published at `place`, which is `tail` or `scanned`. Moves both to the
  /// arena's start if the producer has rewound.
  private mutating func hasRecord(at place: Int) -> Bool {
    guard place == knownHead else { return true }
    // Acquire: pairs with the release in `RingProducer.publish`; the record is complete.
    knownHead = published.pointee.load(ordering: .acquiring)
    guard place != knownHead else { return false }
    // The producer rewinds only if nothing is left to pop or to scan.
    if place == tail {
      tail = tailAfterRewind
      scanned = max(scanned, tail)
    }
    return true
  }

  private borrowing func header(at place: Int) -> RingLayout.Header {
    (arena + place % capacity).load(as: RingLayout.Header.self)
  }

  /// The errno that explains why the ring's memory may be swapped out; 0 if it is locked.
  public var lockErrno: Int32 { memory.lockErrno }

  /// The number of waiting bytes; may omit very recent records.
  public var fillBytes: Int {
    // Acquire: a rewind is stored before the head that follows it, and that head may not be visible yet.
    max(0, published.pointee.load(ordering: .acquiring) - tailAfterRewind)
  }

  /// The position of the next record, after a rewind if there was one.
  private var tailAfterRewind: Int {
    // Relaxed: it was stored before the head that has been acquired.
    guard tail == rewoundFrom.pointee.load(ordering: .relaxed) else { return tail }
    return tail + capacity - tail % capacity
  }

  /// Whether the producer has closed the ring; its last records can still be popped.
  public var isClosed: Bool {
    // Acquire: pairs with the release in `RingProducer.close`; all records are visible once this is.
    memory.isClosed.pointee.load(ordering: .acquiring)
  }
}
