import FoundationEssentials
import Media
public import Platform
public import SystemPackage

/// A folder of takes and photos.
///
/// There is no index: the files in the folder are the library. Any folder can be one.
public struct TakeLibrary: Sendable {
  /// The folder.
  public let folder: FilePath
  let version: String

  /// Creates the library in `folder`.
  ///
  /// - Parameters:
  ///   - folder: the folder of the takes.
  ///   - version: the version of this program, to recognize takes of newer ones.
  public init(_ folder: FilePath, version: String) {
    self.folder = folder
    self.version = version
  }

  /// Returns all takes and photos in the folder, remains of them, and damaged group files, newest first.
  ///
  /// Reads the beginning of each take file, the tags of each photo, all group files, and no master. Pictures by other
  /// programs are left out, as what is listed can be removed.
  ///
  /// - Throws: `OvercrankError` with `noInput` or `noPermission` if the folder cannot be read.
  public func entries() async throws(OvercrankError) -> [LibraryEntry] {
    var entries: [LibraryEntry] = []
    for _ in Self.readings {
      let names = try names()
      let takes = await self.entries(ofTakes: names.filter(TakeFiles.isTake))
      entries = self.entries(takes, among: names)
      if !entries.contains(where: \.hasMovedOn) { break }
    }
    return entries
  }

  /// The times that the folder is read if recordings end meanwhile, whose files would be listed by former names.
  private static let readings = 1...3

  /// Returns the same entries, read on the calling thread, which blocks on the disk.
  ///
  /// - Throws: as ``entries()`` does.
  package func entriesWaiting() throws(OvercrankError) -> [LibraryEntry] {
    var entries: [LibraryEntry] = []
    for _ in Self.readings {
      let names = try names()
      let takes = names.filter(TakeFiles.isTake)
        .map { LibraryEntry(take: folder.appending($0), version: version) }
      entries = self.entries(takes, among: names)
      if !entries.contains(where: \.hasMovedOn) { break }
    }
    return entries
  }

  /// Returns the takes, and the photos and the remains of others among the files of the folder, newest first.
  private func entries(_ takes: [LibraryEntry], among names: [String]) -> [LibraryEntry] {
    var entries = takes
    Self.noteShared(&entries)
    for (take, parts) in unfinishedClips(among: names) {
      guard let place = entries.firstIndex(where: { $0.path == take }) else { continue }
      entries[place].problems += parts.map { .clipUnfinished($0.name) }
    }
    let known = Set(entries.compactMap { $0.master?.name } + entries.flatMap { $0.description?.videos ?? [] })
    entries += LibraryPhoto.entries(names.filter { !known.contains($0) }, in: folder)
    entries += UnfinishedPhoto.entries(names, in: folder)
    entries += names.filter { $0.hasSuffix(".part") }.map { folder.appending($0) }
      .filter(LibraryEntry.isUnfinishedFile).map { LibraryEntry(.unfinishedFile, of: $0) }
    entries += names.filter(TakeGroup.isFile).compactMap { LibraryEntry(group: folder.appending($0)) }
    let recovered = Set(entries.compactMap { $0.recoveredPart?.name })
    for name in names where name.contains(".master.") && !recovered.contains(name) {
      let path = folder.appending(name)
      if name.hasSuffix(".part"), Self.isMaster(path.withoutExtension) {
        entries.append(LibraryEntry(.part, of: path))
      } else if Self.isMaster(path), !known.contains(name) {
        entries.append(LibraryEntry(.takelessMaster, of: path))
      }
    }
    // A path creates its text anew for each access.
    let keys = entries.map { ($0.date, $0.path.string) }
    return entries.indices.sorted { keys[$0] > keys[$1] }.map { entries[$0] }
  }

  /// Returns the names of the folder's files.
  func names() throws(OvercrankError) -> [String] {
    do throws(Errno) { return try folder.entryNames() } catch { throw OvercrankError.listing(folder, error) }
  }

