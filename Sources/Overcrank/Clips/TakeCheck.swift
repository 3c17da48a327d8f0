public import Platform
import Media
import Retime
public import SystemPackage
public import Takes

/// What a take says of how fast its files play, held against the files.
///
/// A change in place that was cut off leaves a film at its new speed, and a take that tells the former.
public struct TakeCheck: Sendable {
  /// The take.
  public let path: FilePath
  /// The files that play otherwise than it says, and how they do, such as `1/8`.
  public let stale: [(name: String, speed: String)]
  private let name: String?
  private let mended: Take

  /// Looks at the take at `path`; `nil` where what it says is true.
  ///
  /// - Parameters:
  ///   - take: what it says.
  ///   - path: where it lies.
  ///   - name: the file beside the take that is looked at; `nil` for all.
  public init?(_ take: Take, at path: FilePath, of name: String? = nil) {
    var mended = take
    var stale: [(name: String, speed: String)] = []
    for file in [take.master].compactMap(\.self) + take.clips.map(\.file) where name ?? file == file {
      guard let pace = FilmPace(path.beside(file)), mended.enter(pace, of: file) == true else { continue }
      let clip = mended.clips.first { $0.file == file }
      stale.append((file, clip?.speed ?? mended.masterSpeed ?? "1"))
    }
    guard !stale.isEmpty else { return nil }
    self.path = path
    self.name = name
    self.stale = stale
    self.mended = mended
  }

  /// The same of the take beside the film at `path`; `nil` where there is none, too.
  ///
  /// - Throws: `OvercrankError` where the take cannot be read.
  public init?(ofFilm path: FilePath) throws(OvercrankError) {
    let takePath = TakeFiles.take(of: path)
    guard let take = try Take.read(from: takePath) else { return nil }
    self.init(take, at: takePath)
  }

  /// Has the take say what is.
  ///
  /// - Throws: `OvercrankError`; the take is as it was then.
  public func mend() throws(OvercrankError) {
    let lock = try Take.lock(path)
    defer { lock.release() }
    // As it is on the disk now: it may have got a label or a clip since.
    guard let take = try Take.read(from: path), let present = TakeCheck(take, at: path, of: name) else {
      return
    }
    try present.mended.write(to: path, having: lock)
  }
}
