import Overcrank

/// The removed items.
extension TakeCatalog {
  /// Returns the removed takes and photos with their groups, the one removed last first.
  func trash() async throws -> [TakeResponse] {
    let (library, ids) = (library, ids)
    return try await work.run {
      let entries = Trash(of: library).entries
      // The file of a group is in the trash with all its takes, or with the last one; else it is in the library.
      let folders = Set(entries.map(\.path.folder)).union([library.folder])
      let groups = Dictionary(uniqueKeysWithValues: folders.map { ($0, StoredGroup.inFolder($0)) })
      return entries.map { entry in
        var answer = TakeResponse(entry, id: ids.id(of: entry.path))
        let own = groups[entry.path.folder] ?? []
        for group in own + groups.values.joined() {
          guard let camera = group.group.cameras.first(where: { $0.take == entry.path.name }) else {
            continue
          }
          answer.group = .init(id: ids.id(of: group.path), name: group.name, camera: camera.name)
          break
        }
        return answer
      }
    }
  }

  /// Restores a removed take or photo, and returns it.
  func restore(_ id: String) async throws -> TakeResponse {
    let (trash, ids) = (Trash(of: library), ids)
    let restored = try await work.run {
      guard let path = ids.path(of: id), let entry = trash.entries.first(where: { $0.path == path }) else {
        throw APIError.notFound("such item in the trash")
      }
      let restored = try trash.restore(entry)
      ids.forget(path)
      return restored
    }
    await changed()
    return try await take(ids.id(of: restored))
  }

  /// Deletes everything in the trash for good.
  func emptyTrash() async throws {
    let trash = Trash(of: library)
    try await work.run { try trash.empty() }
  }

  /// Removes remains of uploads, finishes interrupted removals, and deletes what has been in the trash for longer than
  /// ``Trash/keepingTime``, now and once an hour.
  func keepTrash() async {
    await removeAbandonedUploads()
    let trash = Trash(of: library)
    repeat {
      if (try? await work.run { trash.settle() }) == true { await changed() }
      // What cannot be deleted now is tried again.
      try? await work.run { try? trash.empty(olderThan: Trash.keepingTime) }
      try? await Task.sleep(for: .seconds(3600))
    } while !Task.isCancelled
  }
}
