package import Overcrank

/// A clip that was wanted of a take, and not made before the studio ended.
package struct UnmadeClip: Hashable, Sendable {
  /// What it is to be made of.
  package var master: FilePath
  /// What it was to be called; `nil` for the usual name of a further clip.
  package var clip: FilePath?
  /// How it was to be made.
  package var spec: ClipSpec

  init?(_ job: ClipQueue.Job) {
    guard let master = TakeLibrary(job.take.folder).entry(at: job.take)?.master else { return nil }
    self.master = master
    clip = job.clip
    spec = job.spec
  }
}

extension Studio {
  /// The clips that were wanted and not made: those that waited when the studio ended, and those of takes that its end
  /// completed. Their masters are whole.
  package var unmadeClips: [UnmadeClip] { clips.left.compactMap(UnmadeClip.init) }
}
