public import Cameras
public import Platform
public import SystemPackage
public import Takes

/// The cameras of a group as one source of clips, which show all of them together.
public struct GroupVideo: Sendable {
  /// The cameras' masters. Its clips need a layout: see `RenderSpec.layout`.
  public let video: SourceVideo
  /// The content of the group's file.
  public let group: TakeGroup

  /// Returns whether `path` has the name of a group's file.
  public static func isNamed(by path: FilePath) -> Bool { path.string.hasSuffix(TakeGroup.suffix) }

  /// Opens the masters of the cameras of the group in the file at `path`.
  ///
  /// - Parameters:
  ///   - path: the group's file.
  ///   - profiles: what is known of cameras; evaluated only for raw masters.
  /// - Throws: `OvercrankError`: `noInput` if the file, a take or a master is missing, or leads out of the group's
  ///   folder; `badData` if one of them cannot be read.
  public init(
    _ path: FilePath, profiles: @autoclosure () -> ProfileLibrary = ProfileLibrary()
  ) throws(OvercrankError) {
    let group = try TakeGroup.read(from: path)
    var cameras: [(video: SourceVideo, place: TakeGroup.Camera)] = []
    for camera in group.cameras {
      let take = try TakeGroup.take(of: camera, inGroupAt: path)
      let member = try GroupMember(name: camera.name, path: take)
      guard let master = member.master else {
        throw OvercrankError(
          .noInput,
          "\(take): has no master in its folder, so camera \(camera.name) cannot be shown. Copy the master there, "
            + "or leave the camera out of \(path).")
      }
      try SourceVideo.checkExists(master)
      let video = try SourceVideo(master, profiles: profiles())
      guard video.takePath?.isSameFile(as: take) == true else {
        throw OvercrankError(
          .badData,
          "\(take): its master, \(master), belongs to another take. Correct \(path), or align its takes again."
        )
      }
      cameras.append((video, camera))
    }
    guard let video = SourceVideo(cameras, named: path) else {
      throw OvercrankError(.badData, "\(path): has no cameras.")
    }
    self.video = video
    self.group = group
  }
}
