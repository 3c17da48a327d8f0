public import Media
import Platform
public import SystemPackage

/// A photo in a folder of takes: a still, a burst, a Motion Photo or a Live Photo.
public struct LibraryPhoto: Hashable, Sendable {
  /// A kind of photo.
  public enum Kind: Hashable, Sendable {
    /// A single picture.
    case still
    /// The frames in a row of one burst, each in a file of its own.
    case burst
    /// A picture and a video in one file.
    case motionPhoto
    /// A picture and a video in two files.
    case livePhoto
  }

  /// The file of the picture; of a burst, the first that exists.
  public let path: FilePath
  /// The kind of photo.
  public let kind: Kind
  /// The format of its pictures.
  public let format: StillFormat
  /// The tags of the picture at ``path``.
  public let tags: PhotoTags
  /// All its files that exist, ``path`` last.
  public private(set) var files: [FilePath]
  /// The size of all its files in bytes.
  public private(set) var bytes: Int64
  /// Whether the video of a Live Photo has no whole index, so that it cannot be told from another one.
  private var hasDamagedVideo = false

  /// The files of its pictures, in order.
  public var pictures: [FilePath] { kind == .burst ? [path] + files.dropLast() : [path] }

  /// The file of a Live Photo's video; `nil` for other photos, and if it is missing.
  public var video: FilePath? { kind == .livePhoto && files.count > 1 ? files.first : nil }

  /// The problems with its files.
  var problems: [LibraryEntry.Problem] {
    switch kind {
    case .livePhoto:
      if let video {
        hasDamagedVideo ? [.videoDamaged(video.name)] : []
      } else {
        [.videoMissing("\(path.stem ?? path.name).mov")]
      }
    case .burst where files.count != tags.burst?.count:
      [.picturesMissing((tags.burst?.count ?? 0).subtracting(clamping: files.count))]
    default: []
    }
  }

  /// The time of capture, in UTC as ISO 8601 to the second: by its tags, or else its name; empty if unknown.
  public var date: String { tags.moment?.date ?? path.name.stampedDate ?? "" }

  /// Its name, without the suffix and a burst's number.
  public var name: String {
    if let stem = MotionPhotoFile.stem(of: path.name) { return stem }
    return kind == .burst ? path.burstName ?? path.name : path.stem ?? path.name
  }

  /// Reads the photo with the picture at `path`, of a burst this picture alone; `nil` if there is none, or
  /// another program made it.
  ///
  /// - Throws: `OvercrankError` if the file cannot be read.
  init?(_ path: FilePath) throws(OvercrankError) {
    guard let format = path.extension.flatMap(StillFormat.init(fileExtension:)),
      let status = try? Stat(path, followTargetSymlink: false), status.type == .regular
    else { return nil }
    let file = try InputFile(path)
    guard let tags = PhotoTags(of: file, as: format), tags.software?.hasPrefix("Overcrank ") == true else {
      guard !format.isCutOffBeforeTags(file) else {
        throw OvercrankError(
          .badData,
          "\(path): \(file.size == 0 ? "is empty" : "is cut off or damaged"), so the program that made it is unknown. Copy it "
            + "again, or remove it yourself.")
      }
      return nil
    }
    self.path = path
    self.format = format
    self.tags = tags
    (files, bytes) = ([path], file.size)
    if let identifier = tags.contentIdentifier {
      kind = .livePhoto
      guard let place = path.sibling("mov"), !place.isLinkElsewhere else { return }
      let video: InputFile
      do throws(OvercrankError) { video = try InputFile(place) } catch {
        // A video that is there, but cannot be read, must not be left behind when the picture is moved.
        guard ![.noPermission, .inputOutput].contains(error.code) else { throw error }
        return
      }
      // A file of that name may be another video. One that is cut off must stay with the picture.
      let isOwn = LivePhotoVideo.video(video, has: identifier)
      guard isOwn != false else { return }
      hasDamagedVideo = isOwn == nil
      files.insert(video.path, at: 0)
      bytes = bytes.adding(clamping: video.size)
    } else if format == .jpeg, MotionPhotoFile.video(in: file) != nil {
      kind = .motionPhoto
    } else {
      kind = tags.burst != nil && path.burstName != nil ? .burst : .still
    }
  }

  /// Adds the other pictures of its burst.
  private mutating func add(_ pictures: [LibraryPhoto]) {
    files.insert(contentsOf: pictures.map(\.path), at: 0)
    bytes = pictures.reduce(bytes) { $0.adding(clamping: $1.bytes) }
  }

