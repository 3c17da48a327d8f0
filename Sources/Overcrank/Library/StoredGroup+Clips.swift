import Media
package import Platform
public import SystemPackage
public import Takes

/// The clips that show the cameras of a group together. The group's file lists them, as a take lists its own.
extension StoredGroup {
  /// The clips of its cameras together that exist, the newest last: those that its file lists, and those with the names
  /// that such clips get if none is given.
  ///
  /// Reads the takes and the groups of the folder: a clip that a take lists is that take's, and one that another group
  /// lists is that group's, unless its own file lists it too.
  public var clips: [FilePath] {
    clips(listed: (try? TakeLibrary(path.folder).entriesWaiting()) ?? [], among: neighbours)
  }

  /// Returns ``clips``.
  ///
  /// - Parameters:
  ///   - entries: the items of the folder.
  ///   - groups: the groups of the folder, which may include this one.
  package func clips(listed entries: [LibraryEntry], among groups: [StoredGroup]) -> [FilePath] {
    let own = Set(group.clips.map(\.file))
    let takes = Set(entries.flatMap { $0.description?.videos ?? [] })
    let others = Set(groups.filter { $0.path != path }.flatMap { $0.group.clips.map(\.file) })
    let names = ((try? path.folder.entryNames()) ?? []).filter { name in
      !takes.contains(name) && (own.contains(name) || !others.contains(name) && hasName(ofClip: name))
    }
    let clips = names.sorted().compactMap(clip(named:))
    let times = clips.map { clip in
      (try? Stat(clip)).map { [$0.st_mtim.tv_sec, $0.st_mtim.tv_nsec] } ?? []
    }
    return clips.indices.sorted { times[$0].lexicographicallyPrecedes(times[$1]) }.map { clips[$0] }
  }

  /// Returns what its file lists of the clip; `nil` if it does not list it.
  package func listing(of clip: FilePath) -> Take.Clip? { group.clips.last { $0.file == clip.name } }

  /// The problems with the clips that its file lists.
  public var problems: [LibraryEntry.Problem] {
    group.clips.compactMap { listed in
      guard let clip = clip(named: listed.file) else { return .outside(listed.file) }
      return clip.exists || listed.isMoved == true ? nil : .clipMissing(listed.file)
    }
  }

  /// Returns the clip called `name`, which need not exist; `nil` if the name is that of no video beside its file, or of
  /// a link to another folder.
  private func clip(named name: String) -> FilePath? {
    // Files that a group names can be deleted and moved with it, so only videos count.
    guard let clip = path.file(named: name), Self.isVideo(clip), !clip.isLinkElsewhere else { return nil }
    return clip
  }

  private static func isVideo(_ path: FilePath) -> Bool {
    path.extension.flatMap(Container.init(fileExtension:)) != nil
  }

  /// Returns whether `name` is one that the group's clips have if none is given: `jump-slow.mp4`, `jump-slow-2.mp4`.
  private func hasName(ofClip name: String) -> Bool {
    let own = SourceVideo.clipStem(ofGroup: path)
    guard let stem = FilePath(name).stem, Self.isVideo(FilePath(name)), stem.hasPrefix(own) else {
      return false
    }
    return stem.dropFirst(own.count).wholeMatch(of: /(-[0-9]{1,9})?/) != nil
  }

  /// The other groups of its folder. Another name of its own file, which a hard link gives it, is none.
  private var neighbours: [StoredGroup] {
    let identity = FileIdentity(path)
    return TakeLibrary(path.folder).groups.filter { $0.path != path && FileIdentity($0.path) != identity }
  }

  /// Returns those of its clips whose files stay when it is removed, because the file of another group lists them too.
  func shared(_ clips: [FilePath]) -> [FilePath] {
    let others = Set(neighbours.flatMap { $0.group.clips.map(\.file) })
    return clips.filter { others.contains($0.name) }
  }

  /// Adds a clip to its file, replacing one of the same name.
  ///
  /// - Throws: `OvercrankError` if the file cannot be read or written; it is then unchanged.
  package func enter(_ clip: Take.Clip) throws(OvercrankError) {
    _ = try change { group in
      var group = group
      group.clips.enter(clip)
      return group
    }
  }

  /// Deletes a clip of the group; its file stays if another group lists it too.
  ///
  /// - Throws: `OvercrankError` with `busy` if another program is using it: nothing was deleted.
  package func removeClip(_ clip: FilePath) throws(OvercrankError) {
    let stays = !shared([clip]).isEmpty
    func remove() throws(OvercrankError) {
      guard !stays else { return }
      try LibraryEntry.removing([clip]) { file throws(OvercrankError) in try file.removeFile() }
      Thumbnails().remove(of: [clip])
    }
    guard listing(of: clip) != nil else { return try remove() }
    _ = try change { group throws(OvercrankError) in
      try remove()
      return group.forgetting([clip])
    }
  }

  /// Takes the clips among `files`, which were deleted, out of its file.
  func forget(_ files: [FilePath]) throws(OvercrankError) {
    guard files.contains(where: { listing(of: $0) != nil }) else { return }
    _ = try change { $0.forgetting(files) }
  }

  /// Notes in its file, if that is still here, that an export moved the clips among `files` to another folder.
  func noteMoved(_ files: [FilePath]) throws(OvercrankError) {
    guard path.exists, files.contains(where: { listing(of: $0) != nil }) else { return }
    _ = try change { group in
      var group = group
      group.clips.noteMoved(Set(files.map(\.name)))
      return group
    }
  }
}

extension TakeGroup {
  /// Returns the group without the clips among `files`.
  fileprivate func forgetting(_ files: [FilePath]) -> TakeGroup {
    var group = self
    group.clips.forget(Set(files.map(\.name)))
    return group
  }
}
