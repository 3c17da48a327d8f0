internal import Glibc
package import Platform
package import SystemPackage
package import Timebase

/// A change of a MOV's or MP4's speed without copying it: in its index alone, independent of the file's size.
///
/// It changes the number of ticks per second, so that every time is exactly the former one divided by the
/// speed. A crash or a power failure at any moment leaves a file that plays either as before or at the new
/// speed:
///
/// - If both numbers lie in one 512-byte sector, as in a file whose index comes first, they are written at
///   once, and a disk writes a sector completely or not at all.
/// - Otherwise, a changed copy of the index is appended to the file (or written where the index was before an
///   earlier change), marked as free space; then that mark becomes `moov`, then the `moov` of the old index
///   becomes `free`, each synced before the next. If a file has two indexes, players use the first; a partly
///   written mark is a box of unknown type, which players skip like free space.
///
/// The file is locked from the check to the change, or earlier by the caller.
package struct MovieRetiming: ~Copyable {
  private let file: MovieFile
  private let boxes: [MovieBox]
  private let remains: MovieFile.Leftovers
  private let active: MovieBox
  /// The index with its new times and comment, and the range of the comment in it, if it changes.
  private let index: MovieIndex
  private let comment: Range<Int>?
  /// The index with its former times and a comment without a speed; `nil` if the comment does not change.
  private let neutral: [UInt8]?

  private static let sectorSize = 512
  /// The size of an index of 20 million frames.
  private static let largestIndex = 1 << 30

  /// Checks that all times of the movie at `path` can be divided by `speed`; changes nothing yet.
  ///
  /// - Parameters:
  ///   - path: the file to change.
  ///   - speed: the factor on the present speed.
  ///   - comment: returns the texts that may replace the file's comment: the first one that fits is written,
  ///     and until the change is complete, the last.
  /// - Throws: `noInput`, `noPermission`, `badData` if it is not a whole MOV or MP4 or was not made by
  ///   Overcrank, `unsupported` if its times cannot be changed exactly, `inputOutput`.
  package init(
    _ path: FilePath, speed: Fraction, comment: (String) -> [String]
  ) throws(OvercrankError) {
    try self.init(path, having: Self.lock(path), speed: speed, comment: comment)
  }

  /// Locks the movie at `path` to change it.
  ///
  /// - Throws: `busy` if another program reads or changes it now.
  package static func lock(_ path: FilePath) throws(OvercrankError) -> FileLock {
    try OvercrankError.checkIsRegular(path)
    return try FileLock([path], for: .changing)
  }

  /// Checks a movie that `lock` holds, which is released with this value.
  package init(
    _ path: FilePath, having lock: FileLock, speed: Fraction, comment: (String) -> [String]
  ) throws(OvercrankError) {
    let file = try MovieFile(path, lock)
    // Nothing is written until everything is known to fit.
    let (boxes, remains) = try file.boxes()
    guard let active = boxes.first(where: { $0.type == "moov" }) else {
      throw file.refusal(.badData, "it has no index (moov): it is not a MOV or MP4, or it was cut off")
    }
    guard !boxes.contains(where: { $0.type == "moof" }) else {
      throw file.refusal(.unsupported, "it consists of fragments, each with its own times")
    }
    guard active.size <= Self.largestIndex else {
      throw file.refusal(.unsupported, "its index is over a gigabyte")
    }
    let bytes = try file.read(active.offset..<active.offset + active.size)
    var index = try file.fitting { () throws(MovieIndex.UnsupportedIndex) in
      try MovieIndex(bytes, headerSize: active.headerSize)
    }
    guard let words = index.ownComment else { throw file.refusal(.badData, "Overcrank did not make it") }
    try file.fitting { () throws(MovieIndex.UnsupportedIndex) in
      try index.setTimescales(by: UInt64(speed.numerator), UInt64(speed.denominator))
    }
    let texts = comment(words)
    var neutral = index
    let isNeutral = neutral.setComment(texts.suffix(1)) == nil
    self.comment = index.setComment(texts)
    self.neutral = isNeutral ? nil : neutral.bytes
    self.file = file
    self.boxes = boxes
    self.remains = remains
    self.active = active
    self.index = index
  }

  /// Changes the movie.
  ///
  /// - Throws: `inputOutput`; it plays as before or at the new speed.
  package consuming func apply() throws(OvercrankError) {
    try file.putAway(remains)
    let (first, last) = (index.timescales.lowerBound, index.timescales.upperBound - 1)
    guard (active.offset + first) / Self.sectorSize == (active.offset + last) / Self.sectorSize else {
      return try Self.replace(active, by: index.bytes, in: file, boxes)
    }
    // Meanwhile, the comment states no speed, so that it never states a wrong one.
    if let comment, let neutral { try file.write(neutral[comment], at: active.offset + comment.lowerBound) }
    try file.write(index.bytes[index.timescales], at: active.offset + first)
    if let comment { try file.write(index.bytes[comment], at: active.offset + comment.lowerBound) }
  }

  /// Replaces the index `active` with `bytes` of the same size.
  private static func replace(
    _ active: MovieBox, by bytes: [UInt8], in file: MovieFile, _ boxes: [MovieBox]
  ) throws(OvercrankError) {
    var bytes = bytes
    bytes.replaceSubrange(4..<8, with: "free".utf8)
    let former = boxes.first {
      $0.type == "free" && $0.size == active.size && $0.headerSize == active.headerSize
    }
    let offset = former?.offset ?? boxes.map { $0.offset + $0.size }.max() ?? 0
    try file.write(bytes[...], at: offset)
    try file.write(Array("moov".utf8)[...], at: offset + 4)
    try file.write(Array("free".utf8)[...], at: active.typeOffset)
  }
}

