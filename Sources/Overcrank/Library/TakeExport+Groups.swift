import Platform
public import SystemPackage
public import Takes

extension TakeExport {
  /// The files that a group adds to the export of its takes.
  struct GroupPart {
    let group: StoredGroup
    /// The places of its takes among the exported ones, the last take first.
    var places: [Int]
    /// The clips of all its cameras, as the selection says, and its own file once all its takes are at the destination.
    let files: [FilePath]
  }

  /// Returns all files that an export of `entries` copies: those of each entry, and the clips and the files of the
  /// groups whose takes they are.
  ///
  /// - Parameters:
  ///   - entries: the takes and photos.
  ///   - groups: the groups of which an earlier export moved all takes, as in ``run(_:finishing:isStopped:progress:)``.
  public func files(of entries: [LibraryEntry], finishing groups: [StoredGroup] = []) -> [FilePath] {
    entries.flatMap { files(of: $0) } + groupParts(of: entries, finishing: groups).flatMap(\.files)
  }

  /// Returns the takes of `group` that are left to export: all but those that an earlier export moved to the
  /// destination.
  ///
  /// - Parameter group: the group.
  /// - Returns: the takes; none if all were moved.
  /// - Throws: `OvercrankError` with `noInput` if a take is missing, and no file at the destination has its name.
  public func takes(of group: StoredGroup) throws(OvercrankError) -> [LibraryEntry] {
    try ExportedRecording(group, leavingOut: isThere).cameras.map(\.entry)
  }

  /// Returns whether a file at the destination has the name of `take`.
  private func isThere(_ take: FilePath) -> Bool { destination.appending(take.name).exists }

  /// Returns what the groups of `entries` add to the export if that of each entry succeeds, and then what is left of
  /// `finished`, whose places follow those of the entries.
  func groupParts(of entries: [LibraryEntry], finishing finished: [StoredGroup]) -> [GroupPart] {
    var parts: [GroupPart] = []
    var groups = GroupIndex()
    let exported = Set(entries.filter { !files(of: $0).isEmpty }.map(\.path.absolutePath))
    let written = Set(entries.filter(takesFile).map(\.path.absolutePath))
    for (place, entry) in entries.enumerated().reversed() where exported.contains(entry.path.absolutePath) {
      guard let group = groups.group(ofTake: entry.path) else { continue }
      if let index = parts.firstIndex(where: { $0.group.path == group.path }) {
        parts[index].places.append(place)
        continue
      }
      parts.append(GroupPart(group: group, places: [place], files: files(of: group, exported, written)))
    }
    for (place, group) in finished.enumerated() {
      parts.append(GroupPart(group: group, places: [entries.count + place], files: files(of: group, [], [])))
    }
    return parts.filter { !$0.files.isEmpty }
  }

  /// Returns the files of a group that follow its takes.
  ///
  /// - Parameters:
  ///   - exported: the takes of which anything is exported.
  ///   - written: the takes whose files are exported too.
  private func files(
    of group: StoredGroup, _ exported: Set<String>, _ written: Set<String>
  ) -> [FilePath] {
    let takes = group.takeFiles
    var files: [FilePath] = []
    var hasOthers = false
    let isWhole = takes.allSatisfy { exported.contains($0.absolutePath) || !$0.exists || isThere($0) }
    // Without the list of the folder's items, a clip could be that of another take.
    if selection != .masters, isWhole, let items = try? TakeLibrary(group.path.folder).entriesWaiting() {
      let clips = group.clips(listed: items, among: TakeLibrary(group.path.folder).groups)
      files = selection == .clip ? clips.suffix(1) : clips
      hasOthers = files.count < clips.count
    }
    // The copies of all takes are in one folder.
    let namesCopies = takes.allSatisfy {
      $0.folder == group.path.folder && (written.contains($0.absolutePath) || isThere($0))
    }
    let isChanged = takes.contains { written.contains($0.absolutePath) }
    // All takes were moved before. Clips that stay need the file.
    let isLeft =
      selection != .clips && takes.allSatisfy { !$0.exists } && (selection == .masters || !hasOthers)
    return (isChanged || isLeft) && namesCopies ? files + [group.path] : files
  }

  /// Returns whether the file of a take is exported, or deleted because nothing else of the take is left here.
  private func takesFile(of entry: LibraryEntry) -> Bool {
    let files = files(of: entry)
    return files.contains(entry.path)
      || moves && Set(entry.files).subtracting(files) == [entry.path]
        && !files.contains(where: entry.isShared)
        && destination.appending(entry.path.name).exists
  }

  /// Copies what the groups add to the export, each with the last of its takes, if all of them were exported.
  ///
  /// If the takes were moved, the group file is deleted when none of them is left here.
  ///
  /// - Parameter tell: as in `export`, `false` stops the export.
  func export(
    _ parts: [GroupPart], _ outcomes: inout [Outcome], tell: (FilePath, VerifiedCopy.Step, Int64) -> Bool
  ) {
    for part in parts {
      if let failed = part.places.last(where: { !outcomes[$0].isComplete }) {
        outcomes[failed].groupFiles += part.files
        continue
      }
      guard let place = part.places.first else { continue }
      do throws(OvercrankError) {
        let shared = Set(part.group.shared(part.files))
        for file in part.files {
          let isMoved =
            moves && !shared.contains(file)
            && (file != part.group.path || part.group.takeFiles.allSatisfy { !$0.exists })
          try export(file, moving: isMoved, &outcomes[place], tell: tell)
          if moves, shared.contains(file) { outcomes[place].shared.append(file) }
        }
      } catch {
        outcomes[place].groupFiles += part.files
        outcomes[place].failure = error
      }
      do throws(OvercrankError) {
        if moves { try part.group.noteMoved(part.files.filter(outcomes[place].removed.contains)) }
      } catch {
        outcomes[place].failure = outcomes[place].failure ?? error
      }
    }
  }

  private func export(
    _ file: FilePath, moving isMoved: Bool, _ outcome: inout Outcome,
    tell: (FilePath, VerifiedCopy.Step, Int64) -> Bool
  ) throws(OvercrankError) {
    let target = destination.appending(file.name)
    var copy: VerifiedCopy?
    do throws(OvercrankError) {
      guard tell(file, .copying, 0) else { throw .stopped(file) }
      copy = try VerifiedCopy(of: file, at: target, progress: { tell(file, $0, $1) })
    } catch {
      // The group file here has changed since it was copied if its clips were moved.
      guard error.code == .cannotCreate, Self.isSameGroup(file, target) else { throw error }
      guard isMoved else { return }
      try file.removeFile()
      outcome.removed.append(file)
      return
    }
    guard let copy else { throw .stopped(file) }
    outcome.copied.append(copy)
    guard isMoved else { return }
    try copy.removeSource()
    outcome.removed.append(file)
  }

  /// Returns whether both are files of one group, except for moves of its clips by exports.
  private static func isSameGroup(_ file: FilePath, _ other: FilePath) -> Bool {
    guard GroupVideo.isNamed(by: file), !file.isSameFile(as: other), (try? other.checkIsNoLink()) != nil,
      var here = try? TakeGroup.read(from: file),
      var there = try? TakeGroup.read(from: other)
    else { return false }
    here.clips = here.clips.unmoved
    there.clips = there.clips.unmoved
    return here == there
  }
}
