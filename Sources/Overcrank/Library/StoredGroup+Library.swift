public import Platform
public import SystemPackage
public import Takes

/// A group as an item of the library: its takes, its clips and its file are one.
extension StoredGroup {
  /// The takes of its cameras that exist, in the order of the cameras.
  public var takes: [LibraryEntry] { TakeLibrary(path.folder).takes(of: self) }

  /// The label of its takes; `nil` if they have none, or not the same.
  public var label: String? { Self.label(of: takes) }

  /// Returns the label of these takes of a group; `nil` if they have none, or not the same.
  package static func label(of takes: [LibraryEntry]) -> String? {
    let label = takes.first?.label
    return takes.allSatisfy { $0.label == label } ? label : nil
  }

  /// Sets the label of all its takes; `nil` removes it.
  ///
  /// - Throws: `OvercrankError` as `LibraryEntry.setLabel(_:)` does, and with `noInput` if one of its takes is missing;
  ///   all takes then have the labels that they had.
  public func setLabel(_ label: String?) throws(OvercrankError) {
    let takes = try checkedTakes
    guard takes.count == group.cameras.count else {
      throw OvercrankError(
        .noInput,
        "\(path): has \(group.cameras.count) takes, but only \(takes.count) of them \(takes.count == 1 ? "is" : "are") "
          + "here, so they cannot be labelled together. Label single takes.", subject: path.string)
    }
    try LibraryEntry.setLabel(label, of: takes)
  }

  /// Returns the files to delete when it is removed, its own file last.
  ///
  /// - Parameter remainder: the files to keep, as for each of its takes.
  /// - Throws: `OvercrankError` with `noInput` if the files to keep do not exist, or a link leads to a take.
  public func files(removedKeeping remainder: LibraryEntry.Remainder) throws(OvercrankError) -> [FilePath] {
    let clips = clips
    let shared = Set(shared(clips))
    var files = remainder == .clips ? [] : clips.filter { !shared.contains($0) }
    for take in try checkedTakes {
      let take = take.notingShared()
      // The clips of all cameras are clips to keep, too.
      files +=
        try remainder == .clips && !clips.isEmpty && take.clips.isEmpty
        ? take.master.map(take.files(ofVideo:)) ?? []
        : take.files(removedKeeping: remainder)
    }
    return remainder == .nothing ? files + [path] : files
  }

  /// Returns the videos that would be deleted with it if no other take or group named them too.
  public func sharedFiles(removedKeeping remainder: LibraryEntry.Remainder) -> [FilePath] {
    (remainder == .clips ? [] : shared(clips))
      + takes.flatMap { $0.notingShared().sharedFiles(removedKeeping: remainder) }
  }

  /// Deletes its takes with all their files, its clips and its file, or those that `remainder` does not keep. An
  /// interrupted call can be repeated.
  ///
  /// - Parameters:
  ///   - remainder: the files to keep, as for each of its takes. If there are any, the group stays, too.
  ///   - removed: called with each deleted file.
  /// - Returns: the files of other groups that named one of the takes, and have others.
  /// - Throws: `OvercrankError` if a take cannot be read, or a file cannot be deleted; with `busy`, nothing was deleted:
  ///   another program is using one of the files, or has changed it.
  @discardableResult
  public func remove(
    keeping remainder: LibraryEntry.Remainder = .nothing, removed: (FilePath) -> Void = { _ in }
  ) throws(OvercrankError) -> [FilePath] {
    if remainder == .nothing { try path.checkIsNoLink() }
    return try LibraryEntry.remove(checkedTakes, in: self, keeping: remainder, removed: removed)
  }

  /// ``takes``, none of which a link to another folder leads to.
  private var checkedTakes: [LibraryEntry] {
    get throws(OvercrankError) {
      for camera in group.cameras { _ = try TakeGroup.take(of: camera, inGroupAt: path) }
      return takes
    }
  }
}
