internal import CLinux
internal import Glibc
internal import SystemPackage

/// Disk space claimed ahead of what is being written, so that a full disk is met before a frame is begun
/// rather than in the middle of it.
struct DiskHeadroom {
  /// The most bytes that a file of this program may have, in whole blocks as they are written: fallocate(2) does not
  /// look at that.
  private static let largestFile =
    ProcessLimits.limit(clinux_limit_file_size).map { $0 & ~4095 } ?? .max

  /// Space is claimed in pieces of this size while there is plenty, in bytes.
  private let largestStep: Int64
  private var step: Int64
  /// Bytes from the start of the file that are sure to be there.
  private var end: Int64 = 0
  /// Whether the file system can do it, as far as is known.
  private(set) var isSupported = true

  init(step: Int64 = 16 << 20) {
    largestStep = step
    self.step = step
  }

  /// Bytes to claim before they are needed, where the first `needed` of the file soon are; `nil`
  /// where enough was claimed, or space is running out and each byte is claimed for its frame alone.
  func next(after needed: Int64) -> Range<Int64>? {
    guard isSupported, step == largestStep, end - needed < step, end < Self.largestFile else {
      return nil
    }
    return end..<min(max(end, needed) + step, Self.largestFile)
  }

  /// Whether the first `needed` bytes of the file have their place on the disk.
  func holds(_ needed: Int64) -> Bool { end >= needed }

  /// Takes note that the first `end` bytes of the file were claimed elsewhere.
  mutating func note(claimed end: Int64) { self.end = max(self.end, end) }

  /// Makes sure that the first `needed` bytes of the file have their place on the disk.
  ///
  /// A file system without fallocate(2) promises nothing, and no error is given.
  ///
  /// - Throws: `Errno.noSpace`, `Errno.fileTooLarge` and their like where there is no such place; what was claimed
  ///   before stays.
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
        // Running out of space: take smaller steps until only what is needed is asked for.
        step /= 2
      default:
        throw error
      }
    }
  }
}

extension FileDescriptor {
  /// Claims `length` bytes from `offset` on, as fallocate(2) does; `Errno(rawValue: 0)` where the disk gave them.
  fileprivate func claim(_ offset: Int64, _ length: Int64) -> Errno {
    Errno(rawValue: -clinux_reserve(rawValue, offset, length))
  }

  /// Whether the disk has `count` bytes more than others are about to want.
  ///
  /// To be asked before space is claimed ahead: a file system that has less than it is asked for gives all of that away
  /// before it says so, and the journal beside the part would find the disk full.
  func hasPlenty(for count: Int64) -> Bool {
    guard let free = bytesFree else { return true }
    return UInt64(clamping: count) <= free / 2
  }

  /// How many bytes this user can still write to the disk of this file; `nil` where it does not say.
  var bytesFree: UInt64? {
    var status = statvfs()
    guard fstatvfs(rawValue, &status) == 0 else { return nil }
    return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
  }
}
