import Media
public import Platform
public import SystemPackage
import Timebase

/// What lies in a folder of takes: a take, or what is left of one.
public struct LibraryEntry: Hashable, Sendable {
  /// What it is.
  public enum Kind: Hashable, Sendable {
    /// A take that can be read.
    case take(TakeDescription)
    /// A take that a newer version of Overcrank wrote, and that this one cannot read.
    case newerTake(version: String)
    /// A take file that is damaged or no take, and why.
    case damagedTake(reason: String)
    /// A take file that cannot be read, and why: this user may not, or the disk fails.
    case unreadableTake(OvercrankError)
    /// A master without a take.
    case takelessMaster
    /// The part of a recording that was cut off, or that goes on just now.
    case part
  }

  /// What is wrong with it.
  public enum Problem: Hashable, Sendable {
    /// The master that it names is not there.
    case masterMissing(String)
    /// A clip that it names is not there.
    case clipMissing(String)
    /// Other takes name the same master or clip.
    case shared(String, with: [FilePath])
    /// It names a film more than once, or as its clip and its master.
    case repeated(String)
    /// It names a file that is not beside it, or no film, which is not heeded.
    case outside(String)
    /// A newer version wrote it, which may have noted more than this one knows.
    case newer(version: String)
  }

  /// The take file; of what has none, the master or its part.
  public let path: FilePath
  /// What it is.
  public let kind: Kind
  /// The master, where there is one.
  public internal(set) var master: FilePath?
  /// The clips that are there.
  public internal(set) var clips: [FilePath] = []
  /// What is wrong with it; empty where nothing is.
  public internal(set) var problems: [Problem] = []
  /// Bytes of all its files together.
  public internal(set) var bytes: Int64 = 0
  /// When it began, in UTC as ISO 8601; of what has no take, when its file changed last.
  public internal(set) var date: String

  /// What its take says; `nil` where that cannot be read.
  public var description: TakeDescription? { if case .take(let take) = kind { take } else { nil } }

  /// All its files that are there, the take file last.
  public var files: [FilePath] { clips + [master].compactMap(\.self).filter { $0 != path } + [path] }

  /// Its name: that of its take file or master, without what they end in.
  public var name: String {
    let name = path.name
    if name.hasSuffix(TakeFiles.takeSuffix) { return String(name.dropLast(TakeFiles.takeSuffix.count)) }
    let stem = (kind == .part ? path.withoutExtension : path).withoutExtension
    return stem.extension == "master" ? stem.stem ?? "" : stem.name
  }
}

extension LibraryEntry.Problem: CustomStringConvertible {
  /// The problem in a few words.
  public var description: String {
    switch self {
    case .masterMissing(let name): "its master \(name) is not there"
    case .clipMissing(let name): "its clip \(name) is not there"
    case .shared(let name, let others):
      "\(name) is named by \(others.map(\.name).joined(separator: ", ")) too"
    case .repeated(let name): "names \"\(name)\" more than once"
    case .outside(let name): "names \"\(name)\", which is no film beside it"
    case .newer(let version): "was written by Overcrank \(version), which is newer than this"
    }
  }
}

extension LibraryEntry {
  /// The take in the file at `path`, or what it is instead.
  ///
  /// - Parameter version: the version of this program.
  init(take path: FilePath, version: String) {
    let status = try? Stat(path)
    self.path = path
    bytes = status.map { Int64($0.size) } ?? 0
    let kind = Self.kind(of: path, version: version)
    self.kind = kind
    guard case .take(let take) = kind else {
      date = status?.isoDate ?? ""
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
    do throws(OvercrankError) { return .take(try TakeDescription(path)) } catch {
      guard error.code == .badData else { return .unreadableTake(error) }
      guard let head = try? Take.descriptionBytes(in: path), let writer = WritingVersion(head),
        SemanticVersion(writer.overcrank) > SemanticVersion(version)
      else { return .damagedTake(reason: error.description) }
      return .newerTake(version: writer.overcrank)
    }
  }

  /// The master that is called as that of the take at `path`.
  private static func master(beside path: FilePath) -> FilePath? {
    let name = path.name.dropLast(TakeFiles.takeSuffix.count)
    return Container.allCases.map { path.beside("\(name).master.\($0.fileExtension)") }.first(
      where: \.isThere)
  }

  /// A master, or the part of one, without a take.
  init(_ kind: Kind, of path: FilePath) {
    let status = try? Stat(path)
    self.path = path
    self.kind = kind
    master = kind == .takelessMaster ? path : nil
    bytes = status.map { Int64($0.size) } ?? 0
    date = status?.isoDate ?? ""
  }

  private mutating func enterFiles(of take: TakeDescription) {
    if let name = take.master {
      if let size = enter(name, missing: .masterMissing(name)) {
        master = size.path
        bytes = bytes.adding(clamping: size.bytes)
      }
    }
    // By their bytes: names that read the same may be of two files.
    var names: Set<[UInt8]> = Set([take.master].compactMap(\.self).map { Array($0.utf8) })
    for clip in take.clips {
      guard names.insert(Array(clip.file.utf8)).inserted else {
        if !problems.contains(.repeated(clip.file)) { problems.append(.repeated(clip.file)) }
        continue
      }
      let missing: Problem? = clip.isMoved == true ? nil : .clipMissing(clip.file)
      guard let size = enter(clip.file, missing: missing) else { continue }
      clips.append(size.path)
      bytes = bytes.adding(clamping: size.bytes)
    }
  }

  private mutating func enter(_ name: String, missing: Problem?) -> (path: FilePath, bytes: Int64)? {
    // What a take names can be deleted and moved with it: films alone.
    guard let file = path.file(named: name), file.extension.flatMap(Container.init(fileExtension:)) != nil
    else {
      problems.append(.outside(name))
      return nil
    }
    guard let status = try? Stat(file), status.type == .regular else {
      if let missing { problems.append(missing) }
      return nil
    }
    // A take that cannot be read may name its master too.
    if let owner = TakeFiles.take(besideMaster: file), owner != path, owner.isThere,
      (try? TakeDescription(owner)) == nil
    {
      problems.append(.shared(name, with: [owner]))
    }
    return (file, Int64(status.size))
  }
}
