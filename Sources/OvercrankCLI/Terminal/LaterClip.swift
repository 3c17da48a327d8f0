import Overcrank
import StudioServer

/// Commands that make a clip later.
enum LaterClip {
  /// Returns the command for a master.
  ///
  /// - Parameters:
  ///   - master: the master's file.
  ///   - clip: the clip's name, if it is still free; `nil` lets the command choose.
  ///   - options: the options for the clip.
  ///   - replacing: whether the remains of a clip of that name must be replaced.
  static func command(
    forMaster master: FilePath, clip: FilePath?, options: [String] = [], replacing: Bool = false
  ) -> String {
    let words = ["overcrank", "retime", master.string] + options + (replacing ? ["--force"] : [])
    return (words + (clip.map { ["-o", $0.string] } ?? [])).map(\.shellWord).joined(separator: " ")
  }

  /// Returns the command for a clip that a studio did not finish.
  static func command(for clip: PendingClip) -> String {
    command(forMaster: clip.master, clip: clip.clip, options: ClipArguments.words(for: clip.spec))
  }

  /// Returns the command for a take whose clip was not made, which works despite the reason for that.
  static func command(for take: FinishedTake, replacing: Bool, after failure: OvercrankError) -> String {
    var spec = take.take.wantedClip.flatMap(ClipSpec.init)
    if case .allowSize(let least)? = failure.remedy { spec?.render?.largestSize = least }
    return command(
      forMaster: take.files.master, clip: take.files.clip, options: spec.map(ClipArguments.words) ?? [],
      replacing: replacing)
  }

  /// Returns the options for the clip that a take describes, or `nil` if it describes none.
  ///
  /// - Parameter words: the options in a take from an earlier version.
  static func options(wanted: ClipDescription?, former words: [String]?) -> [String]? {
    wanted.flatMap(ClipSpec.init).map(ClipArguments.words) ?? words
  }
}
