import FoundationEssentials

/// A tree with /dev, /proc and /sys in it: the machine's own, or one that was made for a test.
public struct SystemFolder: Hashable, Sendable {
  /// The path that stands before `/dev`, `/proc` and `/sys`; empty for the machine's own.
  public let root: String

  /// The tree at `root`.
  public init(root: String = "") { self.root = root }

  /// The first line of a file; `nil` where it cannot be read.
  package func line(_ path: String) -> String? { lines(path)?.first }

  /// The lines of a file; `nil` where it cannot be read.
  package func lines(_ path: String) -> [String]? {
    FileManager.default.contents(atPath: root + path).map { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// What stands behind `key` and a colon in a file such as /proc/meminfo; `nil` where nothing does.
  package func value(of key: String, in path: String) -> Substring? {
    guard let line = lines(path)?.first(where: { $0.hasPrefix("\(key):") }) else { return nil }
    return line.dropFirst(key.count + 1).drop { $0 == " " || $0 == "\t" }
  }

  /// The names in a folder, in order; none where it cannot be read.
  package func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root + path)) ?? []).sorted()
  }

  /// The links under /dev/v4l/by-id, by the node that each leads to, such as `video0`.
  package var linksByNode: [String: [String]] {
    let folder = "/dev/v4l/by-id"
    var found: [String: [String]] = [:]
    for link in names(in: folder).map({ "\(folder)/\($0)" }) {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: root + link),
        let node = target.split(separator: "/").last
      else { continue }
      found[String(node), default: []].append(link)
    }
    return found
  }

  /// The numbers of the nodes in /dev whose names are `name` and a number, in order.
  package func nodeNumbers(_ name: String) -> [Int] {
    names(in: "/dev").compactMap { $0.hasPrefix(name) ? Int($0.dropFirst(name.count)) : nil }.sorted()
  }
}
