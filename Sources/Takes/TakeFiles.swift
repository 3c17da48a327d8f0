import FoundationEssentials
public import Media
import Platform
import SystemPackage

/// The files of one take, named after its clip.
public struct TakeFiles: Hashable, Sendable {
  /// The slow-motion clip: `drop.mp4`.
  public let clip: String
  /// The frames as they were captured: `drop.master.mov`.
  public let master: String
  /// How it was made and what was lost: `drop.take.json`.
  public let take: String

  /// The files beside `clip`, with a master in `container`.
  public init(clip: String, container: Container) {
    let stem = Self.stem(of: clip)
    self.clip = clip
    self.master = "\(stem).master.\(container.fileExtension)"
    self.take = "\(stem).take.json"
  }

  /// The take that belongs to a master, if `master` is named like one.
  public static func take(besideMaster master: String) -> String? {
    let stem = stem(of: master)
    guard stem.hasSuffix(".master") else { return nil }
    return stem.dropLast(".master".count) + ".take.json"
  }

  /// A path without its extension; a dot in a folder's name, or at a name's start, begins none.
  public static func stem(of path: String) -> String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[start...].lastIndex(of: "."), dot > start else { return path }
    return String(path[..<dot])
  }

  /// The last part of a path.
  public static func name(of path: String) -> String {
    String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }
}

extension Take {
  /// Reads the take in the file at `path`; `nil` where there is no such file.
  ///
  /// - Throws: `MediaError` with code `badData` where the file is no take.
  public static func read(from path: String) throws(MediaError) -> Take? {
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    do {
      return try JSONDecoder().decode(Take.self, from: bytes)
    } catch {
      throw MediaError(
        .badData, "\(path) is no take that this version reads: \(error). Move it away to go on without it.")
    }
  }

  /// Writes the take to `path`, whole or not at all.
  public func write(to path: String, replacing: Bool) throws(MediaError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes: Data
    do { bytes = try encoder.encode(self) } catch {
      throw MediaError(.badData, "\(path): the take could not be put into JSON: \(error).")
    }
    do throws(FileError) {
      var file = try OutputFile(FilePath(path), replacing: replacing)
      try Array(bytes).withUnsafeBufferPointer { (bytes) throws(FileError) in
        try file.write(UnsafeRawBufferPointer(bytes))
      }
      try file.commit()
    } catch {
      throw MediaError(error)
    }
  }
}
