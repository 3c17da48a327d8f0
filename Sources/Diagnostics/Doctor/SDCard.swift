import Platform
import SystemPackage

extension FilePath {
  /// Whether the disk of this folder is an SD card in a slot of its own, and not behind USB.
  func isOnSDCard(in folder: SystemFolder = SystemFolder()) -> Bool {
    guard let device = try? stat().deviceID.rawValue else { return false }
    // As gnu_dev_major and gnu_dev_minor of glibc, which Swift does not import.
    let number = UInt64(device)
    return Self.isSDCard(
      major: UInt32(truncatingIfNeeded: number >> 8 & 0xfff | number >> 32 & ~0xfff),
      minor: UInt32(truncatingIfNeeded: number & 0xff | number >> 12 & ~0xff), in: folder)
  }

  /// Whether the block device with this number is an SD card or a partition of one.
  static func isSDCard(major: UInt32, minor: UInt32, in folder: SystemFolder) -> Bool {
    let block = FilePath("/sys/dev/block").appending("\(major):\(minor)")
    // A partition lies in its disk's folder. The type of soldered memory, which is faster, is MMC.
    return ["device/type", "../device/type"].contains { folder.line(block.appending($0)) == "SD" }
  }
}
