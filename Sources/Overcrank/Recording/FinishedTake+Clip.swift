import FoundationEssentials
import Media
import Platform
import Retime
import SystemPackage
import Takes

extension FinishedTake {
  /// Makes the clip, from what was made of it while it was recorded, and enters it into the take.
  ///
  /// - Parameters:
  ///   - spec: how it is made.
  ///   - request: what else becomes of its take.
  ///   - early: what was made of it already.
  ///   - sensor: what is known of the sensor; `nil` where nothing is.
  ///   - progress: is told how far it is.
  mutating func makeClip(
    _ spec: ClipSpec, as request: RecordRequest, from early: EarlyClip?, sensor: SensorFacts?,
    progress: @escaping @Sendable (ClipProgress) -> Void
  ) async throws(OvercrankError) {
    let made = try await Film(self, sensor: sensor).makeClip(
      to: files.clip, spec: spec, from: early, whileFilming: request.makesClipsWhileFilming,
      replacing: request.replacesFiles, progress: progress)
    clip = made.report
    if let unentered = made.unentered { throw unentered }
    lock?.release()
    if request.discardsMasters {
      try TakeLibrary(files.take.folder).entry(at: files.take)?.remove(keeping: .clips, of: identity)
    }
    // Others may have changed it since it was recorded.
    take = try Take.read(from: files.take) ?? take
  }
}

extension FinishedTake {
  /// Has the take show in file managers, and go where it is exported to.
  mutating func settle(_ request: RecordRequest) {
    guard request.makesThumbnails || request.export != nil,
      let entry = TakeLibrary(files.take.folder).entry(at: files.take)
    else { return }
    // A file manager without them makes its own, or shows none.
    if request.makesThumbnails { _ = try? entry.writeThumbnails() }
    export = request.export?.run([entry], isStopped: { Task.isCancelled }).first
  }
}
