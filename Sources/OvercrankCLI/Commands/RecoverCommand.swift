import ArgumentParser
import Overcrank

struct RecoverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Recovers recordings that were cut off.",
    discussion: """
      After a crash, a kill or a power cut, a recording leaves CLIP.master.mov.part and a journal beside it. This \
      command writes every frame found there to CLIP.master.mov, writes CLIP.take.json with "recovered": true, and \
      then removes the part and the journal. It needs as much free space as the part takes. If it is stopped or \
      killed, everything stays as it was, and it can be run again.

      Frames that the journal does not list are found too, except raw frames with audio between them. Their numbers \
      and times are estimated, and the take lists them under "estimated". If the part holds anything else, the part \
      and the journal are kept.

      If the journal is missing, or damaged at its beginning, --fps finds the JPEGs in the part by their markers. The \
      master then has nominal times, and there is no take, because capture times and losses are unknown.
      """)

  @Argument(
    help: ArgumentHelp(
      "The masters, their .part, or the clips or takes that they belong to; their names in \"takes list\"; or folders.",
      discussion:
        "The clip of several cameras means all of them, and a folder all recordings there that were cut off."),
    completion: .file())
  var files: [FilePath]

  @Option(
    help: ArgumentHelp(
      "The rate of the recording, if its journal is missing: 240.", valueName: "rate"),
    transform: { try FrameRate(text: $0) })
  var fps: FrameRate?

  @Flag(help: "Replace an existing master and take.")
  var force = false

  @OptionGroup var folder: FolderOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    var found: [FilePath] = []
    for file in files {
      found += try await Recovery.recordings(meantBy: file, in: folder.library)
    }
    // An array if it can be one of several.
    let isList = files.count > 1 || found.count != 1
    var reports: [Report] = []
    if found.isEmpty { output.remark("There is nothing to recover.") }
    var failures: [any Error] = []
    for file in found {
      let recovery = FileRecovery(file: file, fps: fps, force: force, output: output)
      do {
        reports.append(try await Interruption.shared.cancelling { Task { try recovery.recover() } }.value)
      } catch {
        failures.append(error)
        if (error as? OvercrankError)?.code == .cancelled { break }
      }
    }
    if output.json {
      if isList {
        try Console.sayJSON(reports)
      } else if let report = reports.first {
        try Console.sayJSON(report)
      }
    }
    for failure in failures.dropFirst() { if let told = Failure(failure) { Console.complain(told.message) } }
    if let failure = failures.first { throw failure }
  }
}

/// The recovery of one recording, with what it prints.
private struct FileRecovery {
  let file: FilePath
  let fps: FrameRate?
  let force: Bool
  let output: OutputOptions

  /// Recovers the recording, and returns the report.
  func recover() throws -> RecoverCommand.Report {
    switch try Recovery.of(file, capturedAt: fps) {
    case .notNeeded(let video, unfinishedClip: let clip):
      return try reportComplete(video, unfinishedClip: clip)
    case .byMarks(let part, let rate): return try recover(part, at: rate)
    case .byJournal(let master): return try recover(master)
    case .takeByJournal(let master): return try recoverTake(of: master)
    }
  }

