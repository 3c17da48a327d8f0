import Platform
import SystemPackage
import Takes

extension TakeExport {
  /// Copies the group file of each take that was exported, once all takes of the group are at the destination.
  ///
  /// If the takes were moved, the group file is deleted when none of them is left here.
  ///
  /// - Parameter isStopped: as in ``run(_:isStopped:progress:)``.
  func exportGroups(of outcomes: inout [Outcome], isStopped: () -> Bool) {
    var done: Set<FilePath> = []
    var groups = GroupIndex()
    // The outcome of the last take of a group has the group's file.
    for index in outcomes.indices.reversed() where outcomes[index].isComplete {
      let take = outcomes[index].entry.path
      guard
        outcomes[index].copied.contains(where: { $0.source == take })
          || outcomes[index].removed.contains(take),
        let group = groups.group(ofTake: take), done.insert(group.path).inserted
      else { continue }
      do throws(OvercrankError) { try export(group, &outcomes[index], isStopped: isStopped) } catch {
        outcomes[index].failure = error
      }
    }
  }

  private func export(
    _ group: StoredGroup, _ outcome: inout Outcome, isStopped: () -> Bool
  ) throws(OvercrankError) {
    let takes = group.group.cameras.map { FilePath($0.take) }
    // The copies of all takes are in one folder.
    guard takes.allSatisfy({ $0.components.count == 1 && destination.appending($0.components).exists }) else {
      return
    }
    let target = destination.appending(group.path.name)
    guard let copy = try VerifiedCopy(of: group.path, at: target, progress: { _, _ in !isStopped() }) else {
      throw .stopped(target)
    }
    outcome.copied.append(copy)
    guard moves, takes.allSatisfy({ !group.path.folder.appending($0.components).exists }) else { return }
    try copy.removeSource()
    outcome.removed.append(group.path)
  }
}
