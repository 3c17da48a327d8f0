import Synchronization

/// The capture thread's end of a ring.
public struct RingProducer: ~Copyable, @unchecked Sendable {
  // Unchecked: pointers are, and what they point to is atomic, or belongs to this end until it is published.
  private let memory: RingMemory
  // Copies of what `memory` holds, so that a frame touches no object and counts no references.
  private let arena: UnsafeMutableRawPointer
  private let published: UnsafeMutablePointer<Atomic<Int>>
  private let released: UnsafeMutablePointer<Atomic<Int>>
  private let rewoundFrom: UnsafeMutablePointer<Atomic<Int>>
  /// Bytes in the ring.
  public let capacity: Int
  private var head = 0
  private var knownTail = 0
  /// Where the last rewind led to: all before it has been read, whether or not `released` says so yet.
  private var rewoundTo = 0

  /// Room that payloads leave free, so that a full ring can still be told what it lost.
  static let headroom = 1 << 14

  init(_ memory: RingMemory) {
    self.memory = memory
    arena = memory.arena
    published = memory.published
    released = memory.released
    rewoundFrom = memory.rewoundFrom
    capacity = memory.capacity
  }

  /// Writes a record and its payload and lets the consumer see them; `false` where there is no room.
  ///
  /// - Parameters:
  ///   - record: the record's header.
  ///   - payloadBytes: how many bytes `fill` writes.
  ///   - fill: is given memory for them, in one piece, 64-byte aligned.
  public mutating func push(
    _ record: RingRecord, payloadBytes: Int, fill: (UnsafeMutableRawPointer) -> Void
  ) -> Bool {
    guard let size = write(record, payloadBytes: payloadBytes, fill: fill) else { return false }
    publish(size)
    return true
  }

  /// Writes a record and its payload, unseen until ``publish(_:)``, and returns how much they take up;
  /// `nil` where there is no room, and then nothing was written. The next write goes over what was not published.
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

  /// Lets the consumer see what was written last, which takes up `size` bytes.
  public mutating func publish(_ size: Int) {
    head += size
    #if PLANTED_RING_FAULT
      published.pointee.store(head, ordering: .relaxed)
    #else
      // Release: pairs with the acquire in `RingConsumer.pop`; the record is written before it is seen.
      published.pointee.store(head, ordering: .releasing)
    #endif
  }

  /// Whether a record with a payload of `payloadBytes` would be taken now.
  public mutating func hasRoom(payloadBytes: Int) -> Bool {
    let size = RingLayout.recordBytes(payload: payloadBytes) + (payloadBytes > 0 ? Self.headroom : 0)
    if head + size - knownTail <= capacity { return true }
    // Acquire: pairs with the release in `RingConsumer.pop`; the reader is done with what we overwrite.
    knownTail = max(released.pointee.load(ordering: .acquiring), rewoundTo)
    return head + size - knownTail <= capacity
  }

  /// Begins again at the arena's start where all has been read and an eighth of it used.
  ///
  /// A writer that keeps up so leaves most of a large ring unused: what is used stays in the processor's cache.
  private mutating func rewindIfEmpty() {
    let place = head % capacity
    // Acquire: as in `hasRoom`.
    guard place >= capacity / 8, released.pointee.load(ordering: .acquiring) == head else { return }
    // Relaxed: the release in `publish` that follows carries it.
    rewoundFrom.pointee.store(head, ordering: .relaxed)
    head += capacity - place
    rewoundTo = head
    knownTail = head
  }

  /// Says that nothing will follow.
  public consuming func close() {
    // Release: pairs with the acquire in `RingConsumer.isClosed`; every record is published before.
    memory.isClosed.pointee.store(true, ordering: .releasing)
  }
}
