import FoundationEssentials
import Media
public import Platform
public import SystemPackage
import Timebase

/// A folder of takes.
///
/// Nothing is kept about it: what lies in the folder is the library. Any folder will do.
public struct TakeLibrary: Sendable {
  /// The folder.
  public let folder: FilePath
  private let version: String

  /// The library in `folder`.
  ///
  /// - Parameters:
  ///   - folder: where the takes lie.
  ///   - version: the version of this program, which tells takes of newer ones apart.
  public init(_ folder: FilePath, version: String) {
    self.folder = folder
    self.version = version
  }

  /// Everything in the folder that is a take, or is left of one, newest first.
  ///
  /// Reads the beginning of each take file, and no master.
  ///
  /// - Throws: `OvercrankError` with `noInput` or `noPermission` where the folder cannot be read.
  public func entries() async throws(OvercrankError) -> [LibraryEntry] {
    let names = try names()
    return entries(await entries(ofTakes: names.filter { $0.hasSuffix(TakeFiles.takeSuffix) }), among: names)
  }

  /// The same, read on the calling thread, which waits for the disk.
  ///
  /// - Throws: as ``entries()`` does.
  package func entriesWaiting() throws(OvercrankError) -> [LibraryEntry] {
    let names = try names()
    let takes = names.filter { $0.hasSuffix(TakeFiles.takeSuffix) }
    return entries(takes.map { LibraryEntry(take: folder.appending($0), version: version) }, among: names)
  }

  /// The takes, and what is left of others among the files of the folder, newest first.
  private func entries(_ takes: [LibraryEntry], among names: [String]) -> [LibraryEntry] {
    var entries = takes
    Self.noteShared(&entries)
    let known = Set(entries.compactMap { $0.master?.name } + entries.flatMap { $0.description?.films ?? [] })
    for name in names where name.contains(".master.") {
      let path = folder.appending(name)
      if name.hasSuffix(".part"), Self.isMaster(path.withoutExtension) {
        entries.append(LibraryEntry(.part, of: path))
      } else if Self.isMaster(path), !known.contains(name) {
        entries.append(LibraryEntry(.takelessMaster, of: path))
      }
    }
    // A path makes its text anew each time that it is asked for it.
    let keys = entries.map { ($0.date, $0.path.string) }
    return entries.indices.sorted { keys[$0] > keys[$1] }.map { entries[$0] }
  }

  /// The files of the folder.
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

  /// How many takes are read one after the other.
  private static let batch = 128

