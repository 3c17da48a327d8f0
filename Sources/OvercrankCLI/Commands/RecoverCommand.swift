import ArgumentParser
import Overcrank

struct RecoverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Recovers a recording that was cut off.",
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
    help: "The master, its .part, or the clip or take that it belongs to; or its name in \"takes list\".",
    completion: .file())
  var file: FilePath

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
    var command = self
    command.file = try await Recovery.file(meantBy: file, in: folder.library)
    let named = command
    try await Interruption.shared.cancelling { Task { try named.recover() } }.value
  }

  private func recover() throws {
    let cameras = Recovery.cameras(of: file)
    guard cameras.isEmpty else {
      throw Failure(
        "\(file): was recorded with several cameras. Recover each:\n"
          + cameras.map { "  overcrank recover \($0.string.shellWord)" }.joined(separator: "\n"),
        exitCode: ExitStatus.noInput)
    }
    switch try Recovery.of(file, capturedAt: fps) {
    case .notNeeded(let video, unfinishedClip: let clip): try reportComplete(video, unfinishedClip: clip)
    case .byMarks(let part, let rate): try recover(part, at: rate)
    case .byJournal(let master): try recover(master)
    case .takeByJournal(let master): try recoverTake(of: master)
    }
  }

  /// Repairs the take of a complete master if necessary, reports the result, and prints a command for an
  /// unfinished clip.
  private func reportComplete(_ video: FilePath, unfinishedClip clip: FilePath?) throws {
    let check = try TakeCheck(ofVideo: video)
    try check?.mend()
    Interruption.shared.clear()
    if output.json {
      try Console.sayJSON(
        Report(
          isRecovered: check != nil, master: video.absolutePath, take: check?.path.absolutePath,
          unfinishedClip: clip.map { AbandonedPart.place(for: $0).absolutePath }))
    } else if let check {
      for file in check.stale {
        Console.say(
          "\(check.path): now states that \(file.name) plays at \(file.speed). A change in place was cut off."
        )
      }
    } else {
      Console.say("\(video): is complete; there is nothing to recover.")
    }
    guard let clip else { return }
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
  private func recoverTake(of master: TakelessMaster) throws {
    let (take, takePath) = try master.recover()
    Interruption.shared.clear()
    if output.json {
      try Console.sayJSON(
        Report(
          isRecovered: true, master: master.path.absolutePath, take: takePath.absolutePath,
          frames: take.frames))
    } else {
      Console.say(take.summary(master: master.path))
      Console.say("\(takePath): the take, rebuilt.")
    }
    reportClip(of: master.path, take: take)
    reportGroup(of: takePath)
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
  private func recover(_ master: consuming CutOffMaster) throws {
    if fps != nil { output.remark("--fps is not needed: the journal exists and has the times.") }
    let path = master.path
    let recovered = try master.recover(replacing: force)
    Interruption.shared.clear()
    if output.json {
      try Console.sayJSON(
        Report(
          isRecovered: true, master: path.absolutePath, take: recovered.takePath?.absolutePath,
          frames: recovered.frames, estimated: recovered.estimated, damagedEntries: recovered.damagedEntries,
          cutOffBytes: recovered.cutOffBytes, unknownBytes: recovered.unknownBytes,
          keptPart: recovered.keptPart?.absolutePath))
    } else if let take = recovered.take, let takePath = recovered.takePath {
      Console.say(take.summary(master: path))
      Console.say("\(takePath): the take, rebuilt.")
    } else {
      Console.say("\(path): \(recovered.frames.written) frames.")
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
    reportClip(of: path, take: recovered.take)
    if let take = recovered.takePath { reportGroup(of: take) }
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
  private func recover(_ part: consuming UnindexedMaster, at rate: FrameRate) throws {
    let path = part.path
    let found = try part.recover(at: rate, replacing: force)
    Interruption.shared.clear()
    if output.json {
      try Console.sayJSON(
        Report(
          isRecovered: true, master: path.absolutePath, hasNominalTimes: true, found: found.frames,
          cutOffBytes: found.cutOffBytes, unknownBytes: found.unknownBytes,
          keptPart: found.keptPart?.absolutePath))
    } else {
      Console.say(
        "\(path): \(found.frames) frames, found without a readable journal; their times are nominal, \(rate) fps."
      )
      Console.say("Their capture times and the losses between them are unknown, so there is no take.")
    }
    if found.damaged > 0 {
      output.remark(
        "Left out: \(found.damaged) \(found.damaged == 1 ? "piece" : "pieces") without a complete JPEG.")
    }
    tell(cutOff: found.cutOffBytes, unknown: found.unknownBytes, kept: found.keptPart)
    reportClip(of: path)
  }

  /// The report that `--json` prints.
  private struct Report: Encodable {
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
