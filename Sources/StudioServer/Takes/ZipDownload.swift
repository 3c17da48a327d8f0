import Overcrank

/// Files of the library as one ZIP archive, which is made while it is sent. Nothing of it is written to a disk.
struct ZipDownload: Sendable {
  /// The archive.
  let layout: ZipLayout
  private let files: [(path: FilePath, state: SourceState)]

  /// More files are refused: the list of all of them is held in memory.
  private static let mostFiles = 20_000
  private static let piece = Answer.piece

  /// Notes the files as they are now.
  ///
  /// - Throws: ``APIError`` if one of them is missing, leads out of the folder, or they are too many.
  init(of paths: [FilePath]) throws(APIError) {
    guard paths.count <= Self.mostFiles else {
      throw .refused("\(paths.count) files are too many for one download. Select fewer.")
    }
    var files: [(path: FilePath, state: SourceState)] = []
    for path in paths {
      guard !path.isLinkElsewhere, let state = SourceState(path) else { throw .notFound("file \(path.name)") }
      files.append((path, state))
    }
    let entries = zip(Self.names(paths.map(\.name)), files).map {
      ZipLayout.Entry(name: $0, size: $1.state.size, changed: $1.state.changed)
    }
    guard let layout = ZipLayout(entries) else { throw .refused("The files are too large for one download.") }
    (self.layout, self.files) = (layout, files)
  }

  /// Writes the archive: exactly as many bytes as its layout has.
  ///
  /// - Throws: any error, before the end, if a file is not the same as when it was noted.
  func write(to writer: any StreamWriter, _ work: BlockingWork) async throws {
    var checksums: [UInt32] = []
    for (index, (path, state)) in files.enumerated() {
      try await writer.write(layout.header(index))
      let file = try await work.runNext {
        let file = try InputFile(path)
        try Self.check(path, state)
        return file
      }
      var (place, checksum) = (0 as Int64, 0 as UInt32)
      while place < state.size {
        let (start, before, count) = (place, checksum, Int(min(Int64(Self.piece), state.size - place)))
        let (bytes, sum) = try await work.runNext {
          let bytes = try file.bytes(at: start, count: count)
          return (bytes, Checksum.crc32(of: bytes, from: before))
        }
        guard !bytes.isEmpty else { throw CancellationError() }
        try await writer.write(bytes)
        (place, checksum) = (place + Int64(bytes.count), sum)
      }
      try await work.runNext { try Self.check(path, state) }
      try await writer.write(layout.descriptor(index, checksum))
      checksums.append(checksum)
    }
    try await writer.write(layout.directory(checksums))
  }

  private static func check(_ path: FilePath, _ state: SourceState) throws {
    guard SourceState(path) == state else { throw CancellationError() }
  }

  /// Returns names that are safe on every system, and differ also if upper and lower case are the same.
  static func names(_ names: [String]) -> [String] {
    var used: Set<String> = []
    return names.map { name in
      let safe = FilePath.portableName(name)
      var free = safe
      var number = 2
      while !used.insert(free.lowercased()).inserted {
        let end = safe.lastIndex(of: ".").flatMap { $0 == safe.startIndex ? nil : $0 } ?? safe.endIndex
        free = "\(safe[..<end])-\(number)\(safe[end...])"
        number += 1
      }
      return free
    }
  }
}

extension FilePath {
  /// Returns `name` as the name of a file on any system: without what is a separator of folders, or forbidden, on one.
  static func portableName(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isSafe =
        scalar.value >= 0x20 && scalar.value != 0x7f && !#"/\:*?"<>|"#.unicodeScalars.contains(scalar)
      scalars.append(isSafe ? scalar : "_")
    }
    // Windows drops these at the end, and ".." would be a folder.
    while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
    return scalars.isEmpty ? "_" : String(scalars)
  }
}
