public import Platform
public import SystemPackage
import Timebase

/// A group of takes, and its file.
public struct StoredGroup: Hashable, Sendable {
  /// The group's file.
  public let path: FilePath
  /// Its content.
  public let group: TakeGroup

  /// The name that its takes share: that of its file, without the suffix.
  public var name: String {
    let name = path.name
    return name.hasSuffix(TakeGroup.suffix) ? String(name.dropLast(TakeGroup.suffix.count)) : name
  }

  /// Reads the group in the file at `path`.
  ///
  /// - Throws: `OvercrankError` as ``TakeGroup/read(from:)`` does, and with `noInput` for a link to another folder,
  ///   which has the takes.
  public init(_ path: FilePath) throws(OvercrankError) {
    guard !path.isLinkElsewhere else {
      throw OvercrankError(
        .noInput, "\(path): is a link to another folder, which is not followed. Name the group there.")
    }
    self.path = path
    group = try TakeGroup.read(from: path)
  }

  /// Returns the error of reading the group in the file at `path`; `nil` if there is none, or no such file.
  static func failure(_ path: FilePath) -> OvercrankError? {
    do throws(OvercrankError) { _ = try StoredGroup(path) } catch {
      // Another program may just have removed it; a link that leads nowhere is still there.
      guard (try? Stat(path, followTargetSymlink: false)) != nil else { return nil }
      return error
    }
    return nil
  }

  /// Returns the camera whose take is in the file at `take`; `nil` if the group has none.
  public func camera(ofTake take: FilePath) -> TakeGroup.Camera? {
    let take = take.absolutePath
    return group.cameras.first { TakeGroup.path(of: $0, inGroupAt: path).absolutePath == take }
  }
}

extension StoredGroup {
  /// Returns the groups whose takes may be in `folder`, by their names: those whose files are in it or in the folder
  /// above. Files that are not groups are left out: ``damaged(around:)`` returns them.
  package static func around(_ folder: FilePath) -> [StoredGroup] {
    files(around: folder).filter { $0.name.hasSuffix(TakeGroup.suffix) }.compactMap { try? StoredGroup($0) }
  }

  /// Returns the groups whose files are in `folder`, by their names. Files that are not groups are left out.
  package static func inFolder(_ folder: FilePath) -> [StoredGroup] {
    files(in: folder).filter { $0.name.hasSuffix(TakeGroup.suffix) }.compactMap { try? StoredGroup($0) }
  }

  /// Returns the group files that may name takes in `folder`, and cannot be read, as items of the library.
  ///
  /// - Parameter folder: the folder of the takes; files in it and in the folder above count.
  public static func damaged(around folder: FilePath) -> [LibraryEntry] {
    files(around: folder).compactMap { LibraryEntry(group: $0) }
  }

  /// Returns the files in `folder` and in the folder above that have a group's name, in small letters or in capitals.
  private static func files(around folder: FilePath) -> [FilePath] {
    [folder, FilePath(folder.absolutePath).folder].flatMap(files(in:))
  }

  /// Returns the files in `folder` that have a group's name, in small letters or in capitals.
  private static func files(in folder: FilePath) -> [FilePath] {
    ((try? folder.entryNames()) ?? []).filter(TakeGroup.isFile).sorted().map { folder.appending($0) }
  }
}

/// The groups of takes, each folder of which is read once.
public struct GroupIndex: Sendable {
  /// The groups around each folder, by the paths of their takes.
  private var folders: [FilePath: [String: StoredGroup]] = [:]

  /// Creates an index that has read nothing.
  public init() {}

  /// Returns the group that names the take in the file at `take`, in its folder or in the one above; `nil` if there is
  /// none.
  public mutating func group(ofTake take: FilePath) -> StoredGroup? {
    let folder = take.folder
    if folders[folder] == nil {
      var groups: [String: StoredGroup] = [:]
      for group in StoredGroup.around(folder) {
        for camera in group.group.cameras {
          let path = TakeGroup.path(of: camera, inGroupAt: group.path).absolutePath
          groups[path] = groups[path] ?? group
        }
      }
      folders[folder] = groups
    }
    return folders[folder]?[take.absolutePath]
  }
}

extension TakeGroup {
  /// Returns the group without the camera called `name`; `nil` if no other is left.
  ///
  /// Without its first camera, the group gets the clock of the next one.
  func removing(_ name: String) -> TakeGroup? {
    var group = self
    group.cameras.removeAll { $0.name == name }
    guard let first = group.cameras.first else { return nil }
    if first.name != cameras.first?.name { group.cameras = group.cameras.map { $0.seen(from: first) } }
    return group
  }
}

extension TakeGroup.Camera {
  /// Returns the camera's place on the clock of `first`, a camera of the same group.
  fileprivate func seen(from first: TakeGroup.Camera) -> TakeGroup.Camera {
    guard name != first.name else {
      return TakeGroup.Camera(name: name, take: take, methods: methods)
    }
    var camera = self
    let rate = 1 + first.ratePartsPerMillion / 1e6
    camera.offset -= first.offset
    // A clock of the same rate leaves exact times exact.
    if rate != 1 {
      camera.offset = .nanoseconds(Int64(clamping: (Double(camera.offset.wholeNanoseconds) / rate).rounded()))
    }
    camera.ratePartsPerMillion = ((1 + ratePartsPerMillion / 1e6) / rate - 1) * 1e6
    if ratePartsPerMillion == first.ratePartsPerMillion { camera.ratePartsPerMillion = 0 }
    camera.uncertainty = uncertainty.flatMap { own in
      first.uncertainty.map { other in
        let (a, b) = (Double(own.wholeNanoseconds), Double(other.wholeNanoseconds))
        return .nanoseconds(Int64(clamping: (a * a + b * b).squareRoot().rounded(.up)))
      }
    }
    // How far a method is off between the two.
    camera.residuals = residuals.compactMap { method, own in
      first.residuals[method].map { (method, own - $0) }
    }.reduce(into: [:]) { $0[$1.0] = $1.1 }
    return camera
  }
}

extension StoredGroup {
  /// Writes the group without the take in the file at `take`, or removes its file if no other take is left.
  ///
  /// - Returns: whether the file was removed.
  /// - Throws: `OvercrankError` if the file cannot be written or removed; it is then unchanged.
  package func forget(take: FilePath) throws(OvercrankError) -> Bool {
    guard let camera = camera(ofTake: take) else { return false }
    return try change { $0.removing(camera.name) }
  }

  /// Writes what `change` makes of the group as it is on the disk now, or removes its file if that is `nil`. No other
  /// program changes it meanwhile.
  ///
  /// - Returns: whether the file was removed.
  /// - Throws: `OvercrankError` if the file cannot be written or removed, and the errors of `change`; the file is then
  ///   unchanged.
  package func change(
    _ change: (TakeGroup) throws(OvercrankError) -> TakeGroup?
  ) throws(OvercrankError) -> Bool {
    try path.checkIsNoLink()
    let lock = try FileLock([path], for: .changing, patience: .seconds(5))
    defer { lock.release() }
    let former = try TakeGroup.read(from: path)
    guard let group = try change(former) else {
      try path.removeFile()
      return true
    }
    if group != former { try group.write(to: path, having: lock) }
    return false
  }
}
