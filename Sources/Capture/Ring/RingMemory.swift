import CLinux
import Glibc
import Platform
import Synchronization
import SystemPackage

/// The memory that the two ends of a ring share; freed when both are gone.
///
/// The arena is mapped twice, back to back: a record that runs over the end comes back at the start, so
/// every record lies in one piece. Its pages are there before the first frame comes, and stay where the system
/// allows that.
final class RingMemory: @unchecked Sendable {
  // Unchecked: nothing here changes after `init`; of what it points to, the two ends say whose it is when.
  /// Bytes in the arena: whole pages, and hardly more than was asked for, as all of them are taken from the system.
  let capacity: Int
  /// Why the pages could not be locked against swapping; 0 where they are.
  let lockErrno: CInt
  let arena: UnsafeMutableRawPointer
  /// How many bytes were ever published; written by the producer alone.
  let published: UnsafeMutablePointer<Atomic<Int>>
  /// How many bytes were ever released; written by the consumer alone.
  let released: UnsafeMutablePointer<Atomic<Int>>
  /// Where the producer last left off to begin again at the arena's start; written by the producer alone.
  let rewoundFrom: UnsafeMutablePointer<Atomic<Int>>
  /// Set by the producer when nothing will follow.
  let isClosed: UnsafeMutablePointer<Atomic<Bool>>
  private let indices: UnsafeMutableRawPointer

  /// Two cache lines: x86 fetches lines in pairs, so nearer neighbours would still be shared.
  private static let indexSpacing = 128

  /// What capacities are multiples of: the largest page that Linux has on any processor; or a huge page, where that is
  /// little in comparison.
  private static func granularity(_ capacity: Int) -> Int { capacity < 16 << 20 ? 1 << 16 : 2 << 20 }

  /// - Parameter available: how many bytes of ordinary memory it may take.
  init(
    minimumCapacity: Int, available: Int? = SystemMemory.availableBytes
  ) throws(CaptureError) {
    let granularity = Self.granularity(minimumCapacity)
    let pages = max(1, (minimumCapacity - 1) / granularity + 1)
    let capacity = pages * granularity
    arena = try Self.map(capacity, available: available)
    self.capacity = capacity
    // One of the two mappings is enough: a page that is locked in one is never taken from the other.
    let address = UInt(bitPattern: arena)
    lockErrno = -Privileges.use { clinux_lock(UnsafeMutableRawPointer(bitPattern: address), capacity) }
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

  /// The arena, with all of its pages there.
  private static func map(
    _ capacity: Int, available: Int?
  ) throws(CaptureError) -> UnsafeMutableRawPointer {
    let reserved = clinux_map_mirrored_reserved(capacity)
    let arena = if let reserved { reserved } else { try mapOrdinary(capacity, available: available) }
    let touched = clinux_touch_mirrored(arena, capacity)
    guard touched == 0 else {
      clinux_unmap_mirrored(arena, capacity)
      throw .ring(byteCount: capacity, answer: "\(Errno(rawValue: -touched))")
    }
    return arena
  }

  private static func mapOrdinary(
    _ capacity: Int, available: Int?
  ) throws(CaptureError) -> UnsafeMutableRawPointer {
    // Refused here, as the kernel answers too late: by ending a program that touches what it promised.
    if let available, capacity > available {
      throw .ring(byteCount: capacity, answer: "the system can give \(available >> 20) MiB")
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
