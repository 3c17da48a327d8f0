import ArgumentParser
import Capture
import Foundation
import Media
import SystemPackage

struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Makes a master whole whose recording was cut off.",
    discussion: """
      After a crash, a kill or a power cut, a recording leaves CLIP.master.mov.part and a journal beside it. All that \
      was on the disk becomes CLIP.master.mov and CLIP.take.json, in which "recovered" is true; then the two \
      are removed. Needs as much free space as the part takes.
      """)

  @Argument(help: "The master, its .part, or the clip or take it belongs to.")
  var file: String

  @Flag(help: "Replace a master and a take of the same names.")
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
    var take: String?
    var frames: Take.FrameCounts?

    enum CodingKeys: String, CodingKey {
      case master, take, frames
      case isRecovered = "recovered"
    }

    /// Writes what is unknown as `null`.
    func encode(to encoder: any Encoder) throws {
      var keys = encoder.container(keyedBy: CodingKeys.self)
      try keys.encode(isRecovered, forKey: .isRecovered)
      try keys.encode(master, forKey: .master)
      try keys.encode(take, forKey: .take)
      try keys.encode(frames, forKey: .frames)
    }
  }
}
