import Platform
import SystemPackage
import Takes

extension TakeExport {
  /// Copies the group file of each take that was exported, once all takes of the group are at the destination, and
  /// the group's clips with the last of its takes.
  ///
  /// If the takes were moved, the group file is deleted when none of them is left here.
  ///
  /// - Parameter isStopped: as in ``run(_:isStopped:progress:)``.
  func exportGroups(of outcomes: inout [Outcome], isStopped: () -> Bool) {
    var (files, clips): (Set<FilePath>, Set<FilePath>) = ([], [])
    var groups = GroupIndex()
    let (entries, exported) = (
      outcomes.map(\.entry), Set(outcomes.filter(\.isComplete).map(\.entry.path.absolutePath))
    )
    // The outcome of the last take of a group has the group's files.
    for index in outcomes.indices.reversed() where outcomes[index].isComplete {
      let take = outcomes[index].entry.path
      guard let group = groups.group(ofTake: take) else { continue }
      do throws(OvercrankError) {
        let areAllExported = group.takeFiles.allSatisfy { take in
          exported.contains(take.absolutePath) || !take.exists || destination.appending(take.name).exists
        }
        if areAllExported, clips.insert(group.path).inserted {
          try exportClips(of: group, among: entries, &outcomes[index], isStopped: isStopped)
        }
        if outcomes[index].copied.contains(where: { $0.source == take })
          || outcomes[index].removed.contains(take), files.insert(group.path).inserted
        {
          try export(group, &outcomes[index], isStopped: isStopped)
        }
      } catch {
        outcomes[index].failure = error
      }
    }
  }

  /// Exports the clips that show all cameras of a group, as the selection says.
  ///
  /// - Parameter entries: takes that were exported, and may be here no more.
  private func exportClips(
    of group: StoredGroup, among entries: [LibraryEntry], _ outcome: inout Outcome, isStopped: () -> Bool
  ) throws(OvercrankError) {
    guard selection != .masters else { return }
    let clips = group.clips(listed: entries + (try TakeLibrary(group.path.folder).entriesWaiting()))
    for clip in selection == .clip ? clips.suffix(1) : clips[...] {
      try export(clip, &outcome, isStopped: isStopped)
    }
  }

  private func export(
    _ group: StoredGroup, _ outcome: inout Outcome, isStopped: () -> Bool
  ) throws(OvercrankError) {
    // The copies of all takes are in one folder.
    guard
      group.takeFiles.allSatisfy({
        $0.folder == group.path.folder && destination.appending($0.name).exists
      })
    else { return }
    let isLast = group.takeFiles.allSatisfy { !$0.exists }
    try export(group.path, &outcome, moving: moves && isLast, isStopped: isStopped)
  }

  private func export(
    _ file: FilePath, _ outcome: inout Outcome, moving isMoved: Bool? = nil, isStopped: () -> Bool
  ) throws(OvercrankError) {
    let target = destination.appending(file.name)
    guard let copy = try VerifiedCopy(of: file, at: target, progress: { _, _ in !isStopped() }) else {
      throw .stopped(target)
    }
    outcome.copied.append(copy)
    guard isMoved ?? moves else { return }
    try copy.removeSource()
    outcome.removed.append(file)
  }
}
