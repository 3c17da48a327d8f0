import FoundationEssentials
import Platform
import SystemPackage

/// A cache of recently measured disk speeds.
struct DiskMemory {
  private struct Entry: Codable {
    var bytesPerSecond: Int64
    var measuredAt: Date
  }

  private static let validity: TimeInterval = 300
  /// From a kilobyte to a terabyte per second; other values in the file were not measured.
  private static let plausible: ClosedRange<Int64> = 1000...1_000_000_000_000

  /// A file in the user's own cache folder, where other users cannot write.
  var file = UserFolders.cache.appending("overcrank/disk-speed.json")

  /// Returns the disk speed of `folder` in bytes per second; calls `measure` if it is not known at `now`.
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
    // A failure to save only means that the speed is measured again.
    try? FileManager.default.createDirectory(
      atPath: file.folder.string, withIntermediateDirectories: true)
    try? JSONEncoder().encode(entries).write(to: URL(filePath: file.string), options: .atomic)
    return speed
  }
}
