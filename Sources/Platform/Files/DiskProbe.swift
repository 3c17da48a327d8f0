public import SystemPackage

internal import CLinux
internal import Glibc

/// The measured write speed of a folder's disk.
public struct DiskProbe: Hashable, Sendable {
  /// Bytes written to the disk per second.
  public let bytesPerSecond: Double

  private static let blockBytes = 1 << 20
  private static let mostBlocks = 512
  private static let fewestBlocks = 16
  /// The part of the free space that a measurement may take: one in so many bytes.
  private static let reserve = 4

  /// Measures the speed with an unnamed file in `folder`, which leaves nothing behind, for about `duration`.
  ///
  /// At least 16 and at most 512 MiB are written and synced to the disk, but no more than a quarter of its free space.
  /// - Throws: ``OvercrankError`` if the folder is not writable, or its disk is nearly full.
  public init(folder: FilePath, lasting duration: Duration = .milliseconds(700)) throws(OvercrankError) {
    let fd = folder.withPlatformString { clinux_open_scratch($0, 1) }
    guard fd >= 0 else {
      throw OvercrankError.creating(
        folder.appending("test"), Errno(rawValue: -fd), saying: "No file can be created in \(folder)")
    }
    defer { _ = close(fd) }
    let free = folder.bytesFree
    let mostBlocks = min(
      Self.mostBlocks, free.map { Int($0 / Int64(Self.reserve * Self.blockBytes)) } ?? .max)
    guard mostBlocks > 0 else {
      throw .writing(folder, .noSpace, bytesFree: free.map { UInt64(clamping: $0) })
    }
    // Aligned as O_DIRECT requires, and random, so that no file system can compress it.
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 4096)
    defer { block.deallocate() }
    var noise: UInt64 = 0x9e37_79b9_7f4a_7c15
    for word in block.bindMemory(to: UInt64.self).indices {
      noise ^= noise << 13
      noise ^= noise >> 7
      noise ^= noise << 17
      block.storeBytes(of: noise, toByteOffset: 8 * word, as: UInt64.self)
    }
    let clock = ContinuousClock()
    let start = clock.now
    var written = 0
    for count in 0..<mostBlocks {
      if count >= Self.fewestBlocks, clock.now - start > duration { break }
      let result = write(fd, block.baseAddress, block.count)
      guard result > 0 else { throw Self.failure(folder, fd) }
      written += result
    }
    guard fdatasync(fd) == 0 else { throw Self.failure(folder, fd) }
    bytesPerSecond = Double(written) / max(1e-9, (clock.now - start) / .seconds(1))
  }

  private static func failure(_ folder: FilePath, _ fd: CInt) -> OvercrankError {
    let reason = Errno(rawValue: errno)
    return .writing(folder, reason, bytesFree: nil)
  }
}

internal import CLinux

/// Limits of a folder's file system.
extension FilePath {
  /// `MSDOS_SUPER_MAGIC` and `EXFAT_SUPER_MAGIC` of linux/magic.h.
  private static let (fat, exFAT): (Int64, Int64) = (0x4d44, 0x2011_bab0)

  private var fileSystem: Int64 { folder.withPlatformString { clinux_file_system($0) } }

  /// Whether names in the folder of this file follow FAT's rules.
  package var hasFATNames: Bool { [Self.fat, Self.exFAT].contains(fileSystem) }

  /// The largest possible size of a file there in bytes; `nil` if any recording fits.
  package var largestFile: Int64? { fileSystem == Self.fat ? 1 << 32 - 1 : nil }
}
