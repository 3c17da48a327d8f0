import Media
public import Platform
public import SystemPackage
import Timebase

/// An item in a folder of takes: a take, a photo, or the remains of a take.
public struct LibraryEntry: Hashable, Sendable {
  /// A kind of entry.
  public enum Kind: Hashable, Sendable {
    /// A readable take.
    case take(TakeDescription)
    /// A take that a newer version of Overcrank wrote, and that this one cannot read.
    case newerTake(version: String)
    /// A take file that is damaged or not a take, with the reason.
    case damagedTake(reason: String)
    /// A take file that cannot be read, with the reason: missing permission, or a disk error.
    case unreadableTake(OvercrankError)
    /// A master without a take.
    case takelessMaster
    /// The part of a recording that was cut off, or that is still going on.
    case part
    /// A photo by this program.
    case photo(LibraryPhoto)
    /// A picture that cannot be read, so that its maker is unknown, with the reason.
    case unreadablePhoto(OvercrankError)
    /// The part of the picture of a photo that was cut off while it was made, or is still being made, with its other
    /// files.
    case unfinishedPhoto([FilePath])
    /// The part of a take file or group file that was cut off while it was written, or is still being written.
    case unfinishedFile
    /// A group file that cannot be read as a group, with the reason.
    case damagedGroup(OvercrankError)
  }

  /// A problem with an entry.
  public enum Problem: Hashable, Sendable {
    /// The master that it names is missing.
    case masterMissing(String)
    /// A clip that it names is missing.
    case clipMissing(String)
    /// A clip was cut off while it was made; its part is left.
    case clipUnfinished(String)
    /// Its recovery left the part, which may hold more than the master.
    case partLeft(String)
    /// Other takes name the same master or clip.
    case shared(String, with: [FilePath])
    /// It names a video more than once, or as both its clip and its master.
    case repeated(String)
    /// It names a file that is not beside it, not a video, or a link to another folder; the name is ignored.
    case outside(String)
    /// A newer version wrote it, which may have recorded more than this one knows.
    case newer(version: String)
    /// The video of a Live Photo is missing.
    case videoMissing(String)
    /// The video of a Live Photo is cut off or damaged.
    case videoDamaged(String)
    /// A number of a burst's pictures are missing.
    case picturesMissing(Int)
  }

  /// The take file; without one, the master or its part; or a photo's file.
  public let path: FilePath
  /// The kind of entry.
  public let kind: Kind
  /// The master, if it exists.
  public internal(set) var master: FilePath?
  /// The part that its recovery left; `nil` if there is none.
  public private(set) var recoveredPart: FilePath?
  /// The clips that exist.
  public internal(set) var clips: [FilePath] = []
  /// The problems with it; empty if there are none.
  public internal(set) var problems: [Problem] = []
  /// The size of all its files in bytes.
  public internal(set) var bytes: Int64 = 0
  /// The time at which it was captured, in UTC as ISO 8601; for remains that do not have it, the time of their
  /// file's last change; empty if unknown.
  public internal(set) var date: String

  /// The description in its take; `nil` if that cannot be read.
  public var description: TakeDescription? { if case .take(let take) = kind { take } else { nil } }

  /// The photo; `nil` if it is not one.
  public var photo: LibraryPhoto? { if case .photo(let photo) = kind { photo } else { nil } }

  /// The label from the user; `nil` if it has none.
  public var label: String? { description?.label ?? photo?.tags.label }

  /// All its files that exist, the take file or a photo's picture last.
  public var files: [FilePath] {
    if case .unfinishedPhoto(let others) = kind { return others + [path] }
    return photo?.files ?? clips + [master].compactMap(\.self).filter { $0 != path } + [path]
  }

  /// The part that its recovery left, and the journal of that, if they exist.
  package var partFiles: [FilePath] {
    guard let part = recoveredPart else { return [] }
    return [part, part.beside(part.name + ".journal")].filter(\.exists)
  }

