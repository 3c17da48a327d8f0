import Overcrank
import StudioServer

/// The command that makes a clip later.
enum LaterClip {
  /// The command for a master.
  ///
  /// - Parameters:
  ///   - master: the master's file.
  ///   - clip: the clip's name, if it may be that; `nil` leaves it to the command.
  ///   - options: those that ask for the clip.
  ///   - replacing: whether what is left of a clip of that name stands in its way.
  static func command(
    forMaster master: FilePath, clip: FilePath?, options: [String] = [], replacing: Bool = false
  ) -> String {
    let words = ["overcrank", "retime", master.string] + options + (replacing ? ["--force"] : [])
    return (words + (clip.map { ["-o", $0.string] } ?? [])).map(\.shellWord).joined(separator: " ")
  }

  /// The command for a clip that a studio had no time for.
  static func command(for clip: UnmadeClip) -> String {
    command(forMaster: clip.master, clip: clip.clip, options: ClipArguments.words(for: clip.spec))
  }

  /// The command for a take whose clip was not made.
  static func command(for take: FinishedTake, replacing: Bool) -> String {
    command(
      forMaster: take.files.master, clip: take.files.clip,
      options: options(wanted: take.take.wantedClip, former: nil) ?? [], replacing: replacing)
  }

  /// The options that ask for the clip which a take describes; `nil` where it does not.
  ///
  /// - Parameter words: those that a take of a former version has.
  static func options(wanted: ClipDescription?, former words: [String]?) -> [String]? {
    wanted.flatMap(ClipSpec.init).map(ClipArguments.words) ?? words
  }
}