  private struct Burst: Hashable {
    var name: String
    var suffix: String?
    var count: Int?
  }

  /// The burst of a picture; `nil` for other photos.
  private var burst: Burst? {
    kind == .burst
      ? Burst(name: name, suffix: path.extension?.lowercased(), count: tags.burst?.count) : nil
  }
}

extension LibraryPhoto {
  /// Returns the photo that the file at `path` belongs to; `nil` if there is none by this program.
  static func entry(at path: FilePath) -> LibraryEntry? {
    // The video of a Live Photo is found by its picture.
    let isVideo = path.extension?.lowercased() == "mov"
    let picture = isVideo ? path.sibling("jpg", "jpeg") ?? path : path
    guard let found = entries([picture.name], in: path.folder, path).first
    else { return nil }
    guard let name = found.photo?.burst?.name else { return found.files.contains(path) ? found : nil }
    let siblings = ((try? path.folder.entryNames()) ?? []).filter { $0.hasPrefix("\(name)-") }
    return entries(siblings, in: path.folder, path).first { $0.files.contains(path) }
  }

  /// Returns the error for a video of a Live Photo by this program whose picture is missing; `nil` for other files.
  private static func pictureMissing(of path: FilePath) -> OvercrankError? {
    guard path.extension?.lowercased() == "mov", path.withoutExtension.extension != "master",
      path.sibling("jpg", "jpeg") == nil, let video = try? InputFile(path), LivePhotoVideo.isOwn(video)
    else { return nil }
    return OvercrankError(
      .badData,
      "\(path): is the video of a Live Photo whose picture is missing. Put the picture back, or remove the video "
        + "yourself.")
  }

  /// Returns the photos with files of these names.
  ///
  /// - Parameters:
  ///   - names: names of files in the folder.
  ///   - folder: the folder.
  ///   - sibling: a path in the folder whose form theirs have; `nil` for that of `folder`.
  static func entries(
    _ names: [String], in folder: FilePath, _ sibling: FilePath? = nil
  ) -> [LibraryEntry] {
    var entries: [LibraryEntry] = []
    var bursts: [Burst: [LibraryPhoto]] = [:]
    var unreadable: [(path: FilePath, error: OvercrankError)] = []
    for name in names {
      let path = sibling?.beside(name) ?? folder.appending(name)
      do throws(OvercrankError) {
        guard let photo = try LibraryPhoto(path) else { continue }
        if let burst = photo.burst {
          bursts[burst, default: []].append(photo)
        } else {
          entries.append(LibraryEntry(photo))
        }
      } catch {
        // Another program may just have removed it.
        if error.code != .noInput { unreadable.append((path, error)) }
      }
    }
    unreadable += names.compactMap { name in
      let path = sibling?.beside(name) ?? folder.appending(name)
      return pictureMissing(of: path).map { (path, $0) }
    }
    entries += unreadable.map { LibraryEntry(.unreadablePhoto($0.error), of: $0.path) }
    for pictures in bursts.values {
      let sorted = pictures.sorted { ($0.tags.burst?.number ?? 0) < ($1.tags.burst?.number ?? 0) }
      guard var burst = sorted.first else { continue }
      // A burst with a picture that cannot be read is not moved or removed in part.
      let torn = unreadable.first {
        $0.path.burstName == burst.name
          && $0.path.extension?.lowercased() == burst.path.extension?.lowercased()
      }
      if let torn {
        entries.append(LibraryEntry(.unreadablePhoto(torn.error), of: burst.path))
        continue
      }
      burst.add(Array(sorted.dropFirst()))
      entries.append(LibraryEntry(burst))
    }
    return entries
  }
}

extension TakeLibrary {
  /// Returns the bursts called `name` with pictures of this extension; pictures among them that cannot be read are
  /// items of their own.
  package func bursts(named name: String, _ suffix: String) -> [LibraryEntry] {
    let names = ((try? folder.entryNames()) ?? []).filter {
      $0.hasPrefix("\(name)-") && $0.lowercased().hasSuffix(".\(suffix.lowercased())")
    }
    return LibraryPhoto.entries(names, in: folder).filter {
      $0.path.burstName == name && ($0.photo == nil || $0.photo?.kind == .burst)
    }
  }
}

extension FilePath {
  /// The name without the number that a picture of a burst has at its end; `nil` if there is none.
  fileprivate var burstName: String? {
    stem?.wholeMatch(of: /(.*)-\d{3,}/).map { String($0.output.1) }
  }
}
