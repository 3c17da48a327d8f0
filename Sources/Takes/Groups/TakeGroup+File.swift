import CameraModel
import FoundationEssentials
public import Platform
public import SystemPackage

extension TakeGroup {
  /// The suffix of groups' names.
  public static let suffix = ".group.json"

  /// Returns whether `name` ends as a group's does, in small letters or in capitals.
  static func isFile(_ name: String) -> Bool { name.lowercased().hasSuffix(suffix) }

  /// Returns the path of the group's file if a lone camera's clip would be `clip`: `jump.group.json` for
  /// `jump.mp4`.
  public static func path(of clip: FilePath) -> FilePath { clip.beside((clip.stem ?? "") + suffix) }

  /// Returns the path of a camera's take, for the group in the file at `path`.
  public static func path(of camera: Camera, inGroupAt path: FilePath) -> FilePath {
    path.removingLastComponent().appending(FilePath(camera.take).lexicallyNormalized().components)
  }

  /// Returns the same path if it is in the group's folder, or below it.
  ///
  /// - Throws: `OvercrankError` with `noInput` if a link leads out of that folder.
  public static func take(
    of camera: Camera, inGroupAt path: FilePath
  ) throws(OvercrankError) -> FilePath {
    let take = Self.path(of: camera, inGroupAt: path)
    guard take.resolvingLinks.starts(with: path.folder.resolvingLinks) else {
      throw OvercrankError(
        .noInput,
        "\(take): a link leads to it, in another folder than that of \(path), and is not followed. Copy the take "
          + "and its master there.")
    }
    return take
  }

  /// Reads the group in the file at `path`.
  ///
  /// - Throws: `OvercrankError` with code `noInput` if there is no such file, `badData` if it is not a group.
  public static func read(from path: FilePath) throws(OvercrankError) -> TakeGroup {
    let bytes = try InputFile.bytes(of: path, upTo: largestFile)
    do {
      return try JSONDecoder().decode(TakeGroup.self, from: Data(bytes))
    } catch {
      throw OvercrankError(
        .badData,
        "\(path) is not a group of takes that this version can read: \(error.decodingWords). Correct it, or "
          + "align its takes again.")
    }
  }

  /// The maximum size of a group's file: room for thousands of cameras.
  private static let largestFile: Int64 = 1 << 20

  /// Writes the group to `path`, completely or not at all.
  ///
  /// - Parameters:
  ///   - path: the group's file.
  ///   - replacing: whether a file of that name may be replaced.
  /// - Throws: `OvercrankError`: `badData` if ``read(from:)`` would refuse it, `cannotCreate` if the name is
  ///   taken, or that of a link, `busy` if another program keeps the former file locked.
  public func write(to path: FilePath, replacing: Bool) throws(OvercrankError) {
    let bytes = try bytes(for: path)
    var file = try Self.file(path, replacing: replacing)
    try file.write(bytes)
    try file.commit()
  }

  /// Writes the group in place of the one at `path`, which the caller has locked.
  ///
  /// - Throws: `OvercrankError`; the former group is then unchanged.
  func write(to path: FilePath, having lock: FileLock) throws(OvercrankError) {
    let bytes = try bytes(for: path)
    var file = try OutputFile(path, replacing: true, canBeMadeAgain: true, havingLock: true)
    try file.write(bytes)
    try file.commit()
  }

  /// Returns the content of the group's file.
  ///
  /// - Throws: `OvercrankError` with `badData` if ``read(from:)`` would refuse it.
  private func bytes(for path: FilePath) throws(OvercrankError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes: [UInt8]
    do {
      let text = try encoder.encode(self)
      _ = try JSONDecoder().decode(TakeGroup.self, from: text)
      bytes = Array(text) + "\n".utf8
    } catch {
      throw OvercrankError(.badData, "\(path): the group cannot be written: \(error.decodingWords).")
    }
    guard bytes.count <= Self.largestFile else {
      throw OvercrankError(
        .badData,
        "\(path): the group would have \(bytes.count) bytes, and the most that is read is \(Self.largestFile). Remove "
          + "some of its clips.")
    }
    return bytes
  }

  /// Checks that ``write(to:replacing:)`` may write to `path`, before the work for a group is done.
  ///
  /// - Throws: `OvercrankError`, as that does.
  package static func checkIsWritable(_ path: FilePath, replacing: Bool) throws(OvercrankError) {
    _ = try file(path, replacing: replacing)
  }

  /// Opens the file of a group. A group is made of takes, which stay, so what a killed program left of one is worthless.
  private static func file(_ path: FilePath, replacing: Bool) throws(OvercrankError) -> OutputFile {
    if replacing {
      try path.checkIsNoLink()
    } else if (try? Stat(path, followTargetSymlink: false)) != nil {
      throw .alreadyExists(path)
    }
    return try OutputFile(path, replacing: replacing, canBeMadeAgain: true)
  }
}
