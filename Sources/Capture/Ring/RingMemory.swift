import CLinux
import Glibc
import Platform
import Synchronization
import SystemPackage

/// The memory that the two ends of a ring share; freed when both are gone.
///
/// The arena is mapped twice, back to back: a record that runs over the end continues at the start, so every
/// record is contiguous. Its pages are present before the first frame comes, and locked if the system allows
/// that.
final class RingMemory: @unchecked Sendable {
  // Unchecked: nothing here changes after `init`; the two ends coordinate access to the memory.
  /// The size of the arena in bytes: whole pages, and little more than requested, because all of it is
  /// allocated.
  let capacity: Int
  /// The errno that explains why the pages are not locked; 0 if they are.
  let lockErrno: CInt
  let arena: UnsafeMutableRawPointer
  /// The number of bytes ever published; written only by the producer.
  let published: UnsafeMutablePointer<Atomic<Int>>
  /// The number of bytes ever released; written only by the consumer.
  let released: UnsafeMutablePointer<Atomic<Int>>
  /// The position of the producer's last rewind to the arena's start; written only by the producer.
  let rewoundFrom: UnsafeMutablePointer<Atomic<Int>>
  /// Set by the producer after its last record.
  let isClosed: UnsafeMutablePointer<Atomic<Bool>>
  private let indices: UnsafeMutableRawPointer

  /// Two cache lines: x86 prefetches lines in pairs, so closer indices would still share one.
  private static let indexSpacing = 128

  /// Returns the capacity of a ring for `minimum` bytes: a multiple of the largest page of Linux on any processor,
  /// 64 KiB; or of a huge page, if that is small in comparison.
  ///
  /// Both halves of the arena begin at a page, whatever the size of a page is here.
  static func capacity(for minimum: Int) -> Int {
    let granularity = minimum < 16 << 20 ? 1 << 16 : 2 << 20
    return max(1, (minimum - 1) / granularity + 1) * granularity
  }

  /// Maps, faults in and locks the memory.
  ///
  /// - Parameters:
  ///   - available: The number of bytes of ordinary memory that the ring may use.
  ///   - isStopped: Called repeatedly, because gigabytes take seconds. Once it returns `true`, the rest is
  ///     neither faulted in nor locked.
  init(
    minimumCapacity: Int, available: Int? = SystemMemory.availableBytes,
    unless isStopped: () -> Bool = { false }
  ) throws(CaptureError) {
    let capacity = Self.capacity(for: minimumCapacity)
    arena = try Self.map(capacity, available: available, unless: isStopped)
    self.capacity = capacity
    // Locking one of the two mappings is enough: its pages are then never swapped out of the other.
    let address = UInt(bitPattern: arena)
    lockErrno =
      isStopped()
      ? ECANCELED
      : -Privileges.use { clinux_lock(UnsafeMutableRawPointer(bitPattern: address), capacity) }
    indices = .allocate(byteCount: 4 * Self.indexSpacing, alignment: Self.indexSpacing)
    var place = indices
    func next() -> UnsafeMutableRawPointer {
      defer { place += Self.indexSpacing }
      return place
    }
    published = next().initializeMemory(as: Atomic<Int>.self, to: Atomic(0))
    released = next().initializeMemory(as: Atomic<Int>.self, to: Atomic(0))
    rewoundFrom = next().initializeMemory(as: Atomic<Int>.self, to: Atomic(-1))
    isClosed = next().initializeMemory(as: Atomic<Bool>.self, to: Atomic(false))
  }

  /// The number of bytes that are faulted in between two looks at whether to stop.
  private static let touchedAtOnce = 64 << 20

  /// Maps the arena and faults in all of its pages.
  private static func map(
    _ capacity: Int, available: Int?, unless isStopped: () -> Bool
  ) throws(CaptureError) -> UnsafeMutableRawPointer {
    let reserved = clinux_map_mirrored_reserved(capacity)
    let arena = if let reserved { reserved } else { try mapOrdinary(capacity, available: available) }
    // Both halves: each has page tables of its own.
    for start in stride(from: 0, to: 2 * capacity, by: touchedAtOnce) where !isStopped() {
      let touched = clinux_touch(arena + start, min(touchedAtOnce, 2 * capacity - start))
      guard touched == 0 else {
        clinux_unmap_mirrored(arena, capacity)
        throw .ring(byteCount: capacity, answer: "\(Errno(rawValue: -touched))")
      }
    }
    return arena
  }

  private static func mapOrdinary(
    _ capacity: Int, available: Int?
  ) throws(CaptureError) -> UnsafeMutableRawPointer {
    // Refuses here, because the kernel would only kill the program when it touches the memory.
    if let available, capacity > available {
      throw .ring(byteCount: capacity, answer: "only \(available >> 20) MiB are available")
    }
    var errno: CInt = 0
    guard let arena = clinux_map_mirrored(capacity, &errno) else {
      throw .ring(byteCount: capacity, answer: "\(Errno(rawValue: errno))")
    }
    return arena
  }

  deinit {
    clinux_unmap_mirrored(arena, capacity)
    indices.deallocate()
  }
}

extension UnsafeMutableRawPointer {
  /// Initializes one noncopyable value here.
  fileprivate func initializeMemory<T: ~Copyable>(
    as type: T.Type, to value: consuming T
  ) -> UnsafeMutablePointer<T> {
    let typed = bindMemory(to: type, capacity: 1)
    typed.initialize(to: value)
    return typed
  }
}
