import FoundationEssentials
public import Media
import Platform
public import SystemPackage

/// The files of one take, named after its clip.
public struct TakeFiles: Hashable, Sendable {
  /// The slow-motion clip: `drop.mp4`.
  public let clip: FilePath
  /// The frames as they were captured: `drop.master.mov`.
  public let master: FilePath
  /// How it was made and what was lost: `drop.take.json`.
  public let take: FilePath

  /// The files beside `clip`, with a master in `container`.
  public init(clip: FilePath, container: Container) {
    let stem = clip.stem ?? ""
    self.clip = clip
    self.master = clip.beside("\(stem).master.\(container.fileExtension)")
    self.take = clip.beside(stem + Self.takeSuffix)
  }

  /// The take that belongs to a master, if `master` is named like one.
  public static func take(besideMaster master: FilePath) -> FilePath? {
    let stem = master.withoutExtension
    guard stem.extension == "master" else { return nil }
    return stem.beside((stem.stem ?? "") + takeSuffix)
  }

  /// The take of the clip or master at `path` whose other files nothing is known of.
  public static func take(of path: FilePath) -> FilePath {
    take(besideMaster: path) ?? path.beside((path.stem ?? "") + takeSuffix)
  }

  /// What the names of takes end in.
  static let takeSuffix = ".take.json"
}

extension Take {
  /// Reads the take in the file at `path`; `nil` where there is no such file.
  ///
  /// - Throws: `MediaError` with code `badData` where the file is no take.
  public static func read(from path: FilePath) throws(MediaError) -> Take? {
    guard let bytes = FileManager.default.contents(atPath: path.string) else { return nil }
    do {
      return try JSONDecoder().decode(Take.self, from: bytes)
    } catch {
      throw MediaError(
        .badData, "\(path) is no take that this version reads: \(error). Move it away to go on without it.")
    }
  }

  /// Writes the take to `path`, whole or not at all.
  public func write(to path: FilePath, replacing: Bool) throws(MediaError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes: Data
    do { bytes = try encoder.encode(self) } catch {
      throw MediaError(.badData, "\(path): the take could not be put into JSON: \(error).")
    }
    do throws(FileError) {
      var file = try OutputFile(path, replacing: replacing)
      try Array(bytes).withUnsafeBufferPointer { (bytes) throws(FileError) in
        try file.write(UnsafeRawBufferPointer(bytes))
      }
      try file.commit()
    } catch {
      throw MediaError(error)
    }
  }
}
