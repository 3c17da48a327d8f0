import Synchronization

/// The capture thread's end of a ring.
public struct RingProducer: ~Copyable, @unchecked Sendable {
  // Unchecked because of the pointers: the memory is atomic, or belongs to this end until it is published.
  private let memory: RingMemory
  // Copies of the pointers in `memory`, so that a frame touches no object and no reference count.
  private let arena: UnsafeMutableRawPointer
  private let published: UnsafeMutablePointer<Atomic<Int>>
  private let released: UnsafeMutablePointer<Atomic<Int>>
  private let rewoundFrom: UnsafeMutablePointer<Atomic<Int>>
  /// The size of the ring in bytes.
  public let capacity: Int
  private var head = 0
  private var knownTail = 0
  /// The position after the last rewind: everything before it has been read, even if `released` does not show
  /// that yet.
  private var rewoundTo = 0

  /// The space that payloads leave free, so that a full ring can still record its losses.
  static let headroom = 1 << 14

  init(_ memory: RingMemory) {
    self.memory = memory
    arena = memory.arena
    published = memory.published
    released = memory.released
    rewoundFrom = memory.rewoundFrom
    capacity = memory.capacity
  }

  /// Writes and publishes a record with its payload. Returns `false` if there is no room.
  ///
  /// - Parameters:
  ///   - record: The record's header.
  ///   - payloadBytes: The number of bytes that `fill` writes.
  ///   - fill: Called with contiguous, 64-byte aligned memory for the payload.
  public mutating func push(
    _ record: RingRecord, payloadBytes: Int, fill: (UnsafeMutableRawPointer) -> Void
  ) -> Bool {
    guard let size = write(record, payloadBytes: payloadBytes, fill: fill) else { return false }
    publish(size)
    return true
  }

  /// Writes a record and its payload without publishing them. Returns their size for ``publish(_:)``; `nil`
  /// if there is no room, in which case nothing was written. The next write overwrites an unpublished record.
  public mutating func write(
    _ record: RingRecord, payloadBytes: Int, fill: (UnsafeMutableRawPointer) -> Void
  ) -> Int? {
    rewindIfEmpty()
    guard hasRoom(payloadBytes: payloadBytes) else { return nil }
    let place = arena + head % capacity
    place.storeBytes(
      of: RingLayout.Header(payloadBytes: payloadBytes, record: record), as: RingLayout.Header.self)
    fill(place + RingLayout.headerBytes)
    return RingLayout.recordBytes(payload: payloadBytes)
  }

  /// Publishes the record written last, whose size is `size` bytes.
  public mutating func publish(_ size: Int) {
    head += size
    #if PLANTED_RING_FAULT
      published.pointee.store(head, ordering: .relaxed)
    #else
      // Release: pairs with the acquire in `RingConsumer.hasRecord`; the record is written before it becomes
      // visible.
      published.pointee.store(head, ordering: .releasing)
    #endif
  }

  /// Returns whether a record with a payload of `payloadBytes` would fit now.
  public mutating func hasRoom(payloadBytes: Int) -> Bool {
    let size = RingLayout.recordBytes(payload: payloadBytes) + (payloadBytes > 0 ? Self.headroom : 0)
    if head + size - knownTail <= capacity { return true }
    // Acquire: pairs with the release in `RingConsumer.pop`; the reader has finished with the bytes to
    // overwrite.
    knownTail = max(released.pointee.load(ordering: .acquiring), rewoundTo)
    return head + size - knownTail <= capacity
  }

  /// Rewinds to the arena's start if everything has been read and at least an eighth of the arena used.
  ///
  /// If the writer keeps up, most of a large ring stays unused, and the used part stays in the processor's
  /// cache.
  private mutating func rewindIfEmpty() {
    let place = head % capacity
    // Acquire: as in `hasRoom`.
    guard place >= capacity / 8, released.pointee.load(ordering: .acquiring) == head else { return }
    // Relaxed: the release in the next `publish` orders it.
    rewoundFrom.pointee.store(head, ordering: .relaxed)
    head += capacity - place
    rewoundTo = head
    knownTail = head
  }

  /// Closes the ring after the last record.
  public consuming func close() {
    // Release: pairs with the acquire in `RingConsumer.isClosed`; every record is published before.
    memory.isClosed.pointee.store(true, ordering: .releasing)
  }
}