  /// Notes takes that name one film.
  private static func noteShared(_ entries: inout [LibraryEntry]) {
    // By its bytes: names that read the same may be of two files.
    var places: [[UInt8]: [Int]] = [:]
    for place in entries.indices {
      for name in entries[place].description?.films ?? [] {
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

  /// Whether a file of this name is a master: none is an MP4, which a clip called `x.master.mp4` may be.
  private static func isMaster(_ path: FilePath) -> Bool {
    guard let container = path.extension.flatMap(Container.init(fileExtension:)) else { return false }
    return container != .mp4 && path.withoutExtension.extension == "master"
  }
}

extension TakeLibrary {
  /// The entry that a person means by `name`: a file of the take by its path, the take's name here or in the
  /// library, its label there or else here, or `latest`.
  ///
  /// - Parameters:
  ///   - name: a path, a name, a label, or `latest`.
  ///   - here: the folder that the person is in; the program's working folder where it is empty.
  /// - Throws: `OvercrankError` with `noInput` where there is none, `outOfRange` where there are several.
  public func entry(
    named name: String, from here: FilePath = ""
  ) async throws(OvercrankError) -> LibraryEntry {
    for path in [here, folder].map({ $0.pushing(FilePath(name)) }) {
      if let entry = entry(at: path) { return entry.notingShared() }
    }
    let present: Result<[LibraryEntry], OvercrankError>
    do throws(OvercrankError) { present = .success(try await entries()) } catch { present = .failure(error) }
    let entries = (try? present.get()) ?? []
    if name == "latest", let latest = entries.first(where: { $0.description != nil }) { return latest }
    // What is left of a take that was cut off has its name too, and no file of that name.
    let named = entries.filter { $0.name == name }
    if named.count == 1 { return named[0] }
    var labelled = entries.filter { $0.description?.label == name }
    // A take that was given a name lies elsewhere than in the library.
    if labelled.isEmpty {
      let here = try? await TakeLibrary(here, version: version).entries()
      labelled = (here ?? []).filter { $0.description?.label == name }
    }
    if labelled.count == 1 { return labelled[0] }
    guard labelled.isEmpty else {
      throw OvercrankError(
        .outOfRange,
        "\"\(name)\" is the label of \(labelled.count) takes: \(labelled.map(\.name).joined(separator: ", ")). "
          + "Name one of them.")
    }
    _ = try present.get()
    let labels = Set(entries.compactMap { $0.description?.label }).sorted()
    let near = labels.filter { $0.lowercased().contains(name.lowercased()) }.prefix(3).map { "\"\($0)\"" }
    throw OvercrankError(
      .noInput,
      "\"\(name)\" is no take here or in \(folder), and no label of one."
        + (near.isEmpty ? "" : " Did you mean the label \(near.joined(separator: " or "))?"),
      remedy: .listTakes(in: folder))
  }

  /// The entry that the file at `path` belongs to; `nil` where there is none.
  ///
  /// Reads that take alone, where the file is called as one of its own. What other takes name is no problem of it
  /// before ``LibraryEntry/notingShared()``.
  public func entry(at path: FilePath) -> LibraryEntry? {
    guard path.lastComponent?.kind == .regular else { return nil }
    // A clip may be called like a master: `x.master.mp4` of `x.master.take.json`.
    let takes = [
      path, TakeFiles.take(of: path), path.beside((path.stem ?? "") + TakeFiles.takeSuffix),
      path.beside(path.name + TakeFiles.takeSuffix),
    ]
    var namesTake = false
    for take in takes where take.name.hasSuffix(TakeFiles.takeSuffix) {
      // A link that leads nowhere is listed, too, and can be removed.
      guard take.isThere || take == path && (try? Stat(take, followTargetSymlink: false)) != nil else {
        continue
      }
      let entry = LibraryEntry(take: take, version: version)
      // A film that happens to be called like a take is none of its files.
      guard take == path || !path.isThere || entry.description == nil || entry.files.contains(path) else {
        namesTake = true
        continue
      }
      return entry
    }
    if let take = takeNaming(path) { return take }
    if namesTake { return nil }
    if path.extension == "part", Self.isMaster(path.withoutExtension), path.isThere {
      return LibraryEntry(.part, of: path)
    }
    guard path.isThere else { return nil }
    return Self.isMaster(path) ? LibraryEntry(.takelessMaster, of: path) : nil
  }

  /// The take beside the film at `path` that names it, as one does of whose master it was made later; `nil` where none
  /// does.
  private func takeNaming(_ path: FilePath) -> LibraryEntry? {
    guard path.extension.flatMap(Container.init(fileExtension:)) != nil else { return nil }
    let names = (try? path.folder.entryNames()) ?? []
    for name in names.sorted() where name.hasSuffix(TakeFiles.takeSuffix) {
      let take = path.beside(name)
      // By its bytes: names that read the same may be of two files.
      guard let films = try? TakeDescription(take).films,
        films.contains(where: { $0.utf8.elementsEqual(path.name.utf8) })
      else { continue }
      return LibraryEntry(take: take, version: version)
    }
    return nil
  }
}

extension LibraryEntry {
  /// The entry with the other takes of its folder, as they are now, that name one of its films; reads all of them.
  public func notingShared() -> LibraryEntry {
    guard let films = description?.films, !films.isEmpty else { return self }
    var entry = self
    let names = (try? path.folder.entryNames()) ?? []
    let others = names.filter { $0.hasSuffix(TakeFiles.takeSuffix) && $0 != path.name }.sorted()
      .map { path.beside($0) }.map { (path: $0, films: (try? TakeDescription($0))?.films ?? []) }
    for film in films {
      let sharing = others.filter { $0.films.contains { $0.utf8.elementsEqual(film.utf8) } }.map(\.path)
      let problem = LibraryEntry.Problem.shared(film, with: sharing)
      if !sharing.isEmpty, !problems.contains(problem) { entry.problems.append(problem) }
    }
    return entry
  }
}

extension Stat {
  /// When the file changed last, in UTC as ISO 8601.
  var isoDate: String {
    Date(timeIntervalSince1970: Double(st_mtim.tv_sec)).formatted(.iso8601)
  }
}
