import ArgumentParser
import Foundation
import Media
import SystemPackage
import Takes
import Timebase

struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Repairs a master whose recording was cut off.",
    discussion: """
      After a crash, a kill or a power cut, a recording leaves CLIP.master.mov.part and a journal beside it. This \
      command writes every frame found there to CLIP.master.mov, writes CLIP.take.json with "recovered": true, and \
      then removes the part and the journal. It needs as much free space as the part takes.

      If the journal is lost, --fps finds the JPEGs in the part by their markers. The master then has nominal times, \
      and there is no take, because capture times and losses are not known.
      """)

  @Argument(help: "The master, its .part, or the clip or take that it belongs to.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp(
      "The rate of the recording, if its journal is lost: 240.", valueName: "rate"),
    transform: { try FrameRate(text: $0) })
  var fps: FrameRate?

  @Flag(help: "Replace an existing master and take.")
  var force = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    guard let path = CutOffMaster.path(for: file) else {
      let whole = try wholeFilm()
      if output.json {
        try Console.sayJSON(Report(isRecovered: false, master: whole))
      } else {
        Console.say("\(whole): is whole; there is nothing to recover.")
      }
      return
    }
    if let fps {
      if let part = try UnindexedMaster(path) { return try recover(part, at: fps) }
      output.remark("--fps is not needed: the journal is there and knows the times.")
    }
    let recovered = try CutOffMaster(path).recover(replacing: force)
    if output.json {
      try Console.sayJSON(
        Report(isRecovered: true, master: path, take: recovered.takePath, frames: recovered.frames))
    } else if let take = recovered.take, let takePath = recovered.takePath {
      Console.say(take.summary(master: path))
      Console.say("\(takePath): the take, put together again.")
    } else {
      Console.say("\(path): \(recovered.frames.written) frames.")
    }
  }

  /// Makes a master of the frames that are found.
  private func recover(_ part: consuming UnindexedMaster, at rate: FrameRate) throws {
    let path = part.path
    let found = try part.recover(at: rate, replacing: force)
    if output.json {
      try Console.sayJSON(Report(isRecovered: true, master: path, hasNominalTimes: true, found: found.frames))
    } else {
      Console.say(
        "\(path): \(found.frames) frames, found without a journal; their times are nominal, \(rate) fps.")
      Console.say("When they were captured and what was lost between them is not known, so there is no take.")
    }
    if found.damaged > 0 {
      output.remark(
        "Left out: \(found.damaged) \(found.damaged == 1 ? "piece" : "pieces") that are no whole JPEG.")
    }
  }

  /// The film that `file` names, which was not cut off as far as can be seen.
  private func wholeFilm() throws -> String {
    let film = CutOffMaster.masters(for: file).first { FileManager.default.fileExists(atPath: $0) } ?? file
    _ = try Demuxer(FilePath(film))
    return film
  }

  /// What `--json` prints.
  private struct Report: Encodable {
    var isRecovered: Bool
    var master: String
    @Nullable var take: String? = nil
    @Nullable var frames: Take.FrameCounts? = nil
    var hasNominalTimes = false
    /// Frames in the master, where no more is known of them.
    @Nullable var found: Int64? = nil

    enum CodingKeys: String, CodingKey {
      case master, take, frames
      case isRecovered = "recovered"
      case hasNominalTimes = "nominal_times"
      case found = "frames_found"
    }
  }
}
