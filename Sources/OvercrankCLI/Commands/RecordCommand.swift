import ArgumentParser
import Cameras
import Capture
import Foundation
import Retime
import SystemPackage
import Timebase

struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Films a take: a master, a slow-motion clip, and what was lost.",
    discussion: """
      Films until Enter or Ctrl-C, or for --duration or --frames. Leaves CLIP.mp4, CLIP.master.mov with the \
      frames as they were captured, and CLIP.take.json, which says how the take was made and what was lost.
      """)

  @OptionGroup var mode: ModeOptions
  @OptionGroup var take: TakeOptions
  @OptionGroup var clip: ClipArguments
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let options = try clip.options(outputRate: FrameRate(whole: 30))
    let profiles = ProfileLibrary(for: output)
    let camera = try Camera(named: mode.camera, profiles: profiles)
    let table = try camera.table(profiles: profiles)
    for warning in table.warnings { output.remark(warning) }
    let choice = mode.choice(from: table)
    let chosen = try choice.winner(of: camera.name)
    guard let format = chosen.pixelFormat.flatMap(MasterFormat.init) else {
      throw Failure(
        "\(camera.name) in \(chosen): frames of this format cannot be written yet. Choose another with --format.",
        exitCode: ExitStatus.unavailable)
    }
    let started = Date()
    let files = TakeFiles(clip: try take.clipPath(at: started, clip), container: format.container)
    if !take.noClip, !clip.copy { try options.check(for: ClipName.container(files.clip), files.clip) }
    try requireNew(files)
    output.remark("Filming \(camera.name) in \(chosen).")

    let interruption = Interruption()
    let stop = StopFlag()
    interruption.set { stop.set() }
    let isOpenEnded = take.limit == RecordingLimit()
    interruption.watchEnter(readsPipe: isOpenEnded)
    if isOpenEnded { output.remark("Enter or Ctrl-C ends the take.") }

    let line = ProgressLine(isShown: !output.quiet)
    let recording = try Recorder.record(
      camera, in: chosen, to: files.master, as: format,
      RecordingRequest(limit: take.limit, replacesFiles: take.force), stop: stop,
      progress: { line.draw($0.line) })
    line.clear()
    output.detail(recording.details)

    var record = Take(
      recording, camera: CameraIdentity(name: camera.name, table: table), mode: chosen,
      asked: mode.fps.map { _ in choice.askedRate }, started: started,
      master: TakeFiles.name(of: files.master), version: Version.current)
    try record.write(to: files.take, replacing: take.force)
    if let failure = recording.restoreFailure { Console.complain(failure.description) }

    var report: ClipReport?
    do {
      if !take.noClip { report = try await makeClip(&record, files, options, interruption) }
    } catch {
      // What was filmed counts for more than the clip: both are told.
      Console.say(record.summary(files, clip: nil))
      if let failure = recording.failure { Console.complain(failure.description) }
      throw error
    }
    if output.json {
      try Console.sayJSON(record)
    } else {
      Console.say(record.summary(files, clip: report))
    }
    if let failure = recording.failure {
      throw Failure(
        "\(failure.description) What was filmed until then is whole.", exitCode: failure.exitCode)
    }
    if take.strict, record.frames.lost.total > 0 { throw ExitCode(ExitStatus.framesLost) }
  }

  /// Makes the clip and enters it into the take.
  private func makeClip(
    _ record: inout Take, _ files: TakeFiles, _ options: ClipOptions, _ interruption: Interruption
  ) async throws -> ClipReport {
    let line = ClipProgressLine(isShown: !output.quiet)
    defer { line.clear() }
    let source = ClipSource(FilePath(files.master), take: record)
    let work = Task {
      try await ClipMaker.make(
        source, to: files.clip, options: options, copy: clip.copy,
        replacing: take.force, progress: { line.draw($0) })
    }
    interruption.set { work.cancel() }
    let report = try await work.value
    record.clips = [report.clip(named: files.clip, options: options)]
    if take.discardMaster {
      try FileManager.default.removeItem(atPath: files.master)
      record.master = nil
    }
    try record.write(to: files.take, replacing: true)
    return report
  }

  /// Refuses to film what could not be saved under its name.
  private func requireNew(_ files: TakeFiles) throws {
    guard !take.force else { return }
    for path in [files.clip, files.master, files.take] where FileManager.default.fileExists(atPath: path) {
      throw Failure(
        "\(path) exists already and is left as it is. Choose another name with -o, or replace it with --force.",
        exitCode: ExitStatus.cannotCreate)
    }
  }
}

extension RecordingProgress {
  /// One line for a terminal.
  fileprivate var line: String {
    let megabytes = elapsedSeconds > 0 ? Double(bytesWritten) / elapsedSeconds / 1e6 : 0
    let rate = measuredFramesPerSecond.map { String(format: "%.2f", $0) } ?? "-"
    return String(format: "%.1f s  ", elapsedSeconds)
      + "\(framesWritten) frames  \(rate) fps  \(framesLost) lost  "
      + String(format: "ring %.0f %%  %.1f MB/s", 100 * ringFill, megabytes)
  }
}

extension Recording {
  /// What --verbose says of how it was filmed.
  fileprivate var details: String {
    let accepted =
      configuration.acceptedInterval.map { "\($0.numerator)/\($0.denominator) s" } ?? "no interval"
    return
      "The driver accepted \(accepted) with \(configuration.bufferCount) buffers, clock \(configuration.clock.rawValue); "
      + "the ring has \(ringBytes >> 20) MiB, of which \(ringPeakBytes >> 10) KiB were taken at most; "
      + "\(bytesWritten >> 20) MiB of frames were written."
  }
}
