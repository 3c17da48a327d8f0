import CLinux
public import Foundation

/// A folder that is deleted at the end of the test that made it.
public final class TemporaryFolder: Sendable {
  /// Its location.
  public let url: URL

  /// Creates an empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "overcrank-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Creates a folder in place of `/`, with a line of text in each of these files.
  public convenience init(files: [String: String]) throws {
    try self.init()
    for (path, content) in files {
      let file = url.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("\(content)\n".utf8).write(to: file)
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Returns the path of `name` in the folder.
  public func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file as a program of ours leaves it that is killed while it writes.
  public func leavePart(_ name: String, holding bytes: some Sequence<UInt8> = "part".utf8) throws {
    try Data(bytes).write(to: URL(filePath: path(name)))
    let file = try FileHandle(forUpdating: URL(filePath: path(name)))
    clinux_mark_output(file.fileDescriptor)
    try file.close()
  }

  /// The names of the files in it, in order.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}