  private func entries(ofTakes names: [String]) async -> [LibraryEntry] {
    await withTaskGroup(of: [LibraryEntry].self) { group in
      for start in stride(from: 0, to: names.count, by: Self.batch) {
        let batch = names[start..<min(start + Self.batch, names.count)]
        group.addTask { batch.map { LibraryEntry(take: folder.appending($0), version: version) } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// The number of takes that one task reads.
  private static let batch = 128

  /// Adds a problem to all takes that name the same video.
  private static func noteShared(_ entries: inout [LibraryEntry]) {
    // Compared by bytes: names that look the same may be those of two files.
    var places: [[UInt8]: [Int]] = [:]
    for place in entries.indices {
      for name in entries[place].description?.videos ?? [] {
        places[Array(name.utf8), default: []].append(place)
      }
    }
    let shared = places.filter { $0.value.count > 1 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (name, places) in shared {
      for place in places {
        let others = places.filter { $0 != place }.map { entries[$0].path }.sorted { $0.string < $1.string }
        entries[place].problems.append(.shared(String(decoding: name, as: UTF8.self), with: others))
      }
    }
  }

  /// Returns the parts of clips that were cut off while they were made, by the files of the takes after which they are
  /// named. Other programs' parts may have such names, too.
  private func unfinishedClips(among names: [String]) -> [FilePath: [FilePath]] {
    var found: [FilePath: [FilePath]] = [:]
    let takes = Set(names.filter { $0.hasSuffix(TakeFiles.takeSuffix) })
    for name in names where name.hasSuffix(".part") {
      let part = folder.appending(name)
      let clip = part.withoutExtension
      guard clip.extension.flatMap(Container.init(fileExtension:)) != nil, !Self.isMaster(clip),
        !AbandonedPart.hasJournal(of: clip), part.isMarkedOutput, !part.isBeingWritten, var owner = clip.stem
      else { continue }
      // `drop-slow-2.mp4.part` may be of `drop-slow` or of `drop`.
      while !takes.contains(owner + TakeFiles.takeSuffix), let end = owner.lastIndex(of: "-") {
        owner = String(owner[..<end])
      }
      found[folder.appending(owner + TakeFiles.takeSuffix), default: []].append(part)
    }
    return found
  }

  /// Returns the parts of a take's clips that were cut off while they were made.
  package func unfinishedClips(ofTake path: FilePath) -> [FilePath] {
    unfinishedClips(among: (try? folder.entryNames()) ?? [])[folder.appending(path.name)] ?? []
  }

  /// Returns whether a file of this name is a master: no MP4 is one, but a clip may be called `x.master.mp4`.
  private static func isMaster(_ path: FilePath) -> Bool {
    guard let container = path.extension.flatMap(Container.init(fileExtension:)) else { return false }
    return container != .mp4 && path.withoutExtension.extension == "master"
  }
}

extension TakeLibrary {
  /// Finds the entry that the user means by `name`, as ``item(named:from:)`` does.
  ///
  /// - Parameters:
  ///   - name: a path, a name, a label, or `latest`.
  ///   - here: the user's folder; the program's working folder if it is empty.
  /// - Throws: `OvercrankError` with `noInput` if there is none, `outOfRange` if there are several, or it is a group.
  public func entry(
    named name: String, from here: FilePath = ""
  ) async throws(OvercrankError) -> LibraryEntry {
    switch try await item(named: name, from: here) {
    case .entry(let entry): return entry
    case .group(let group):
      let takes = group.group.cameras.map(\.take).joined(separator: ", ")
      throw OvercrankError(
        .outOfRange,
        "\(group.path): is a group, but this works only with a single take. Name one of its takes: \(takes).")
    }
  }

  /// Finds what the user means by `name`: a file of an item by its path, its name in `here` or in the library, its
  /// label in the library or else in `here`, or `latest`, the latest take.
  ///
  /// A group is found by its file and its name, and by its label if exactly its takes have that.
  ///
  /// - Parameters:
  ///   - name: a path, a name, a label, or `latest`.
  ///   - here: the user's folder; the program's working folder if it is empty.
  /// - Throws: `OvercrankError` with `noInput` if there is none, `outOfRange` if there are several.
  public func item(
    named name: String, from here: FilePath = ""
  ) async throws(OvercrankError) -> LibraryItem {
    let own = here.pushing(FilePath(name))
    if let item = item(at: own) { return item }
    // A path, or the name of a file that is here, never stands for another file in the library.
    let isFile = (try? Stat(own, followTargetSymlink: false)).map { $0.type != .directory } ?? false
    guard !isFile else { throw OvercrankError(.noInput, "\(own): is not a take or photo by Overcrank.") }
    if !name.contains("/"), let item = item(at: folder.pushing(FilePath(name))) { return item }
    let present: Result<[LibraryEntry], OvercrankError>
    do throws(OvercrankError) { present = .success(try await entries()) } catch { present = .failure(error) }
    let entries = (try? present.get()) ?? []
    if name == "latest", let latest = entries.first(where: { $0.description != nil }) {
      return .entry(latest)
    }
    if let item = try named(name, among: entries) { return item }
    if let item = try labelled(name, among: entries) { return item }
    // What the user gave a name is outside the library.
    let near = TakeLibrary(here, version: version)
    let others = (try? await near.entries()) ?? []
    if let item = try near.named(name, among: others) { return item }
    if let item = try near.labelled(name, among: others) { return item }
    var isMissing = false
    do throws(OvercrankError) { _ = try present.get() } catch {
      guard error.code == .noInput else { throw error }
      isMissing = true
    }
    guard name != "latest" else {
      throw OvercrankError(
        .noInput,
        "\(folder): has no takes yet, and \"latest\" is the latest take. Record one, or name another folder or item."
      )
    }
    let labels = Set(entries.compactMap(\.label)).sorted()
    let alike = labels.filter { $0.lowercased().contains(name.lowercased()) }.prefix(3).map { "\"\($0)\"" }
    let places =
      folder == "." ? "here" : isMissing ? "here, and there is no folder \(folder)" : "here or in \(folder)"
    throw OvercrankError(
      .noInput,
      "\"\(name)\" is neither the name nor the label of a take, group or photo \(places)."
        + (alike.isEmpty ? "" : " Did you mean the label \(alike.joined(separator: " or "))?"),
      remedy: isMissing ? nil : .listTakes(in: folder))
  }

  /// Returns the item that the file at `path` belongs to; `nil` if there is none.
  private func item(at path: FilePath) -> LibraryItem? {
    if let entry = entry(at: path) { return .entry(entry.notingShared()) }
    return group(at: path).map { .group($0) }
  }

  /// Returns the item called `name`; `nil` if there is none.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` if there are several.
  private func named(
    _ name: String, among entries: [LibraryEntry]
  ) throws(OvercrankError) -> LibraryItem? {
    // The remains of a take that was cut off, and photos, have its name too, but no file of that name.
    let all = entries.filter { $0.name == name }
    // A group's file, or what is left of a photo, does not stand in the way of an item.
    if let entry = try Self.only(all.filter { !$0.isLeftover }, "the name", name) { return .entry(entry) }
    if let group = group(named: name) { return .group(group) }
    return try Self.only(all, "the name", name).map { .entry($0) }
  }

  /// Returns the item with the label `label`; `nil` if there is none.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` if several have it that are not the takes of one group.
  private func labelled(
    _ label: String, among entries: [LibraryEntry]
  ) throws(OvercrankError) -> LibraryItem? {
    let entries = entries.filter { $0.label == label }
    if entries.count > 1, let group = group(ofAll: entries) { return .group(group) }
    return try Self.only(entries, "the label", label).map { .entry($0) }
  }

  /// Returns the only one of `entries`; `nil` if there are none.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` if there are several.
  private static func only(
    _ entries: [LibraryEntry], _ what: String, _ name: String
  ) throws(OvercrankError) -> LibraryEntry? {
    guard entries.count > 1 else { return entries.first }
    let files = entries.map(\.path.name).joined(separator: ", ")
    throw OvercrankError(
      .outOfRange, "\"\(name)\" is \(what) of \(entries.count) items: \(files). Name one of these files.")
  }

  /// Finds the entry that the file at `path` belongs to; `nil` if there is none.
  ///
  /// Reads only that take or photo, if its name matches the file's. Names in other takes are reported as problems only
  /// by ``LibraryEntry/notingShared()``.
  public func entry(at path: FilePath) -> LibraryEntry? {
    guard path.lastComponent?.kind == .regular else { return nil }
    // A clip may be called like a master: `x.master.mp4` of `x.master.take.json`.
    let takes = [
      path, TakeFiles.take(of: path), path.beside((path.stem ?? "") + TakeFiles.takeSuffix),
      path.beside(path.name + TakeFiles.takeSuffix),
    ]
    var namesTake = false
    for take in takes where TakeFiles.isTake(take.name) {
      // A dangling link is listed, too, and can be removed.
      guard take.exists || take == path && (try? Stat(take, followTargetSymlink: false)) != nil else {
        continue
      }
      let entry = LibraryEntry(take: take, version: version)
      // A video whose name happens to match a take need not be one of its files.
      guard take == path || !path.exists || entry.description == nil || entry.files.contains(path) else {
        namesTake = true
        continue
      }
      return entry
    }
    if let take = takeNaming(path) { return take }
    if let photo = LibraryPhoto.entry(at: path) ?? UnfinishedPhoto.entry(at: path) { return photo }
    if LibraryEntry.isUnfinishedFile(path), path.exists {
      return LibraryEntry(.unfinishedFile, of: path)
    }
    if TakeGroup.isFile(path.name), (try? Stat(path, followTargetSymlink: false)) != nil {
      return LibraryEntry(group: path)
    }
    if namesTake { return nil }
    if path.extension == "part", Self.isMaster(path.withoutExtension), path.exists {
      return LibraryEntry(.part, of: path)
    }
    guard path.exists else { return nil }
    return Self.isMaster(path) ? LibraryEntry(.takelessMaster, of: path) : nil
  }

  /// Finds the take beside the video at `path` that names it, as for a clip that was made later from a
  /// master; `nil` if there is none.
  private func takeNaming(_ path: FilePath) -> LibraryEntry? {
    guard path.extension.flatMap(Container.init(fileExtension:)) != nil else { return nil }
    let names = (try? path.folder.entryNames()) ?? []
    for name in names.sorted() where name.hasSuffix(TakeFiles.takeSuffix) {
      let take = path.beside(name)
      // Compared by bytes: names that look the same may be those of two files.
      guard let videos = try? TakeDescription(take).videos,
        videos.contains(where: { $0.utf8.elementsEqual(path.name.utf8) })
      else { continue }
      return LibraryEntry(take: take, version: version)
    }
    return nil
  }
}

extension LibraryEntry {
  /// Whether it is listed only because something is wrong with it, and is no part of a take.
  fileprivate var isLeftover: Bool {
    switch kind {
    case .unfinishedPhoto, .unfinishedFile, .damagedGroup: true
    default: false
    }
  }

  /// Returns the entry with the other takes of its folder that now name one of its videos; reads all of them.
  public func notingShared() -> LibraryEntry {
    guard let videos = description?.videos, !videos.isEmpty else { return self }
    var entry = self
    let names = (try? path.folder.entryNames()) ?? []
    let others = names.filter { $0.hasSuffix(TakeFiles.takeSuffix) && $0 != path.name }.sorted()
      .map { path.beside($0) }.map { take in
        (path: take, videos: Set(((try? TakeDescription(take))?.videos ?? []).map { Array($0.utf8) }))
      }
    for video in videos {
      let name = Array(video.utf8)
      let sharing = others.filter { $0.videos.contains(name) }.map(\.path)
      let problem = LibraryEntry.Problem.shared(video, with: sharing)
      if !sharing.isEmpty, !problems.contains(problem) { entry.problems.append(problem) }
    }
    return entry
  }
}

extension Stat {
  /// The time of the file's last change, in UTC as ISO 8601.
  var isoDate: String {
    Date(timeIntervalSince1970: Double(st_mtim.tv_sec)).formatted(.iso8601)
  }
}
