import FoundationEssentials
import Platform
import SystemPackage

/// The speeds of disks that were measured of late.
struct DiskMemory {
  private struct Entry: Codable {
    var bytesPerSecond: Int64
    var measuredAt: Date
  }

  private static let validity: TimeInterval = 300
  /// From a kilobyte to a terabyte a second: what else the file says was not measured.
  private static let plausible: ClosedRange<Int64> = 1000...1_000_000_000_000

  /// In a folder of the user's own: what lies elsewhere, anybody may have put there.
  var file = UserFolders.cache.appending("overcrank/disk-speed.json")

  /// Bytes per second that the disk of `folder` takes; what `measure` finds where that is not known at `now`.
  func speed(of folder: FilePath, at now: Date = Date(), measure: () -> Int64?) -> Int64? {
    guard let device = (try? Stat(folder)).map({ "\($0.deviceID.rawValue)" }) else { return nil }
    let bytes = try? InputFile.bytes(of: file, upTo: 1 << 20)
    var entries = bytes.flatMap { try? JSONDecoder().decode([String: Entry].self, from: Data($0)) } ?? [:]
    if let entry = entries[device], Self.plausible.contains(entry.bytesPerSecond),
      (0..<Self.validity).contains(now.timeIntervalSince(entry.measuredAt))
    {
      return entry.bytesPerSecond
    }
    guard let speed = measure() else { return nil }
    entries[device] = Entry(bytesPerSecond: speed, measuredAt: now)
    // What cannot be remembered is measured again.
    try? FileManager.default.createDirectory(
      atPath: file.folder.string, withIntermediateDirectories: true)
    try? JSONEncoder().encode(entries).write(to: URL(filePath: file.string), options: .atomic)
    return speed
  }
}
