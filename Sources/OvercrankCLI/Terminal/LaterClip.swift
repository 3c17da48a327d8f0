import StudioServer
import SystemPackage
import Takes
import Timebase

/// The command that makes the clip of a recording later, with the words that the recording was given.
enum LaterClip {
  /// Options of `record` that are for the clip and have a value, with their names in `retime`.
  private static let options = [
    "--speed": "--speed", "--in": "--in", "--out": "--out", "--fill": "--fill", "--crop": "--crop",
    "--develop": "--develop", "--white-balance": "--white-balance", "--black": "--black", "--zoom": "--zoom",
    "--zoom-at": "--zoom-at", "--follow": "--follow", "--scale": "--scale",
    "--codec": "--codec", "--preset": "--preset", "--crf": "--crf",
    "--audio": "--audio", "--clip-fps": "--fps",
  ]
  /// Options that have none.
  private static let flags: Set = ["--deflicker", "--stamp", "--copy"]

  /// The command line with what its setup adds.
  static var arguments: [String] {
    (try? SetupExpansion(Invocation.arguments).arguments) ?? Invocation.arguments
  }

  /// The command for a master that was made whole.
  ///
  /// - Parameters:
  ///   - master: the master's file.
  ///   - clip: the clip's name, if it may be that; `nil` leaves it to the command.
  ///   - options: what its take has of ``options(in:)``.
  ///   - replacing: whether what is left of a clip of that name stands in its way.
  static func command(
    forMaster master: FilePath, clip: FilePath?, options: [String] = [], replacing: Bool = false
  ) -> String {
    let words = ["overcrank", "retime", master.string] + options + (replacing ? ["--force"] : [])
    return (words + (clip.map { ["-o", $0.string] } ?? [])).map(\.shellWord).joined(separator: " ")
  }

  /// The command for a clip that a studio had no time for.
  static func command(for clip: UnmadeClip) -> String {
    var options = clip.speed.map { ["--speed", $0] } ?? []
    if let start = clip.start { options += ["--in", "\(start.inSeconds.decimal(places: 9))s"] }
    if let end = clip.end { options += ["--out", "\(end.inSeconds.decimal(places: 9))s"] }
    return command(forMaster: clip.master, clip: clip.clip, options: options)
  }

  /// The command for the take in `files`.
  static func command(for files: TakeFiles, arguments: [String] = LaterClip.arguments) -> String {
    command(
      forMaster: files.master, clip: files.clip, options: options(in: arguments),
      replacing: arguments.contains("--force"))
  }

  /// The options of `retime` that make the clip which `record` was asked for.
  static func options(in arguments: [String] = LaterClip.arguments) -> [String] {
    var words: [String] = []
    var place = 1
    while place < arguments.count {
      let parts = arguments[place].split(separator: "=", maxSplits: 1).map(String.init)
      place += 1
      guard let name = parts.first else { continue }
      if flags.contains(name) { words.append(name) }
      guard let option = options[name] else { continue }
      if parts.count == 2 {
        words.append("\(option)=\(parts[1])")
      } else if place < arguments.count {
        words += [option, arguments[place]]
        place += 1
      }
    }
    return words
  }
}
