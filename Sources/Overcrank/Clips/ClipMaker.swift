public import Media
public import Platform
public import Retime
public import SystemPackage
import Takes

/// Makes clips of masters and other sources.
public enum ClipMaker {
  /// Makes the clip `path` of `source`.
  ///
  /// - Parameters:
  ///   - source: the master or other source.
  ///   - path: the clip's file; its extension chooses the container.
  ///   - spec: the description of the clip.
  ///   - early: the segments rendered during the recording.
  ///   - replacing: whether an existing file may be replaced.
  ///   - progress: called with the progress after each frame.
  /// - Throws: `OvercrankError`; there is then no clip, and an existing file is unchanged.
  public static func make(
    _ source: ClipSource, to path: FilePath, spec: ClipSpec, from early: EarlyClip? = nil,
    replacing: Bool = false,
    progress: @escaping @Sendable (ClipProgress) -> Void = { _ in }
  ) async throws(OvercrankError) -> ClipReport {
    let container = Container(ofClip: path)
    try spec.check(for: path, of: try Demuxer(source.path).track.codec)
    guard !source.files.contains(where: { $0.isSameFile(as: path) }) else {
      throw OvercrankError(
        .cannotCreate, "\(path): is the source itself. Choose another name for the clip.")
    }
    try checkIsNoMaster(path)
    // A program that deletes takes leaves a locked source alone.
    let lock = try source.locked()
    defer { lock.release() }
    switch spec.making {
    case .render(let render):
      let renderer = ClipRenderer(source, spec: render, of: spec.part)
      do throws(OvercrankError) {
        return try await first(renderer, to: path, container, from: early, replacing, progress)
      } catch {
        guard case .shrink(let size, let frames)? = error.remedy else { throw error }
        return try await renderer.reduced(from: size, frames: frames, in: container) {
          renderer throws(OvercrankError) in
          try await renderer.render(to: output(path, replacing), container: container, progress: progress)
        }
      }
    case .copy(let copy):
      let copier = CopyRetimer(
        source.path, speed: copy.speed, span: spec.part, capturedAt: source.capturedAt,
        turn: copy.turn ?? source.turn ?? .none, pace: source.pace, captureRate: source.captureRate,
        listedFrames: source.timing?.count)
      return try await copier.copy(to: output(path, replacing), container: container, progress: progress)
    }
  }

  /// Makes a clip, with the segments rendered during the recording if possible.
  private static func first(
    _ renderer: ClipRenderer, to path: FilePath, _ container: Container, from early: EarlyClip?,
    _ replacing: Bool, _ progress: @escaping @Sendable (ClipProgress) -> Void
  ) async throws(OvercrankError) -> ClipReport {
    if let early {
      do throws(OvercrankError) {
        return try await renderer.render(
          to: output(path, replacing), container: container, early: early, progress: progress)
      } catch {
        // The early segments take up space on the disk, which may be the very cause.
        guard error.code == .inputOutput else { throw error }
        early.drop()
      }
    }
    return try await renderer.render(
      to: output(path, replacing), container: container, progress: progress)
  }
}

extension ClipMaker {
  /// Writes a clip of `source` to a pipe as Y4M, with uncompressed pictures, while it is made.
  ///
  /// - Parameters:
  ///   - source: the master or other source.
  ///   - pipe: the destination.
  ///   - render: the settings of the clip; codec and audio are ignored, as a Y4M stream is raw video alone.
  ///   - part: the part of the source to show.
  ///   - progress: called with the progress after each frame.
  /// - Throws: `OvercrankError`; `readerLeft` if the reader closed the pipe. After an error, the reader sees
  ///   only that the pipe ends.
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
  /// Locks the source and its companions: no other Overcrank process removes them or changes them in
  /// place.
  ///
  /// - Throws: `OvercrankError` with `busy` if another process is doing so.
  fileprivate func locked() throws(OvercrankError) -> FileLock {
    return try FileLock(files, for: .reading)
  }
}

/// Refuses to replace a master with a clip, because its frames exist nowhere else.
private func checkIsNoMaster(_ path: FilePath) throws(OvercrankError) {
  guard let take = TakeFiles.take(besideMaster: path), path.exists,
    let owner = try? TakeDescription(take), owner.master == path.lastComponent?.string
  else { return }
  throw OvercrankError(
    .cannotCreate,
    "\(path): is the master of \(take.name), whose frames exist nowhere else. Choose another name for the "
      + "clip.")
}

/// Opens the file of a clip.
private func output(_ path: FilePath, _ isReplacing: Bool) throws(OvercrankError) -> OutputFile {
  return try OutputFile(path, replacing: isReplacing)
}

extension FilePath {
  /// Returns whether both paths lead to the same file or folder.
  package func isSameFile(as other: FilePath) -> Bool {
    guard let one = try? Stat(self), let other = try? Stat(other) else { return false }
    return (one.deviceID, one.inode) == (other.deviceID, other.inode)
  }
}

extension Container {
  /// Returns the default container for a copy of frames of `codec`: MP4, or else the first that can hold
  /// them.
  static func forCopy(of codec: VideoCodec) -> Container {
    [.mp4, .mov, .mkv].first { $0.canHold(codec) } ?? .nut
  }

  /// Refuses to copy frames of `codec` to the file `path` if its container would need them encoded.
  func checkHolds(_ codec: VideoCodec, in path: FilePath) throws(OvercrankError) {
    guard !canHold(codec) else { return }
    let other = Container.forCopy(of: codec)
    let remedy =
      other.canHold(codec)
      ? "Choose a name that ends in .\(other.fileExtension), or encode the clip."
      : "No container available here can, so encode the clip."
    throw OvercrankError(
      .unsupported, "\(path): \(self) cannot hold frames of \(codec) as they are. \(remedy)", remedy: .encode)
  }

  /// Creates the container that a clip's file name chooses; MP4 by default.
  public init(ofClip path: FilePath) {
    self = path.extension.flatMap(Container.init(fileExtension:)) ?? .mp4
  }
}