  /// Its name: that of its take file, master or photo, without the suffix.
  public var name: String {
    if let photo { return photo.name }
    let name = path.name
    if case .damagedGroup = kind { return String(name.dropLast(TakeGroup.suffix.count)) }
    if case .unfinishedPhoto = kind {
      let picture = path.withoutExtension
      return MotionPhotoFile.stem(of: picture.name) ?? picture.stem ?? picture.name
    }
    if kind == .unfinishedFile { return path.withoutExtension.withoutExtension.stem ?? name }
    if TakeFiles.isTake(name) { return String(name.dropLast(TakeFiles.takeSuffix.count)) }
    let stem = (kind == .part ? path.withoutExtension : path).withoutExtension
    return stem.extension == "master" ? stem.stem ?? "" : stem.name
  }
}

extension LibraryEntry.Problem {
  /// Whether it is about the item's own files; other problems leave them intact.
  package var isOfFiles: Bool {
    switch self {
    case .newer, .clipUnfinished, .partLeft: false
    default: true
    }
  }

  /// Whether a file of the item is there, but damaged.
  package var isDamage: Bool { if case .videoDamaged = self { true } else { false } }
}

extension LibraryEntry.Problem: CustomStringConvertible {
  /// The problem in a few words.
  public var description: String {
    switch self {
    case .masterMissing(let name): "its master \(name) is missing"
    case .clipMissing(let name): "its clip \(name) is missing"
    case .clipUnfinished(let name):
      "\(name) is left of a clip that was cut off; the next clip of the take removes it"
    case .partLeft(let name):
      "its recovery left \(name), which may hold more than the master"
    case .shared(let name, let others):
      "\(name) also belongs to \(others.map(\.name).joined(separator: ", "))"
    case .repeated(let name): "names \"\(name)\" more than once"
    case .outside(let name): "names \"\(name)\", which is not a video beside it, or a link to another folder"
    case .newer(let version): "was written by Overcrank \(version), which is newer than this version"
    case .videoMissing(let name): "its video \(name) is missing"
    case .videoDamaged(let name): "its video \(name) is cut off or damaged"
    case .picturesMissing(1): "one of its pictures is missing"
    case .picturesMissing(let count) where count < 1: "it has more pictures than its burst had"
    case .picturesMissing(let count): "\(count) of its pictures are missing"
    }
  }
}

extension LibraryEntry {
  /// Reads the take in the file at `path`; a take that cannot be read becomes an entry of another kind.
  ///
  /// - Parameter version: the version of this program.
  init(take path: FilePath, version: String) {
    let status = try? Stat(path)
    self.path = path
    bytes = status.map { Int64($0.size) } ?? 0
    let kind = Self.kind(of: path, version: version)
    self.kind = kind
    guard case .take(let take) = kind else {
      date = Self.date(ofRemains: path, status)
      master = Self.master(beside: path)
      return
    }
    date = take.startedAt
    if SemanticVersion(take.overcrank) > SemanticVersion(version) {
      problems.append(.newer(version: take.overcrank))
    }
    enterFiles(of: take)
  }

  private static func kind(of path: FilePath, version: String) -> Kind {
    guard !path.isLinkElsewhere else {
      return .unreadableTake(
        OvercrankError(
          .noInput, "\(path): is a link to another folder, which is not followed. Name the take there."))
    }
    guard path.name.hasSuffix(TakeFiles.takeSuffix) else {
      return .unreadableTake(.inCapitals(path, suffix: TakeFiles.takeSuffix, "a take's"))
    }
    do throws(OvercrankError) { return .take(try TakeDescription(path)) } catch {
      guard error.code == .badData else { return .unreadableTake(error) }
      guard let head = try? Take.descriptionBytes(in: path), let writer = WritingVersion(head),
        SemanticVersion(writer.overcrank) > SemanticVersion(version)
      else { return .damagedTake(reason: error.description) }
      return .newerTake(version: writer.overcrank)
    }
  }

  /// Returns the master whose name matches the take at `path`; `nil` if there is none.
  private static func master(beside path: FilePath) -> FilePath? {
    let name = path.name.dropLast(TakeFiles.takeSuffix.count)
    return Container.allCases.map { path.beside("\(name).master.\($0.fileExtension)") }.first(
      where: \.exists)
  }

  /// Creates the entry of a photo.
  init(_ photo: LibraryPhoto) {
    path = photo.path
    kind = .photo(photo)
    (problems, bytes, date) = (photo.problems, photo.bytes, photo.date)
  }

