import Platform

extension LibraryEntry {
  /// The state of a recording's part.
  public enum PartState: Hashable, Sendable {
    /// A program holds it: it is recording, armed, or writing the take file or the photo.
    case growing
    /// It was cut off, and holds frames, or may hold some.
    case cutOff
    /// Its take has been recovered, and it may hold more than the master.
    case recovered
    /// Nothing of it is worth keeping: it was prepared for a take that never began, or is left of a photo, a take file or
    /// a group file.
    case empty
  }

  /// The state of the part, or of a master whose take file is being written, or of an unfinished photo or file; `nil`
  /// for other entries.
  ///
  /// Reads the part and its journal.
  public var partState: PartState? {
    if kind == .takelessMaster, path.isBeingWritten { return .growing }
    switch kind {
    case .unfinishedPhoto, .unfinishedFile: return path.isBeingWritten || hasMovedOn ? .growing : .empty
    case .part: break
    default: return nil
    }
    do throws(OvercrankError) {
      let part = try AbandonedPart(of: path.withoutExtension)
      let state: PartState =
        part.holdsNothing ? .empty : AbandonedPart.isRecovered(part.path) ? .recovered : .cutOff
      // The recording may have ended in good order since it was listed.
      return hasMovedOn ? .growing : state
    } catch {
      return error.code == .busy || hasMovedOn ? .growing : .cutOff
    }
  }
}

extension LibraryEntry {
  /// Whether the recording has ended since: a part has got its final name, or a master its take.
  var hasMovedOn: Bool {
    switch kind {
    case .part, .unfinishedPhoto, .unfinishedFile: !path.exists
    case .takelessMaster: !path.exists || TakeFiles.take(of: path).exists
    default: false
    }
  }
}

extension TakeLibrary {
  /// Removes parts that were prepared for takes that never began, left by a program that was killed while
  /// armed; parts with any content are kept.
  package func removeEmptyParts() {
    for name in (try? folder.entryNames()) ?? [] where name.hasSuffix(".part") && name.contains(".master.") {
      do throws(OvercrankError) {
        let part = try AbandonedPart(of: folder.appending(name).withoutExtension)
        if part.holdsNothing { try part.remove(havingReadJournal: true) }
      } catch {
        // A part that cannot be read, or is in use, is kept.
      }
    }
  }
}

extension AbandonedPart {
  /// Whether a recovery would find nothing in it: the journal has no entries, and no byte of a frame reached
  /// the disk.
  fileprivate var holdsNothing: Bool {
    guard let entries = try? Self.journal(of: path), let journal = try? Journal(entries),
      let format = MasterFormat(journal.header.frames.pixelFormat)
    else { return false }
    do {
      var isBlank = true
      try journal.forEach { (line) throws(OvercrankError) in
        if case .entry(let entry) = line, entry.start != nil { return }
        if line != .blank { isBlank = false }
      }
      guard isBlank else { return false }
      var search = PartSearch(
        file: file, format: format, size: (journal.header.width, journal.header.height))
      let start = try search.start()
      guard start < file.size else { return true }
      let found = try search.frames(in: start..<file.size)
      return found.frames.isEmpty && found.unknown == 0 && found.cutOff == 0
    } catch {
      return false
    }
  }
}
