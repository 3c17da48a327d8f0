import Overcrank
import Platform
public import Retime
public import SystemPackage
import Takes

/// A clip that was wanted of a take, and not made before the studio ended.
public struct UnmadeClip: Hashable, Sendable {
  /// What it is to be made of.
  public var master: FilePath
  /// What it was to be called; `nil` for the usual name of a further clip.
  public var clip: FilePath?
  /// How it was to be made.
  public var spec: ClipSpec

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
  public var unmadeClips: [UnmadeClip] { clips.left.compactMap(UnmadeClip.init) }
}
