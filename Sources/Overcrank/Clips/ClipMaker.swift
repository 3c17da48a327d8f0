public import Media
public import Platform
public import Retime
public import SystemPackage
import Takes

/// Makes clips of masters and other films.
public enum ClipMaker {
  /// Makes the clip `path` of `source`.
  ///
  /// - Parameters:
  ///   - source: the master or other film.
  ///   - path: the clip's file; its extension chooses the container.
  ///   - spec: how the clip is made.
  ///   - early: what was made of it while it was recorded.
  ///   - replacing: whether a file of that name may be replaced.
  ///   - progress: is told how far it is, a few times a second.
  /// - Throws: `OvercrankError`; there is no clip then, and what was there before still is.
  public static func make(
    _ source: ClipSource, to path: FilePath, spec: ClipSpec, from early: EarlyClip? = nil,
    replacing: Bool = false,
    progress: @escaping @Sendable (ClipProgress) -> Void = { _ in }
  ) async throws(OvercrankError) -> ClipReport {
    let container = Container(ofClip: path)
    try spec.check(for: path, of: try Demuxer(source.path).track.codec)
    guard !source.path.isSameFile(as: path) else {
      throw OvercrankError(
        .cannotCreate, "\(path): is the film itself. Choose another name for the clip.")
    }
    try checkIsNoMaster(path)
    // Whoever deletes takes meanwhile leaves it there.
    let lock = try source.locked()
    defer { lock.release() }
    switch spec.making {
    case .render(let render):
      let renderer = ClipRenderer(source, spec: render, of: spec.part)
      if let early {
        do throws(OvercrankError) {
          return try await renderer.render(
            to: output(path, replacing), container: container, early: early, progress: progress)
        } catch {
          // What was made early takes room on the disk, which may be just what is missing.
          guard error.code == .inputOutput else { throw error }
          early.drop()
        }
      }
      return try await renderer.render(
        to: output(path, replacing), container: container, progress: progress)
    case .copy(let copy):
      let copier = CopyRetimer(
        source.path, speed: copy.speed, span: spec.part, capturedAt: source.capturedAt,
        turn: copy.turn ?? source.turn ?? .none, pace: source.pace, captureRate: source.captureRate)
      return try await copier.copy(to: output(path, replacing), container: container, progress: progress)
    }
  }
}

extension ClipMaker {
  /// Writes a clip of `source` into a pipe as Y4M, its pictures as they are, while it is made.
  ///
  /// - Parameters:
  ///   - source: the master or other film.
  ///   - pipe: where it goes.
  ///   - render: how the clip is made; codec and audio are the pipe's: there is none.
  ///   - part: the part of the source that it shows.
  ///   - progress: is told how far it is, a few times a second.
  /// - Throws: `OvercrankError`; `readerLeft` where whoever read the pipe has left. Nothing tells them that what they have
  ///   is not whole, but that the pipe ends.
  public static func make(
    _ source: ClipSource, to pipe: OutputPipe, render: RenderSpec, of part: ClipSpan,
    progress: @escaping @Sendable (ClipProgress) -> Void = { _ in }
  ) async throws(OvercrankError) -> ClipReport {
    let lock = try source.locked()
    defer { lock.release() }
    var render = render
    render.codec = .raw
    render.audio = .drop
    return try await ClipRenderer(source, spec: render, of: part)
      .render(to: .pipe(pipe), container: .y4m, progress: progress)
  }
}

extension ClipSource {
  /// Has the film stay as it is: no program of this kind removes it, or changes it in place.
  ///
  /// - Throws: `OvercrankError` with `busy` where one does so just now.
  fileprivate func locked() throws(OvercrankError) -> FileLock {
    return try FileLock([path], for: .reading)
  }
}

/// Refuses to put a clip in the place of a master, whose frames are nowhere else.
private func checkIsNoMaster(_ path: FilePath) throws(OvercrankError) {
  guard let take = TakeFiles.take(besideMaster: path), path.isThere,
    let owner = try? TakeDescription(take), owner.master == path.lastComponent?.string
  else { return }
  throw OvercrankError(
    .cannotCreate,
    "\(path): is the master of \(take.name), whose frames are nowhere else. Choose another name for the clip."
  )
}

/// The file of a clip.
private func output(_ path: FilePath, _ isReplacing: Bool) throws(OvercrankError) -> OutputFile {
  return try OutputFile(path, replacing: isReplacing)
}

extension FilePath {
  /// Whether both names are of one file or folder, by whatever way they get there.
  package func isSameFile(as other: FilePath) -> Bool {
    guard let one = try? Stat(self), let other = try? Stat(other) else { return false }
    return (one.deviceID, one.inode) == (other.deviceID, other.inode)
  }
}

extension Container {
  /// The container of a copy of frames of `codec` that was given no name: MP4, else the first that holds them.
  static func forCopy(of codec: VideoCodec) -> Container {
    [.mp4, .mov, .mkv].first { $0.canHold(codec) } ?? .nut
  }

  /// Refuses a copy of frames of `codec` in the file `path`, which would have to be coded for it.
  func checkHolds(_ codec: VideoCodec, in path: FilePath) throws(OvercrankError) {
    guard !canHold(codec) else { return }
    let other = Container.forCopy(of: codec)
    let remedy =
      other.canHold(codec)
      ? "Let its name end in .\(other.fileExtension), or encode the clip."
      : "No container here can, so encode the clip."
    throw OvercrankError(
      .unsupported, "\(path): \(self) cannot hold frames of \(codec) as they are. \(remedy)", remedy: .encode)
  }

  /// The container that a clip's name asks for.
  public init(ofClip path: FilePath) {
    self = path.extension.flatMap(Container.init(fileExtension:)) ?? .mp4
  }
}
