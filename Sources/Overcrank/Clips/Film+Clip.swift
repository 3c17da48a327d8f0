import Media
public import Platform
public import Retime
public import SystemPackage

extension Film {
  /// Makes the clip `path` of the film, and enters it in the film's take, where that lies beside both.
  ///
  /// The source cannot be deleted from the first frame until the take names the clip.
  ///
  /// - Parameters:
  ///   - path: the clip's file; its extension chooses the container.
  ///   - spec: what the clip is.
  ///   - early: what was made of it while the film was recorded.
  ///   - whileFilming: whether clips are made while films are recorded, so that the report counts frames made then.
  ///   - replacing: whether a file of that name may be replaced.
  ///   - progress: is told how far it is, a few times a second.
  /// - Returns: what became of the clip, and why the take does not name it; `nil` where it does, or there is none.
  /// - Throws: `OvercrankError`; there is no clip then, and what was there before still is.
  public func makeClip(
    to path: FilePath, spec: ClipSpec, from early: EarlyClip? = nil, whileFilming: Bool = false,
    replacing: Bool = false, progress: @escaping @Sendable (ClipProgress) -> Void = { _ in }
  ) async throws(OvercrankError) -> (report: ClipReport, unentered: OvercrankError?) {
    let lock = try locked()
    defer { lock.release() }
    var report = try await ClipMaker.make(
      source, to: path, spec: spec, from: early, replacing: replacing, progress: progress)
    if whileFilming { report.madeWhileFilming = report.madeWhileFilming ?? 0 }
    do throws(OvercrankError) {
      try enter(report.clip(named: path, spec: spec), at: path)
      return (report, nil)
    } catch {
      return (report, error)
    }
  }
}
