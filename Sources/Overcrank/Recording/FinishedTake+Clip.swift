import FoundationEssentials
import Platform
import Retime
import SystemPackage
import Takes

extension FinishedTake {
  /// Makes the clip, using the segments rendered during the recording, and adds it to the take.
  ///
  /// - Parameters:
  ///   - spec: the description of the clip.
  ///   - request: the request for the recording.
  ///   - early: the segments rendered already.
  ///   - sensor: what is known of the sensor; `nil` if nothing is.
  ///   - progress: called with the progress.
  mutating func makeClip(
    _ spec: ClipSpec, as request: RecordRequest, from early: EarlyClip?, sensor: SensorFacts?,
    progress: @escaping @Sendable (ClipProgress) -> Void
  ) async throws(OvercrankError) {
    let made = try await SourceVideo(self, sensor: sensor).makeClip(
      to: files.clip, spec: spec, from: early, whileRecording: request.makesClipsWhileRecording,
      replacing: request.replacesFiles, progress: progress)
    clip = made.report
    if let unentered = made.unentered { throw unentered }
    lock?.release()
    if request.discardsMasters {
      try TakeLibrary(files.take.folder).entry(at: files.take)?.remove(keeping: .clips, of: identity)
    }
    // Other programs may have changed the take since it was recorded.
    take = try Take.read(from: files.take) ?? take
  }
}

extension FinishedTake {
  /// Writes the take's thumbnails and exports it, as requested.
  mutating func settle(_ request: RecordRequest) {
    guard request.makesThumbnails || request.export != nil,
      let entry = TakeLibrary(files.take.folder).entry(at: files.take)
    else { return }
    // If this fails, file managers make their own thumbnails, or show none.
    if request.makesThumbnails { _ = try? entry.writeThumbnails() }
    export = request.export?.run([entry], isStopped: { Task.isCancelled }).first
  }
}
