internal import CLinux
internal import Glibc
internal import SystemPackage

/// Disk space claimed ahead of writing, so that a full disk is noticed before a frame is begun rather than in
/// the middle of it.
struct DiskHeadroom {
  /// The size limit of this program's files in bytes, in whole blocks as they are written: fallocate(2) does
  /// not respect it.
  private static let largestFile =
    ProcessLimits.limit(clinux_limit_file_size).map { $0 & ~4095 } ?? .max

  /// The size of the pieces that are claimed while there is plenty of space, in bytes.
  private let largestStep: Int64
  private var step: Int64
  /// Bytes from the start of the file that are certain to be available.
  private var end: Int64 = 0
  /// Whether the file system supports claiming, as far as is known.
  private(set) var isSupported = true

  init(step: Int64 = 16 << 20) {
    largestStep = step
    self.step = step
  }

  /// Returns the bytes to claim in advance if the first `needed` bytes of the file are needed soon; `nil` if
  /// enough is claimed, or space is so short that each byte is claimed only for its frame.
  func next(after needed: Int64) -> Range<Int64>? {
    guard isSupported, step == largestStep, end - needed < step, end < Self.largestFile else {
      return nil
    }
    return end..<min(max(end, needed) + step, Self.largestFile)
  }

  /// Returns whether the first `needed` bytes of the file have space on the disk.
  func holds(_ needed: Int64) -> Bool { end >= needed }

  /// Records that the first `end` bytes of the file were claimed elsewhere.
  mutating func note(claimed end: Int64) { self.end = max(self.end, end) }

  /// Claims space in advance if the first `needed` bytes of the file are needed soon, as far as there is some.
  mutating func claimAhead(of needed: Int64, in descriptor: FileDescriptor) {
    guard let next = next(after: needed) else { return }
    try? extend(descriptor, to: next.upperBound)
  }

  /// Claims the space of the first `needed` bytes of the file.
  ///
  /// A file system without fallocate(2) guarantees nothing, and no error is thrown.
  ///
  /// - Throws: `Errno.noSpace`, `Errno.fileTooLarge` and the like if there is no space; earlier claims
  ///   remain.
  mutating func extend(_ descriptor: FileDescriptor, to needed: Int64) throws(Errno) {
    guard needed <= Self.largestFile else { throw .fileTooLarge }
    while isSupported, end < needed {
      let missing = needed - end
      let length = max(missing, step)
      let isAllowed = length == missing || descriptor.hasPlenty(for: length)
      let error = isAllowed ? descriptor.claim(end, length) : .noSpace
      switch error {
      case Errno(rawValue: 0):
        end += length
      case .notSupported, .noFunction:
        isSupported = false
      case _ where length > missing:
        // Space is running out: reduce the step until only the missing bytes are claimed.
        step /= 2
      default:
        throw error
      }
    }
  }
}

extension FileDescriptor {
  /// Claims `length` bytes from `offset` on, as fallocate(2) does. Returns `Errno(rawValue: 0)` on success.
  fileprivate func claim(_ offset: Int64, _ length: Int64) -> Errno {
    Errno(rawValue: -clinux_reserve(rawValue, offset, length))
  }

  /// Returns whether the disk has `count` bytes more than others are about to need.
  ///
  /// Check this before claiming space ahead: a file system with less space than requested allocates all of it
  /// before it fails, and the journal beside the part would then find the disk full.
  func hasPlenty(for count: Int64) -> Bool {
    guard let free = bytesFree else { return true }
    return UInt64(clamping: count) <= free / 2
  }

  /// The number of bytes that this user can still write to this file's disk; `nil` if unknown.
  var bytesFree: UInt64? {
    var status = statvfs()
    guard fstatvfs(rawValue, &status) == 0 else { return nil }
    return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
  }
}
