import FoundationEssentials
public import SystemPackage

/// A tree with /dev, /proc and /sys in it: the machine's own, or one that was made for a test.
public struct SystemFolder: Hashable, Sendable {
  /// The folder that holds `dev`, `proc` and `sys`; `/` for the machine's own.
  public let root: FilePath

  /// The tree at `root`.
  public init(root: FilePath = "/") { self.root = root }

  /// Where `path` of the machine lies in this tree.
  package func place(of path: FilePath) -> FilePath { root.appending(path.components) }

  /// The first line of a file; `nil` where it cannot be read.
  package func line(_ path: FilePath) -> String? { lines(path)?.first }

  /// The lines of a file; `nil` where it cannot be read.
  package func lines(_ path: FilePath) -> [String]? {
    FileManager.default.contents(atPath: place(of: path).string).map { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// What stands behind `key` and a colon in a file such as /proc/meminfo; `nil` where nothing does.
  package func value(of key: String, in path: FilePath) -> Substring? {
    guard let line = lines(path)?.first(where: { $0.hasPrefix("\(key):") }) else { return nil }
    return line.dropFirst(key.count + 1).drop { $0 == " " || $0 == "\t" }
  }

  /// The names in a folder, in order; none where it cannot be read.
  package func names(in path: FilePath) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: place(of: path).string)) ?? []).sorted()
  }

  /// Where the link at `path` leads; `nil` where it is none.
  package func target(ofLink path: FilePath) -> FilePath? {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: place(of: path).string)).map { FilePath($0) }
  }

  /// The links under /dev/v4l/by-id, by the name of the node that each leads to, such as `video0`.
  package var linksByNode: [String: [FilePath]] {
    let folder: FilePath = "/dev/v4l/by-id"
    var found: [String: [FilePath]] = [:]
    for link in names(in: folder).map({ folder.appending($0) }) {
      guard let node = target(ofLink: link)?.lastComponent else { continue }
      found[node.string, default: []].append(link)
    }
    return found
  }

  /// The numbers of the nodes in /dev whose names are `name` and a number, in order.
  package func nodeNumbers(_ name: String) -> [Int] {
    names(in: "/dev").compactMap { $0.hasPrefix(name) ? Int($0.dropFirst(name.count)) : nil }.sorted()
  }
}
