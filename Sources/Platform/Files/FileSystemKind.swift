internal import CLinux
package import SystemPackage

/// What the file system of a folder cannot do.
extension FilePath {
  /// `MSDOS_SUPER_MAGIC` and `EXFAT_SUPER_MAGIC` of linux/magic.h.
  private static let (fat, exFAT): (Int64, Int64) = (0x4d44, 0x2011_bab0)

  private var fileSystem: Int64 { folder.withPlatformString { clinux_file_system($0) } }

  /// Whether the folder of this file has FAT's rules for names.
  package var hasFATNames: Bool { [Self.fat, Self.exFAT].contains(fileSystem) }

  /// The most bytes that a file there can have; `nil` where any film fits.
  package var largestFile: Int64? { fileSystem == Self.fat ? 1 << 32 - 1 : nil }
}