  /// Repairs the take of a complete master if necessary, reports the result, and prints a command for an
  /// unfinished clip.
  private func reportComplete(
    _ video: FilePath, unfinishedClip clip: FilePath?
  ) throws -> RecoverCommand.Report {
    let check = try TakeCheck(ofVideo: video)
    try check?.mend()
    Interruption.shared.clear()
    let report = RecoverCommand.Report(
      isRecovered: check != nil, master: video.absolutePath, take: check?.path.absolutePath,
      unfinishedClip: clip.map { AbandonedPart.place(for: $0).absolutePath })
    for file in check?.stale ?? [] {
      say(
        "\(check?.path ?? video): now states that \(file.name) plays at \(file.speed). A change in place was cut off."
      )
    }
    if check == nil { say("\(video): is complete; there is nothing to recover.") }
    guard let clip else { return report }
    let take = try? TakeDescription(TakeFiles.take(of: video))
    let options = LaterClip.options(wanted: take?.wantedClip, former: take?.clipWords)
    let isFormer = self.isFormer(clip, take?.clips)
    let isTaken = !isFormer && (try? Stat(clip, followTargetSymlink: false)) != nil
    output.remark(
      "\(clip).part: is an unfinished clip. Make it again"
        + (options == nil ? ", with the clip options that you gave:" : ":"))
    let command = LaterClip.command(
      forMaster: video, clip: isTaken ? nil : clip, options: options ?? [], replacing: !isTaken)
    output.remark("  \(command)")
    return report
  }

  /// Prints facts for people.
  private func say(_ words: String) {
    if !output.json { Console.say(words) }
  }

  /// Prints a command that makes the clip of a recovered master, with the original options if `take` has
  /// them.
  private func reportClip(of master: FilePath, take: Take? = nil) {
    let names = TakeFiles.clips(besideMaster: master)
    let clip = names.first { $0 == file } ?? names.first
    let isFormer = clip.map { self.isFormer($0, take?.clips) } ?? false
    let isTaken = !isFormer && clip.map { (try? Stat($0, followTargetSymlink: false)) != nil } ?? false
    output.remark("Make the clip with")
    let command = LaterClip.command(
      forMaster: master, clip: isTaken ? nil : clip,
      options: LaterClip.options(wanted: take?.wantedClip, former: take?.clipWords) ?? [], replacing: isFormer
    )
    output.remark("  \(command)")
  }

  /// Returns whether `clip` exists but is not one of `clips`, such as one from an earlier recording of the
  /// same name, and prints a remark if so.
  private func isFormer(_ clip: FilePath, _ clips: [Take.Clip]?) -> Bool {
    guard let clips, (try? Stat(clip, followTargetSymlink: false)) != nil,
      !clips.contains(where: { $0.file == clip.name })
    else { return false }
    output.remark("\(clip): does not belong to this take: an earlier recording of that name left it.")
    return true
  }

  /// Writes the take of a complete master.
  private func recoverTake(of master: TakelessMaster) throws -> RecoverCommand.Report {
    let (take, takePath) = try master.recover()
    Interruption.shared.clear()
    say(take.summary(master: master.path))
    say("\(takePath): the take, rebuilt.")
    reportClip(of: master.path, take: take)
    reportGroup(of: takePath)
    return RecoverCommand.Report(
      isRecovered: true, master: master.path.absolutePath, take: takePath.absolutePath, frames: take.frames)
  }

  /// Prints a command that writes the group file of several cameras, once all of their takes are there.
  private func reportGroup(of take: FilePath) {
    let takes = Recovery.ungrouped(with: take)
    guard !takes.isEmpty else { return }
    output.remark("If these takes were recorded together, write their group file with")
    output.remark(
      "  overcrank takes align \(takes.map(\.string.shellWord).joined(separator: " ")) --by stamps")
  }

