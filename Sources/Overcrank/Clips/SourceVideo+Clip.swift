public import Platform
public import Retime
public import SystemPackage
import Takes

extension SourceVideo {
  /// Makes the clip `path` of the source, and adds it to the take, or to the file of the group, if that is in the same
  /// folder.
  ///
  /// The source cannot be deleted from the first frame until the clip is added.
  ///
  /// - Parameters:
  ///   - path: the clip's file; its extension chooses the container.
  ///   - spec: the description of the clip.
  ///   - early: the segments rendered during the recording.
  ///   - whileRecording: whether clips are rendered during recordings, so that the report counts frames
  ///     rendered then.
  ///   - replacing: whether an existing file may be replaced.
  ///   - progress: called with the progress after each frame.
  /// - Returns: a report on the clip, and the error that kept it out of the take or the group; `nil` if it is there, or
  ///   there is none.
  /// - Throws: `OvercrankError`; there is then no clip, and an existing file is unchanged.
  public func makeClip(
    to path: FilePath, spec: ClipSpec, from early: EarlyClip? = nil, whileRecording: Bool = false,
    replacing: Bool = false, progress: @escaping @Sendable (ClipProgress) -> Void = { _ in }
  ) async throws(OvercrankError) -> (report: ClipReport, unentered: OvercrankError?) {
    try checkDoesNotRead(path)
    let lock = try locked()
    defer { lock.release() }
    var report = try await ClipMaker.make(
      source, to: path, spec: spec, from: early, replacing: replacing, progress: progress)
    if whileRecording { report.madeWhileRecording = report.madeWhileRecording ?? 0 }
    do throws(OvercrankError) {
      try enter(report.clip(named: path, spec: spec), at: path)
      return (report, nil)
    } catch {
      return (report, error)
    }
  }

  /// Refuses to replace the file at `path` if facts or pictures of this source are read from it: its take, a phone's
  /// sidecar, a numbered image, or the file of its group, whatever links lead there.
  ///
  /// - Throws: `OvercrankError` with `cannotCreate`.
  package func checkDoesNotRead(_ path: FilePath) throws(OvercrankError) {
    guard path.exists else { return }
    let images = isImages ? (try? ImageSequence(self.path))?.paths ?? [] : []
    let statements = source.files.flatMap { file in
      // The take of a clip may have another name.
      [TakeFiles.take(of: file)] + [TakeLibrary(file.folder).entry(at: file)?.path].compactMap(\.self)
        + SlowMotionTags.sidecars(of: file)
    }
    let group = source.files.contains(name) ? [] : [name]
    try FileLock.check(path, isNoneOf: statements + images + group)
  }
}
