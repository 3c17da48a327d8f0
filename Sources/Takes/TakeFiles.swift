import CameraModel
import FoundationEssentials
public import Media
public import Platform
public import SystemPackage

/// The files of one take, named after its clip.
public struct TakeFiles: Hashable, Sendable {
  /// The slow-motion clip: `drop.mp4`.
  public let clip: FilePath
  /// The frames as they were captured: `drop.master.mov`.
  public let master: FilePath
  /// The description and the losses: `drop.take.json`.
  public let take: FilePath

  /// Creates the names of the files beside `clip`, with a master in `container`.
  public init(clip: FilePath, container: Container) {
    let stem = clip.stem ?? ""
    self.clip = clip
    self.master = clip.beside("\(stem).master.\(container.fileExtension)")
    self.take = clip.beside(stem + Self.takeSuffix)
  }

  /// Returns the possible names of a master's clip, the usual name first; empty if `master` is not named like
  /// one.
  public static func clips(besideMaster master: FilePath) -> [FilePath] {
    let stem = master.withoutExtension
    guard stem.extension == "master" else { return [] }
    return ["mp4", "mov", "mkv"].map { stem.beside("\(stem.stem ?? "").\($0)") }
  }

  /// Returns the path of a master's take; `nil` if `master` is not named like one.
  public static func take(besideMaster master: FilePath) -> FilePath? {
    let stem = master.withoutExtension
    guard stem.extension == "master" else { return nil }
    return stem.beside((stem.stem ?? "") + takeSuffix)
  }

  /// Returns the path of the take of the clip or master at `path`, without knowledge of its other files.
  public static func take(of path: FilePath) -> FilePath {
    take(besideMaster: path) ?? path.beside((path.stem ?? "") + takeSuffix)
  }

  /// The suffix of takes' names.
  package static let takeSuffix = ".take.json"

  /// Returns whether `name` ends as a take's does, in small letters or in capitals.
  package static func isTake(_ name: String) -> Bool { name.lowercased().hasSuffix(takeSuffix) }
}

extension Take {
  /// Reads the take in the file at `path`; returns `nil` if there is no such file.
  ///
  /// - Throws: `OvercrankError` with code `badData` if the file is not a take.
  public static func read(from path: FilePath) throws(OvercrankError) -> Take? {
    let bytes: [UInt8]
    do throws(OvercrankError) {
      bytes = try InputFile.bytes(of: path, upTo: largestFile)
    } catch  where error.code == .noInput && (try? Stat(path)) == nil {
      return nil
    } catch {
      throw error
    }
    do {
      return try JSONDecoder().decode(Take.self, from: Data(bytes))
    } catch {
      throw OvercrankError(
        .badData,
        "\(path) is not a take that this version can read: \(error.decodingWords). Move it away to continue "
          + "without it.")
    }
  }

  /// The size of the take of three days at 240 frames per second, in bytes.
  private static let largestFile: Int64 = 4 << 30

  /// Writes the take to `path`, completely or not at all; waits a few seconds for a program that is changing
  /// the file to replace.
  ///
  /// - Parameters:
  ///   - path: the take's file.
  ///   - replacing: whether a file of that name may be replaced.
  ///   - canBeMadeAgain: whether a journal or the like has all its content too; see `OutputFile`.
  /// - Throws: `OvercrankError`: `busy` if another program keeps the former take locked, `cannotCreate` if the name
  ///   is that of a link.
  public func write(to path: FilePath, replacing: Bool, canBeMadeAgain: Bool = false) throws(OvercrankError) {
    let lock = replacing ? try Self.lock(path) : nil
    defer { lock?.release() }
    let file = try prepared(for: path, replacing: replacing, canBeMadeAgain: canBeMadeAgain)
    try file.commit()
  }

  /// Writes the take in place of the one at `path`, which the caller has locked.
  ///
  /// - Throws: `OvercrankError`; the former take is then unchanged, and nothing else is left.
  package func write(to path: FilePath, having lock: FileLock) throws(OvercrankError) {
    let file = try prepared(for: path, replacing: true, canBeMadeAgain: true)
    try file.commit()
  }

  /// Locks the take at `path`, so that no other program writes it between reading and writing; waits a few
  /// seconds for one that does.
  ///
  /// - Throws: `OvercrankError` with `busy` if another program keeps it locked.
  package static func lock(_ path: FilePath) throws(OvercrankError) -> FileLock {
    return try FileLock([path], for: .changing, patience: .seconds(5))
  }

  /// Returns the take's file with its content, still unnamed; the caller has locked the file that it
  /// replaces.
  package func prepared(
    for path: FilePath, replacing: Bool, canBeMadeAgain: Bool = false
  ) throws(OvercrankError) -> OutputFile {
    if replacing { try path.checkIsNoLink() }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let key = Self.withoutFrames { encoder.userInfo[key] = true }
    var text: Data
    do { text = try encoder.encode(self) } catch {
      throw OvercrankError(.badData, "\(path): the take could not be encoded as JSON: \(error).")
    }
    // The description comes first, and the lists, which may have millions of numbers, last and in pieces.
    text.removeLast()
    var file = try OutputFile(
      path, replacing: replacing, canBeMadeAgain: canBeMadeAgain, havingLock: true)
    try file.write(text, list: sequences, named: CodingKeys.sequences.rawValue)
    try file.write(Data(), list: timestamps.nanoseconds, named: CodingKeys.timestamps.rawValue)
    try file.write(Array("}".utf8))
    return file
  }
}

extension OutputFile {
  /// Writes `text`, and after it a list of numbers under a key.
  fileprivate mutating func write(_ text: Data, list: FrameColumn, named key: String) throws(OvercrankError) {
    var bytes = Array(text) + ",\"\(key)\":[".utf8
    var separator = ""
    for number in list {
      bytes += "\(separator)\(number)".utf8
      separator = ","
      guard bytes.count >= 1 << 16 else { continue }
      try write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    try write(bytes + "]".utf8)
  }
}
