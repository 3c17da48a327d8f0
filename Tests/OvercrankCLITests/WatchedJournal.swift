import Foundation

/// A journal in use by a recording, as another program sees the file.
struct WatchedJournal {
  let path: String

  private static let entrySize = 40

  /// The number of entries for frames and losses in the file.
  var count: Int {
    guard let file = try? FileHandle(forReadingFrom: URL(filePath: path)),
      let head = try? file.read(upToCount: 16), head.count == 16, let end = try? file.seekToEnd()
    else { return 0 }
    try? file.close()
    // The magic bytes, the size of the header, its checksum, and the header.
    let size = (8..<12).reversed().reduce(0) { $0 << 8 | Int(head[$1]) }
    // The first entry is that of the take's start.
    return max(0, max(0, Int(end) - 16 - size) / Self.entrySize - 1)
  }

  /// Waits until it has `count` entries, or `process` has ended.
  func wait(for count: Int, of process: Process) {
    while process.isRunning, self.count < count { usleep(2000) }
  }
}
