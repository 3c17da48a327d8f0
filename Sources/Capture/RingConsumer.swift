import Synchronization

/// The writer's end of a ring.
public struct RingConsumer: ~Copyable, @unchecked Sendable {
  private let memory: RingMemory
  private let arena: UnsafeMutableRawPointer
  private let published: UnsafeMutablePointer<Atomic<Int>>
  private let released: UnsafeMutablePointer<Atomic<Int>>
  private let rewoundFrom: UnsafeMutablePointer<Atomic<Int>>
  /// Bytes in the ring.
  public let capacity: Int
  private var tail = 0
  private var knownHead = 0

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
    if tail == knownHead {
      // Acquire: pairs with the release in `RingProducer.publish`; the record is seen whole.
      knownHead = published.pointee.load(ordering: .acquiring)
      if tail == knownHead { return nil }
      tail = tailAfterRewind
    }
    let place = arena + tail & (capacity - 1)
    let header = place.load(as: RingLayout.Header.self)
    let payload = UnsafeRawBufferPointer(
      start: place + RingLayout.headerBytes, count: header.payloadBytes)
    defer {
      tail += RingLayout.recordBytes(payload: header.payloadBytes)
      // Release: pairs with the acquire in `RingProducer.hasRoom`; we have read before it overwrites.
      released.pointee.store(tail, ordering: .releasing)
    }
    return try body(header.record, payload)
  }

  /// Bytes that are waiting; what was published a moment ago may be missing.
  public var fillBytes: Int {
    // Acquire: a rewind is stored before the head that follows it; that head may still be missing.
    max(0, published.pointee.load(ordering: .acquiring) - tailAfterRewind)
  }

  /// Where the next record lies, be it at the arena's start.
  private var tailAfterRewind: Int {
    // Relaxed: it was stored before the head that was acquired before.
    guard tail == rewoundFrom.pointee.load(ordering: .relaxed) else { return tail }
    return tail + capacity - tail & (capacity - 1)
  }

  /// Whether the producer has closed the ring; what it pushed before can still be popped.
  public var isClosed: Bool {
    // Acquire: pairs with the release in `RingProducer.close`; all records are visible once it is seen.
    memory.isClosed.pointee.load(ordering: .acquiring)
  }
}
