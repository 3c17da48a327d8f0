import Media
public import Platform
import Retime
public import SystemPackage
import Takes
public import Timebase

/// A change, already checked, of a file's speed in place and of its entry in its take or group.
///
/// A class, so that several can be checked before the first is made.
public final class InPlaceChange {
  /// A master or a clip that Overcrank made.
  public let path: FilePath
  /// The factor by which its speed changes.
  public let speed: Speed
  /// The speed after the change, such as `1/8`; `nil` if neither the file nor its take or group states it.
  public let speedAfterwards: String?
  private let pace: SourcePace?
  private var retimer: InPlaceRetimer?

  /// Checks that the file at `path` and its take or group can be changed, and locks the file; changes nothing.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - asked: the requested speed relative to real time.
  /// - Throws: `OvercrankError` if the change is not possible.
  public init(_ path: FilePath, at asked: Speed) throws(OvercrankError) {
    try SourceVideo.checkExists(path)
    self.path = path
    // Locked before anything is read, which another change could invalidate.
    let lock = try MovieRetiming.lock(path)
    let speed = try Self.factor(of: path, at: asked)
    self.speed = speed
    retimer = .some(try InPlaceRetimer(path, having: lock, speed: speed))
    let pace = SourcePace(path)?.retimed(speed)
    self.pace = pace
    let listingLock = try Self.lockListing(of: path)
    defer { listingLock?.release() }
    let listing = try Self.listing(of: path, with: pace)
    speedAfterwards =
      pace?.speed.map { Speed($0)?.description ?? "\($0)" }
      ?? listing?.clips.first { $0.file == path.resolvingLinks.name }?.speed
    // Discarded again: another file may have the same take.
    if let listing { _ = try listing.prepared() }
  }

  /// Returns the factor from the file's present speed to the requested one.
  private static func factor(of path: FilePath, at asked: Speed) throws(OvercrankError) -> Speed {
    let video = path.resolvingLinks
    // A file that Overcrank did not make is refused later, with its own reason.
    guard let pace = SourcePace(video) else { return asked }
    guard let present = pace.speed ?? SourceVideo.listedSpeed(of: video)?.speed else {
      throw OvercrankError(
        .unsupported,
        "\(path): plays along a speed curve, or does not state its speed, so a single speed for all of it "
          + "cannot be calculated. Make a new clip of its master.")
    }
    guard let factor = Speed(asked.factor / present) else {
      throw OvercrankError(
        .unsupported,
        "\(path): plays at \(Speed(present)?.description ?? "\(present)"), and cannot be changed by that "
          + "much at once. Change it in two steps.")
    }
    return factor
  }

  /// Changes the file, and then its entry in its take or group.
  ///
  /// If the program is killed in between, that states the former speed. The next reader of a
  /// take detects that from the file itself: see ``TakeCheck``.
  ///
  /// - Throws: `OvercrankError`; the file is then unchanged, unless only its take or group could not be written.
  public func make() throws(OvercrankError) {
    guard let retimer = retimer.take() else { return }
    let lock = try Self.lockListing(of: path)
    defer { lock?.release() }
    // Written before the file changes, so that after it only the renaming can fail.
    let listing = try Self.listing(of: path, with: pace)
    let file: OutputFile? = if let listing { try listing.prepared() } else { nil }
    try retimer.retime()
    if let file { try file.commit() }
    renewThumbnails()
  }

  /// Renews existing thumbnails for the changed file: they show the same picture.
  private func renewThumbnails() {
    let thumbnails = Thumbnails()
    guard Thumbnails.Size.allCases.contains(where: { thumbnails.path(of: path, $0).exists }) else { return }
    // If this fails, a file manager makes its own.
    _ = try? TakeLibrary(path.folder).entry(at: path)?.writeThumbnails(to: thumbnails)
  }

  /// Locks what lists the file, so that no other program writes it between reading and writing.
  private static func lockListing(of path: FilePath) throws(OvercrankError) -> FileLock? {
    guard let file = VideoListing.file(of: path.resolvingLinks) else { return nil }
    return try FileLock([file], for: .changing, patience: .seconds(5))
  }

  /// Returns what lists the file, with its new pace; `nil` if nothing does. A link counts as its target.
  private static func listing(
    of path: FilePath, with pace: SourcePace?
  ) throws(OvercrankError) -> VideoListing? {
    let video = path.resolvingLinks
    guard let pace, var listing = try VideoListing(of: video), listing.enter(pace, of: video.name) != nil
    else { return nil }
    return listing
  }
}