  /// Reads the group file at `path`; returns `nil` if it can be read.
  init?(group path: FilePath) {
    let error: OvercrankError
    if path.name.hasSuffix(TakeGroup.suffix) {
      guard let failure = StoredGroup.failure(path) else { return nil }
      error = failure
    } else {
      error = .inCapitals(path, suffix: TakeGroup.suffix, "a group's")
    }
    self.init(.damagedGroup(error), of: path)
  }

  /// Creates the entry of an unfinished photo.
  ///
  /// - Parameters:
  ///   - path: the part of its picture, or, without one, that of its video.
  ///   - others: its other files.
  init(ofPhoto path: FilePath, _ others: [FilePath]) {
    self.init(.unfinishedPhoto(others), of: path)
    bytes = others.reduce(bytes) { $0.adding(clamping: (try? Stat($1)).map { Int64($0.size) } ?? 0) }
  }

  /// Creates the entry of a master without a take, of a part of one, or of a picture that cannot be read.
  init(_ kind: Kind, of path: FilePath) {
    let status = try? Stat(path)
    self.path = path
    self.kind = kind
    master = kind == .takelessMaster ? path : nil
    bytes = status.map { Int64($0.size) } ?? 0
    date = Self.date(ofRemains: path, status)
  }

  /// Returns the time at which the remains of a take began: by their journal, or their name; otherwise that of
  /// their file's last change.
  private static func date(ofRemains path: FilePath, _ status: Stat?) -> String {
    let master = path.extension == "part" ? path.withoutExtension : path
    let journal = (try? AbandonedPart.journal(of: master)).flatMap { try? Journal($0) }
    return journal?.metadata?.startedAt ?? path.name.stampedDate ?? status?.isoDate ?? ""
  }

  private mutating func enterFiles(of take: TakeDescription) {
    if let name = take.master {
      if let size = enter(name, missing: .masterMissing(name)) {
        master = size.path
        bytes = bytes.adding(clamping: size.bytes)
        if AbandonedPart.isRecovered(size.path) { enterPart(of: size.path) }
      }
    }
    // Compared by bytes: names that look the same may be those of two files.
    var names: Set<[UInt8]> = Set([take.master].compactMap(\.self).map { Array($0.utf8) })
    var repeated: Set<[UInt8]> = []
    for clip in take.clips {
      let name = Array(clip.file.utf8)
      guard names.insert(name).inserted else {
        if repeated.insert(name).inserted { problems.append(.repeated(clip.file)) }
        continue
      }
      let missing: Problem? = clip.isMoved == true ? nil : .clipMissing(clip.file)
      guard let size = enter(clip.file, missing: missing) else { continue }
      clips.append(size.path)
      bytes = bytes.adding(clamping: size.bytes)
    }
  }

  private mutating func enterPart(of master: FilePath) {
    let part = AbandonedPart.place(for: master)
    recoveredPart = part
    problems.append(.partLeft(part.name))
    for file in partFiles { bytes = bytes.adding(clamping: (try? Stat(file)).map { Int64($0.size) } ?? 0) }
  }

  private mutating func enter(_ name: String, missing: Problem?) -> (path: FilePath, bytes: Int64)? {
    // Files that a take names can be deleted and moved with it, so only videos count.
    guard let file = path.file(named: name), file.extension.flatMap(Container.init(fileExtension:)) != nil,
      !file.isLinkElsewhere
    else {
      problems.append(.outside(name))
      return nil
    }
    guard let status = try? Stat(file), status.type == .regular else {
      if let missing { problems.append(missing) }
      return nil
    }
    // A take that cannot be read may also name its master.
    if let owner = TakeFiles.take(besideMaster: file), owner != path, owner.exists,
      (try? TakeDescription(owner)) == nil
    {
      problems.append(.shared(name, with: [owner]))
    }
    return (file, Int64(status.size))
  }
}

extension OvercrankError {
  /// Returns the error for a file whose name in capitals is not found as that of a take or a group.
  fileprivate static func inCapitals(_ path: FilePath, suffix: String, _ whose: String) -> OvercrankError {
    let name = path.name.dropLast(suffix.count) + suffix
    return OvercrankError(
      .noInput,
      "\(path): is not read, because \(whose) name ends in \"\(suffix)\", in small letters. Rename it to \"\(name)\", "
        + "and the files that it names to the names there.")
  }
}
