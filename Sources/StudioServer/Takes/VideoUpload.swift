import Overcrank
import Synchronization

/// A video that a page adds to the library. It gets its name when it is whole and was read as a video; it is then the
/// master of a take.
final class VideoUpload: UploadSink {
  /// The name of the video where it came from.
  private let name: String
  private let catalog: TakeCatalog
  private let files: TakeFiles
  private let output: Mutex<OutputFile?>
  private let pending = Mutex<[UInt8]>([])

  /// The bytes that are written at a time.
  private static let piece = 256 << 10
  /// The bytes that stay free on the disk, for recordings.
  private static let reserve: Int64 = 512 << 20

  /// Opens the file, with room on the disk for `size` bytes.
  ///
  /// - Throws: `OvercrankError`.
  fileprivate init(_ name: String, _ size: Int64, _ catalog: TakeCatalog) throws {
    let folder = catalog.library.folder
    try OwnFolder.make(folder, as: "the folder of takes", remedy: "Plug in its disk, or create it.")
    files = try Self.files(for: name, in: folder)
    try Self.checkRoom(for: size, name, in: folder)
    // Of a video that was not received to its end, nothing is worth keeping.
    var file = try OutputFile(files.master, copying: true)
    try file.reserve(Int(clamping: size))
    (self.name, self.catalog) = (name, catalog)
    output = Mutex(file)
  }

  deinit { catalog.state.withLock { $0.uploads.active -= 1 } }

  func write(_ bytes: [UInt8]) async throws {
    let ready = pending.withLock { pending -> [UInt8]? in
      pending += bytes
      guard pending.count >= Self.piece else { return nil }
      defer { pending = [] }
      return pending
    }
    if let ready { try await append(ready) }
  }

  private func append(_ bytes: [UInt8]) async throws {
    try await named {
      try await self.catalog.work.runNext { try self.output.withLock { try $0?.write(bytes) } }
    }
  }

  func finish() async throws -> Response {
    try await append(pending.withLock { $0 })
    let take = try await named { try await self.catalog.work.runNext { try self.complete() } }
    await catalog.changed()
    return try .json(await catalog.take(catalog.ids.id(of: take)))
  }

  /// Reads the video, gives it its name, and writes its take. Returns the take's file.
  private func complete() throws -> FilePath {
    guard let file = output.withLock({ $0.take() }) else { throw CancellationError() }
    var take: Take?
    try file.commit { (part) throws(OvercrankError) in
      do throws(OvercrankError) {
        take = try ImportedVideo(part).take(named: name, master: files.master.name)
      } catch {
        throw OvercrankError(error.code, error.description.replacing(part.string, with: name))
      }
    }
    do throws(OvercrankError) { try take?.write(to: files.take, replacing: false) } catch {
      try? files.master.removeFile()
      throw error
    }
    return files.take
  }

  /// Runs `body`, whose errors become those of the API.
  private func named<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as OvercrankError {
      throw APIError.refused(error.description).naming(filesIn: catalog.library.folder)
    }
  }

  /// Returns the files of the take for a video of this name; no file has their names.
  ///
  /// - Throws: `APIError` if the name is not that of a video.
  fileprivate static func files(for name: String, in folder: FilePath) throws(APIError) -> TakeFiles {
    let own = FilePath.portableName(name)
    let parts = own.split(separator: ".", omittingEmptySubsequences: false)
    let container = ImportedVideo.containers.first { $0.fileExtension == parts.last?.lowercased() }
    guard let container, parts.count > 1 else {
      let endings = ImportedVideo.containers.map { ".\($0.fileExtension)" }.joined(separator: ", ")
      throw .refused("\(own): cannot be added, only videos whose name ends in \(endings). Convert it first.")
    }
    var stem = parts.dropLast().joined(separator: ".")
    // A leading dot would hide it, and the suffixes need some room.
    if stem.isEmpty || stem.hasPrefix(".") { stem = "_" + stem }
    while stem.utf8.count > 200 { stem.removeLast() }
    let used = Set((try? folder.entryNames()) ?? [])
    func isFree(_ stem: String) -> Bool {
      !used.contains {
        $0 == stem + TakeFiles.takeSuffix || $0.hasPrefix("\(stem).master.") || $0 == "\(stem).mp4"
      }
    }
    let names = [stem] + (2...9999).lazy.map { "\(stem)-\($0)" }
    guard let free = names.first(where: isFree) else { throw .refused("\(own): rename it first.") }
    return TakeFiles(clip: folder.appending("\(free).mp4"), container: container)
  }

  /// Refuses a video that leaves too little room on the disk.
  fileprivate static func checkRoom(for size: Int64, _ name: String, in folder: FilePath) throws(APIError) {
    guard let free = Studio.bytesFree(in: folder), free.subtracting(clamping: reserve) < size else { return }
    throw .refused(
      "\(name): has \(size) bytes, which leaves too little room on the disk. Remove takes first.")
  }
}

/// The uploads that were announced, and the number of those under way.
struct Uploads {
  fileprivate var announced: [(id: String, name: String, size: Int64)] = []
  fileprivate var active = 0
  fileprivate static let mostAnnounced = 64
}

extension TakeCatalog {
  /// Checks a video before it is sent, and returns the id under which it is received.
  ///
  /// - Throws: ``APIError``.
  func prepareUpload(_ name: String, _ size: Int64, _ limits: ServerLimits) async throws -> String {
    guard size <= limits.uploadBytes else { throw APIError.uploadTooLarge(limits.uploadBytes) }
    let folder = library.folder
    try await work.run {
      _ = try VideoUpload.files(for: name, in: folder)
      try VideoUpload.checkRoom(for: size, name, in: folder)
    }
    let id = String(Token().text.prefix(16))
    state.withLock { state in
      if state.uploads.announced.count >= Uploads.mostAnnounced { state.uploads.announced.removeFirst() }
      state.uploads.announced.append((id, name, size))
    }
    return id
  }

  /// Removes what is left of videos that were not received to their end because the studio was killed.
  func removeAbandonedUploads() async {
    let folder = library.folder
    try? await work.run {
      for name in (try? folder.entryNames()) ?? []
      where name.wholeMatch(of: /.+\.master\.\w+\.copying/) != nil {
        let path = folder.appending(name)
        if !path.isForeignOutput, !path.isBeingWritten { path.unlink() }
      }
    }
  }

  /// Opens the receiver of the video that was announced with this id.
  ///
  /// - Throws: ``APIError``.
  func openUpload(_ id: String, _ length: Int?, _ limits: ServerLimits) async throws -> VideoUpload {
    let (name, size) = try state.withLock { state throws(APIError) in
      guard let place = state.uploads.announced.firstIndex(where: { $0.id == id }) else {
        throw .notFound("such upload. Announce it first")
      }
      let (_, name, size) = state.uploads.announced[place]
      guard length.map(Int64.init) == size else {
        throw .badRequest("The Content-Length must be \(size), as announced.")
      }
      guard state.uploads.active < limits.uploads else { throw .busy }
      state.uploads.announced.remove(at: place)
      state.uploads.active += 1
      return (name, size)
    }
    do {
      return try await work.run { try VideoUpload(name, size, self) }
    } catch {
      state.withLock { $0.uploads.active -= 1 }
      throw error
    }
  }
}

extension APIError {
  fileprivate static func uploadTooLarge(_ most: Int64) -> APIError {
    APIError(status: 413, code: .tooLarge, message: "The file is too large. Send at most \(most >> 30) GiB.")
  }
}
