import Capture
import Foundation
import Retime
import SystemPackage
import Takes

/// A take whose master is whole, on its way to a clip.
struct FinishedTake: Sendable {
  /// Counted from 1.
  let number: Int
  let files: TakeFiles
  let recording: Recording
  /// What its `*.take.json` says.
  var record: Take
  var report: ClipReport?

  /// What there is of it, for people.
  var summary: String { record.summary(files, clip: report) }

  /// A line for people while others are filmed.
  var remark: String {
    "Take \(number): " + (recording.preRollWarning.map { "\(record.counts) \($0)" } ?? record.counts)
  }
}

/// The way from a take to its clip.
struct Developing {
  var options: ClipOptions
  var isCopy: Bool
  var take: TakeOptions
  var output: OutputOptions

  /// Makes the clip and enters it into the take.
  func makeClip(_ finished: inout FinishedTake, _ interruption: Interruption) async throws {
    let line = ClipProgressLine(isShown: !output.quiet)
    defer { line.clear() }
    let files = finished.files
    let source = ClipSource(FilePath(files.master), take: finished.record)
    let work = Task {
      try await ClipMaker.make(
        source, to: files.clip, options: options, copy: isCopy,
        replacing: take.force, progress: { line.draw($0) })
    }
    interruption.set { work.cancel() }
    let report = try await work.value
    finished.record.clips = [report.clip(named: files.clip, options: options)]
    if take.discardMaster {
      try FileManager.default.removeItem(atPath: files.master)
      finished.record.master = nil
    }
    try finished.record.write(to: files.take, replacing: true)
    finished.report = report
  }
}