/// A MOV or MP4 that is read and changed in place.
private final class MovieFile {
  private let path: FilePath
  private let descriptor: FileDescriptor
  private let lock: FileLock
  private var size: Int

  /// The largest plausible number of top-level boxes.
  private static let mostBoxes = 100_000

  /// Opens the file, which is locked with `lock`.
  init(_ path: FilePath, _ lock: FileLock) throws(OvercrankError) {
    try OvercrankError.checkIsRegular(path)
    self.path = path
    self.lock = lock
    do {
      descriptor = try FileDescriptor.open(path, .readWrite, options: .closeOnExec)
    } catch {
      throw OvercrankError.changing(path, error as? Errno ?? .ioError)
    }
    size = Int((try? descriptor.seek(offset: 0, from: .end)) ?? 0)
  }

  deinit {
    lock.release()
    try? descriptor.close()
  }

  func refusal(_ code: OvercrankError.Code, _ reason: String) -> OvercrankError {
    OvercrankError(
      code,
      "\(path): cannot be changed in place: \(reason). Copy its frames into a new file.", remedy: .copy)
  }

  func fitting<Result>(_ body: () throws(MovieIndex.UnsupportedIndex) -> Result) throws(OvercrankError)
    -> Result
  {
    do { return try body() } catch { throw refusal(.unsupported, error.reason) }
  }

  /// The remains of an earlier change that was cut off.
  struct Leftovers {
    /// The offsets of index marks that are no longer valid.
    var indexes: [Int] = []
    /// The offset at which the file must end; `nil` to keep its end.
    var end: Int?
  }

  /// Returns the top-level boxes as they are after the remains of an earlier change have been removed.
  func boxes() throws(OvercrankError) -> ([MovieBox], Leftovers) {
    var boxes: [MovieBox] = []
    var remains = Leftovers()
    var offset = 0
    while offset < size {
      let head = try read(offset..<min(offset + 16, size))
      let isTail = boxes.contains { $0.type == "moov" } && boxes.contains { $0.type == "mdat" }
      guard let box = MovieBox(head: head[...], offset: offset, end: size), boxes.count < Self.mostBoxes,
        box.offset + box.size <= size, head.bigEndian(at: 0, count: 8) > 0
      else {
        // An incomplete copy of the index, or room for one: the zeros of a file that was extended.
        let isUnused = head.dropFirst(4).prefix(4).elementsEqual("free".utf8) || head.allSatisfy { $0 == 0 }
        guard isTail, isUnused else { throw refusal(.badData, "it is cut off, or is not a MOV or MP4") }
        remains.end = offset
        break
      }
      // Only the first index counts, and the copy was to replace it.
      if box.type == "moov", boxes.contains(where: { $0.type == "moov" }) {
        remains.indexes.append(box.typeOffset)
        boxes.append(box)
        boxes[boxes.count - 1].type = "free"
      } else {
        boxes.append(box)
      }
      offset += box.size
    }
    return (boxes, remains)
  }

  /// Removes the remains of an earlier change.
  func putAway(_ remains: Leftovers) throws(OvercrankError) {
    for place in remains.indexes { try write(Array("free".utf8)[...], at: place) }
    if let end = remains.end { try shorten(to: end) }
  }

  func read(_ range: Range<Int>) throws(OvercrankError) -> [UInt8] {
    do throws(Errno) {
      let bytes = try descriptor.bytes(at: Int64(range.lowerBound), count: range.count)
      guard bytes.count == range.count else { throw .ioError }
      return bytes
    } catch {
      throw OvercrankError.opening(path, error)
    }
  }

  /// Writes `bytes` at `offset` and syncs them. If they cannot all be appended, the file keeps its length.
  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(OvercrankError) {
    do {
      try bytes.withUnsafeBytes { _ = try descriptor.writeAll(toAbsoluteOffset: Int64(offset), $0) }
      while fsync(descriptor.rawValue) != 0 {
        guard errno == EINTR else { throw Errno(rawValue: errno) }
      }
    } catch {
      if offset == size { try? descriptor.resize(to: Int64(size)) }
      throw OvercrankError.writing(path, error as? Errno ?? .ioError, bytesFree: nil)
    }
  }

  private func shorten(to size: Int) throws(OvercrankError) {
    do { try descriptor.resize(to: Int64(size)) } catch {
      throw OvercrankError.writing(path, error as? Errno ?? .ioError, bytesFree: nil)
    }
    self.size = size
  }
}
