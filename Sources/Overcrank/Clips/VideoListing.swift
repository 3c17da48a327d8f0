import Platform
import Retime
import SystemPackage
import Takes

/// The content of the file that lists a video and states its speed: that of its take, or of the group whose cameras it
/// shows together.
enum VideoListing {
  case take(Take, FilePath)
  case group(TakeGroup, FilePath)

  /// Returns the file beside `video` that lists it, a take before a group; `nil` if there is none.
  static func file(of video: FilePath) -> FilePath? {
    let library = TakeLibrary(video.folder)
    if let take = library.entry(at: video)?.path, TakeFiles.isTake(take.name) { return take }
    return library.group(listing: video)?.path
  }

  /// Reads what lists `video`; `nil` if nothing does.
  ///
  /// - Throws: `OvercrankError` if it cannot be read.
  init?(of video: FilePath) throws(OvercrankError) {
    guard let file = Self.file(of: video) else { return nil }
    if GroupVideo.isNamed(by: file) {
      self = .group(try TakeGroup.read(from: file), file)
    } else {
      guard let take = try Take.read(from: file) else { return nil }
      self = .take(take, file)
    }
  }

  /// The clips that it lists.
  var clips: [Take.Clip] {
    switch self {
    case .take(let take, _): take.clips
    case .group(let group, _): group.clips
    }
  }

  /// Stores the speed at which the file `name` plays.
  ///
  /// - Returns: whether that was another one; `nil` if it does not list the file.
  mutating func enter(_ pace: SourcePace, of name: String) -> Bool? {
    switch self {
    case .take(var take, let path):
      defer { self = .take(take, path) }
      return take.enter(pace, of: name)
    case .group(var group, let path):
      defer { self = .group(group, path) }
      return group.clips.enter(pace, of: name)
    }
  }

  /// Returns its file with this content, still unnamed; the caller has locked the file that it replaces.
  func prepared() throws(OvercrankError) -> OutputFile {
    switch self {
    case .take(let take, let path): try take.prepared(for: path, replacing: true, canBeMadeAgain: true)
    case .group(let group, let path): try group.prepared(for: path)
    }
  }
}
