import FoundationEssentials
public import SystemPackage

/// A tree with /dev, /proc and /sys in it: the machine's own, or one made for a test.
public struct SystemFolder: Hashable, Sendable {
  /// The folder that holds `dev`, `proc` and `sys`; `/` for the machine's own.
  public let root: FilePath

  /// Creates the tree at `root`.
  public init(root: FilePath = "/") { self.root = root }

  /// Returns the path in this tree for the machine's `path`.
  package func place(of path: FilePath) -> FilePath { root.appending(path.components) }

  /// Returns the first line of a file; `nil` if it cannot be read.
  package func line(_ path: FilePath) -> String? { lines(path)?.first }

  /// Returns the lines of a file; `nil` if it cannot be read.
  package func lines(_ path: FilePath) -> [String]? {
    FileManager.default.contents(atPath: place(of: path).string).map { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// Returns the value after `key` and a colon in a file such as /proc/meminfo; `nil` if the key is absent.
  package func value(of key: String, in path: FilePath) -> Substring? {
    guard let line = lines(path)?.first(where: { $0.hasPrefix("\(key):") }) else { return nil }
    return line.dropFirst(key.count + 1).drop { $0 == " " || $0 == "\t" }
  }

  /// Returns the names in a folder, in order; none if it cannot be read.
  package func names(in path: FilePath) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: place(of: path).string)) ?? []).sorted()
  }

  /// Returns the target of the link at `path`; `nil` if it is not a link.
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

  /// Returns the numbers of the nodes in /dev whose names are `name` and a number, in order.
  package func nodeNumbers(_ name: String) -> [Int] {
    names(in: "/dev").compactMap { $0.hasPrefix(name) ? Int($0.dropFirst(name.count)) : nil }.sorted()
  }
}
