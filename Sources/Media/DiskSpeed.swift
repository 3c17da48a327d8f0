internal import CLinux
internal import Glibc
public import SystemPackage

/// How fast a disk takes what is written as masters are: measured, not promised.
public enum DiskSpeed {
  /// Writes for at most half a second to a file without a name on the disk that holds `folder`; bytes per second.
  ///
  /// `nil` where the file system has no files without names, where the disk is full, or where it failed.
  public static func measure(in folder: FilePath) -> Int64? {
    let most: Int64 = 64 << 20
    let descriptor = clinux_open_nameless(folder.string)
    guard descriptor >= 0 else { return nil }
    let file = FileDescriptor(rawValue: descriptor)
    defer { try? file.close() }
    guard [0, -EOPNOTSUPP].contains(clinux_reserve(descriptor, 0, most)) else { return nil }
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: BlockWriter.blockSize, alignment: 4096)
    defer { block.deallocate() }
    // Nothing that a disk could store in less: the bytes of a simple random sequence.
    var state: UInt64 = 1
    for index in 0..<block.count / 8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      block.storeBytes(of: state ^ state >> 29, toByteOffset: 8 * index, as: UInt64.self)
    }
    let start = ContinuousClock.now
    var written: Int64 = 0
    repeat {
      guard (try? file.writeAll(toAbsoluteOffset: written, UnsafeRawBufferPointer(block))) != nil else {
        return nil
      }
      written += Int64(block.count)
    } while written < most && ContinuousClock.now - start < .milliseconds(500)
    guard fdatasync(descriptor) == 0 else { return nil }
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Int64(Double(written) / (Double(seconds) + Double(attoseconds) / 1e18))
  }
}