  /// Recovers a master from its journal.
  private func recover(_ master: consuming CutOffMaster) throws -> RecoverCommand.Report {
    if fps != nil { output.remark("--fps is not needed: the journal exists and has the times.") }
    let path = master.path
    let recovered = try master.recover(replacing: force)
    Interruption.shared.clear()
    if let take = recovered.take, let takePath = recovered.takePath {
      say(take.summary(master: path))
      say(
        recovered.wasRecovered
          ? "\(takePath): was recovered already, and is unchanged." : "\(takePath): the take, rebuilt.")
    } else {
      say("\(path): \(recovered.frames.written) frames.")
    }
    if recovered.estimated > 0 {
      output.remark(
        "Not listed in the journal, but found in the part, with estimated numbers and times: "
          + "\(Self.count(recovered.estimated, "frame", "frames")). Losses among them are unknown.")
    }
    if recovered.damagedEntries > 0 {
      let entries = Self.count(Int64(recovered.damagedEntries), "entry", "entries")
      output.remark("Damaged in the journal: \(entries).")
    }
    tell(cutOff: recovered.cutOffBytes, unknown: recovered.unknownBytes, kept: recovered.keptPart)
    if let part = recovered.keptPart, recovered.take != nil {
      output.remark("  overcrank takes remove \(part.string.shellWord)")
    }
    reportClip(of: path, take: recovered.take)
    if let take = recovered.takePath { reportGroup(of: take) }
    return RecoverCommand.Report(
      isRecovered: true, master: path.absolutePath, take: recovered.takePath?.absolutePath,
      frames: recovered.frames, estimated: recovered.estimated, damagedEntries: recovered.damagedEntries,
      cutOffBytes: recovered.cutOffBytes, unknownBytes: recovered.unknownBytes,
      keptPart: recovered.keptPart?.absolutePath)
  }

  /// Prints remarks about the parts of the file that are not in the master.
  private func tell(cutOff: Int64, unknown: Int64, kept: FilePath?) {
    if cutOff > 0 { output.remark("The last frame is incomplete and was left out: \(cutOff) bytes.") }
    guard let kept else { return }
    Console.remark(
      "\(kept) is kept, with its journal: \(unknown) bytes of it are neither complete frames nor audio that the journal "
        + "lists. If the master has all that you want, delete both.")
  }

  private static func count(_ number: Int64, _ one: String, _ several: String) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(several)"
  }

  /// Makes a master of the frames that were found.
  private func recover(
    _ part: consuming UnindexedMaster, at rate: FrameRate
  ) throws -> RecoverCommand.Report {
    let path = part.path
    let found = try part.recover(at: rate, replacing: force)
    Interruption.shared.clear()
    say(
      "\(path): \(found.frames) frames, found without a readable journal; their times are nominal, \(rate) fps."
    )
    say("Their capture times and the losses between them are unknown, so there is no take.")
    if found.damaged > 0 {
      output.remark(
        "Left out: \(found.damaged) \(found.damaged == 1 ? "piece" : "pieces") without a complete JPEG.")
    }
    tell(cutOff: found.cutOffBytes, unknown: found.unknownBytes, kept: found.keptPart)
    reportClip(of: path)
    return RecoverCommand.Report(
      isRecovered: true, master: path.absolutePath, hasNominalTimes: true, found: found.frames,
      cutOffBytes: found.cutOffBytes, unknownBytes: found.unknownBytes,
      keptPart: found.keptPart?.absolutePath)
  }
}

extension RecoverCommand {
  /// The report that `--json` prints.
  fileprivate struct Report: Encodable, Sendable {
    var isRecovered: Bool
    var master: String
    @Nullable var take: String? = nil
    @Nullable var frames: Take.FrameCounts? = nil
    var hasNominalTimes = false
    /// Frames in the master, if no more is known about them.
    @Nullable var found: Int64? = nil
    /// Frames in the master that the journal does not list.
    var estimated: Int64 = 0
    var damagedEntries = 0
    var cutOffBytes: Int64 = 0
    var unknownBytes: Int64 = 0
    /// The remaining part; `nil` if it was removed.
    @Nullable var keptPart: String? = nil
    /// The unfinished clip; `nil` if there is none.
    @Nullable var unfinishedClip: String? = nil

    enum CodingKeys: String, CodingKey {
      case master, take, frames, estimated
      case isRecovered = "recovered"
      case hasNominalTimes = "nominal_times"
      case found = "frames_found"
      case damagedEntries = "damaged_entries"
      case cutOffBytes = "cut_off_bytes"
      case unknownBytes = "unknown_bytes"
      case keptPart = "kept_part"
      case unfinishedClip = "unfinished_clip"
    }
  }
}
