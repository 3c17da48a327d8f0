package import Overcrank

/// A requested clip that was not made before the studio ended.
package struct PendingClip: Hashable, Sendable {
  /// The master to make it from, or the group's file.
  package var master: FilePath
  /// The path for the clip; `nil` for the default name of a further clip.
  package var clip: FilePath?
  /// The clip's spec.
  package var spec: ClipSpec

  init?(_ job: ClipQueue.Job) {
    if GroupVideo.isNamed(by: job.take) {
      master = job.take
    } else {
      guard let master = TakeLibrary(job.take.folder).entry(at: job.take)?.master else { return nil }
      self.master = master
    }
    clip = job.clip
    spec = job.spec
  }
}

extension Studio {
  /// The requested clips that were not made: those that were waiting when the studio ended, and those of
  /// takes that its end completed. Their masters are complete.
  package nonisolated var pendingClips: [PendingClip] { clips.left.compactMap(PendingClip.init) }
}
