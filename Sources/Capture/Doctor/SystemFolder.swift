import FoundationEssentials

/// A tree with /proc and /sys in it: the machine's own, or one that was made for a test.
public struct SystemFolder: Hashable, Sendable {
  /// The path that stands before `/proc` and `/sys`; empty for the machine's own.
  public let root: String

  /// The tree at `root`.
  public init(root: String = "") { self.root = root }

  /// The first line of a file; `nil` where it cannot be read.
  func line(_ path: String) -> String? { lines(path)?.first }

  /// The lines of a file; `nil` where it cannot be read.
  func lines(_ path: String) -> [String]? {
    FileManager.default.contents(atPath: root + path).map { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// What stands behind `key` and a colon in a file such as /proc/meminfo; `nil` where nothing does.
  func value(of key: String, in path: String) -> Substring? {
    guard let line = lines(path)?.first(where: { $0.hasPrefix("\(key):") }) else { return nil }
    return line.dropFirst(key.count + 1).drop { $0 == " " || $0 == "\t" }
  }

  /// The names in a folder, in order; none where it cannot be read.
  func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root + path)) ?? []).sorted()
  }
}
