import Overcrank

/// The groups of takes in the folder. Their takes are items of their own.
extension TakeCatalog {
  /// Returns all groups, newest first. A damaged group file is an item among the takes.
  func groups() async throws -> [GroupResponse] {
    let (library, ids) = (library, ids)
    return try await work.run {
      guard library.folder.exists else { return [] }
      let groups = library.groups
      guard !groups.isEmpty else { return [] }
      let entries = try library.entriesWaiting()
      return groups.map { Self.response($0, among: entries, groups, ids) }
        .sorted { ($0.date, $0.name) > ($1.date, $1.name) }
    }
  }

  func group(_ id: String) async throws -> GroupResponse {
    let stored = try await storedGroup(id)
    let (library, ids) = (library, ids)
    return try await work.run {
      Self.response(stored, among: try library.entriesWaiting(), library.groups, ids)
    }
  }

  private static func response(
    _ stored: StoredGroup, among entries: [LibraryEntry], _ groups: [StoredGroup], _ ids: TakeIDs
  ) -> GroupResponse {
    let takes = Dictionary(
      entries.filter { $0.description != nil }.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    return GroupResponse(
      stored, id: ids.id(of: stored.path), among: takes,
      clips: stored.clips(listed: entries, among: groups), takeID: { ids.id(of: $0) })
  }

  /// Sets the label of all takes of a group.
  func labelGroup(_ id: String, _ label: String?) async throws -> GroupResponse {
    let stored = try await storedGroup(id)
    try await work.run { try stored.setLabel(label) }
    await changed()
    return try await group(id)
  }

  /// Deletes a group for good: its takes, its clips and its file.
  func removeGroup(_ id: String) async throws {
    _ = try await takeAwayGroup(id) { try $0.remove() }
  }

  /// Moves a group to the trash, and returns the id of its first take there, with which all of it is restored.
  func moveGroupToTrash(_ id: String) async throws -> String {
    let trash = Trash(of: library)
    return ids.id(of: try await takeAwayGroup(id) { try trash.add($0) })
  }

  private func takeAwayGroup<Value: Sendable>(
    _ id: String, _ body: @escaping @Sendable (StoredGroup) throws -> Value
  ) async throws -> Value {
    let stored = try await storedGroup(id)
    return try await takeAway(
      [stored.path] + stored.takeFiles,
      orSay: "A clip of this group or of one of its takes is being made. Remove the group afterwards."
    ) { try body(stored) }
  }

  /// Returns the group with this id as it is on the disk now.
  func storedGroup(_ id: String) async throws -> StoredGroup {
    guard let path = ids.path(of: id), path.folder == library.folder, GroupVideo.isNamed(by: path) else {
      throw APIError.notFound("such group")
    }
    return try await work.run {
      guard path.exists else { throw APIError.notFound("such group") }
      guard !path.isLinkElsewhere else {
        throw APIError.notFound(
          "\(path.name) in this folder: it is a link to another folder, which is not followed")
      }
      return try StoredGroup(path)
    }
  }

  /// Returns the numbers and times of all cameras' frames, and the time that they have in common.
  func groupFrames(_ id: String) async throws -> GroupFramesResponse {
    let stored = try await storedGroup(id)
    return try await work.run { GroupFramesResponse(try GroupFrames(stored)) }
  }

  /// Queues a clip of all cameras.
  ///
  /// - Parameters:
  ///   - first: the first frame of the first camera that it shows; `nil` for the start of the common time.
  ///   - last: the last frame of the first camera that it shows; `nil` for the end of the common time.
  func makeGroupClip(_ id: String, _ render: RenderSpec, first: Int?, last: Int?) async throws {
    let stored = try await storedGroup(id)
    let spec = try await work.run {
      // What the queue would refuse is refused at once.
      let video = try GroupVideo(stored.path).video
      let frames = try GroupFrames(stored)
      let spec = ClipSpec(render, of: try frames.span(first, last))
      let container = try video.container(for: spec)
      try render.check(for: container, video.clipName(in: container))
      let end = spec.part.end ?? frames.common.map { $0.upperBound - $0.lowerBound }
      if let end { try render.speed?.check(until: end, of: "the marked part") }
      return spec
    }
    try clips.add(ClipQueue.Job(take: stored.path, spec: spec, takes: stored.takeFiles))
  }

  /// Cancels the clips of a group that wait or are being made.
  func cancelGroupClips(_ id: String) async throws {
    guard clips.cancel(try await storedGroup(id).path) else {
      throw APIError.notNow("No clip of this group is waiting or being made.")
    }
  }

  /// Returns the file of clip `index` of a group.
  func groupClip(_ id: String, _ index: Int) async throws -> InputFile {
    let path = try await groupClipPath(id, index)
    return try await work.run { try InputFile(path) }
  }

  /// Deletes clip `index` of a group.
  func removeGroupClip(_ id: String, _ index: Int) async throws -> GroupResponse {
    let stored = try await storedGroup(id)
    let path = try await groupClipPath(id, index)
    try await work.run { try stored.removeClip(path) }
    await changed()
    return try await group(id)
  }

  private func groupClipPath(_ id: String, _ index: Int) async throws -> FilePath {
    let stored = try await storedGroup(id)
    let library = library
    return try await work.run {
      let clips = stored.clips(listed: try library.entriesWaiting(), among: library.groups)
      guard clips.indices.contains(index) else { throw APIError.notFound("clip \(index)") }
      return clips[index]
    }
  }
}
