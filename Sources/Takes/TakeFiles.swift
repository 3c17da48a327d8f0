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
  /// How it was made and what was lost: `drop.take.json`.
  public let take: FilePath

  /// The files beside `clip`, with a master in `container`.
  public init(clip: FilePath, container: Container) {
    let stem = clip.stem ?? ""
    self.clip = clip
    self.master = clip.beside("\(stem).master.\(container.fileExtension)")
    self.take = clip.beside(stem + Self.takeSuffix)
  }

  /// What the clip of a master may be called, if `master` is named like one: the usual name first.
  public static func clips(besideMaster master: FilePath) -> [FilePath] {
    let stem = master.withoutExtension
    guard stem.extension == "master" else { return [] }
    return ["mp4", "mov", "mkv"].map { stem.beside("\(stem.stem ?? "").\($0)") }
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
  package static let takeSuffix = ".take.json"
}

extension Take {
  /// Reads the take in the file at `path`; `nil` where there is no such file.
  ///
  /// - Throws: `OvercrankError` with code `badData` where the file is no take.
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
        "\(path) is no take that this version reads: \(error.decodingWords). Move it away to go on without it."
      )
    }
  }

  /// Bytes of the take of three days at 240 frames a second.
  private static let largestFile: Int64 = 4 << 30

  /// Writes the take to `path`, whole or not at all; waits a few seconds for a program that changes what is replaced.
  ///
  /// - Parameters:
  ///   - path: the take's file.
  ///   - replacing: whether a file of that name may go.
  ///   - canBeMadeAgain: whether a journal or the like tells all of it too; see `OutputFile`.
  /// - Throws: `OvercrankError`, with `busy` where another program does not let the former take go.
  public func write(to path: FilePath, replacing: Bool, canBeMadeAgain: Bool = false) throws(OvercrankError) {
    let lock = replacing ? try Self.lock(path) : nil
    defer { lock?.release() }
    let file = try prepared(for: path, replacing: replacing, canBeMadeAgain: canBeMadeAgain)
    try file.commit()
  }

  /// Writes the take in place of the one at `path`, which the caller has locked.
  ///
  /// - Throws: `OvercrankError`; the former take is as it was then.
  package func write(to path: FilePath, having lock: FileLock) throws(OvercrankError) {
    let file = try prepared(for: path, replacing: true)
    try file.commit()
  }

  /// Locks the take at `path`, so that no other program writes it between reading and writing; waits a few seconds for
  /// one that does.
  ///
  /// - Throws: `OvercrankError` with `busy` where another program does not let it go.
  package static func lock(_ path: FilePath) throws(OvercrankError) -> FileLock {
    return try FileLock([path], for: .changing, patience: .seconds(5))
  }

  /// Returns the take's file, with the take in it and no name yet; the caller has locked the one that it replaces.
  package func prepared(
    for path: FilePath, replacing: Bool, canBeMadeAgain: Bool = false
  ) throws(OvercrankError) -> OutputFile {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let key = Self.withoutFrames { encoder.userInfo[key] = true }
    var text: Data
    do { text = try encoder.encode(self) } catch {
      throw OvercrankError(.badData, "\(path): the take could not be put into JSON: \(error).")
    }
    // What describes the take comes first, and what may be millions of numbers last, piece by piece.
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
  /// Writes `text`, and behind it a list of numbers under a key.
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
