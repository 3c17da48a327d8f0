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
  ) async throws {
    let master = try lockedMaster()
    defer { master.release() }
    var source = ClipSource(files.master, take: take)
    source.sensor = sensor
    var report = try await ClipMaker.make(
      source, to: files.clip, spec: spec, from: early, replacing: request.replacesFiles,
      progress: progress)
    if request.makesClipsWhileFilming { report.madeWhileFilming = report.madeWhileFilming ?? 0 }
    let lock = try Take.lock(files.take)
    defer { lock.release() }
    try checkMaster()
    // It may have got another label since, or further clips.
    let present = try? TakeDescription(files.take)
    take.label = present.map(\.label) ?? take.label
    take.clips = present?.clips ?? []
    take.enter(report.clip(named: files.clip, spec: spec))
    clip = report
    // The clip and its name are on the disk by now, and so is what the take says of it before the master goes.
    take.master = request.discardsMasters ? nil : take.master
    try take.write(to: files.take, having: lock)
    guard request.discardsMasters else { return }
    master.release()
    do throws(OvercrankError) {
      try LibraryEntry.removing([files.master]) { file throws(OvercrankError) in
        guard identity == nil || FileIdentity(file) == identity else { return }
        try file.removeFile()
      }
    } catch {
      take.master = files.master.name
      try take.write(to: files.take, having: lock)
      throw error
    }
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
