import ArgumentParser
import Capture
import Foundation
import Media
import Timebase

/// How long to film, and where the take goes.
struct TakeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long to film: 3s, 250ms, 1m30s. Without it, until Enter or Ctrl-C.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var duration: Duration?

  @Option(parsing: .unconditional, help: ArgumentHelp("How many frames to film.", valueName: "number"))
  var frames: Int?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The clip's file, .mp4, .mov or .mkv; master and take go beside it. Without it, the library folder.",
      valueName: "file"),
    completion: .file(extensions: ["mp4", "mov", "mkv"]))
  var output: String?

  @Flag(help: "Replace files of the same name.")
  var force = false

  @Flag(name: .customLong("no-clip"), help: "Leave it at the master: make no slow-motion clip.")
  var noClip = false

  @Flag(name: .customLong("discard-master"), help: "Delete the master once the clip is made.")
  var discardMaster = false

  @Flag(
    help: """
      Where the camera is unplugged, wait for it and go on in a new take: CLIP-2.mp4 and so on. --duration and \
      --frames hold for all of them together.
      """)
  var reconnect = false

  @Flag(help: "Exit with 4 where frames were lost.")
  var strict = false

  func validate() throws {
    if duration != nil, frames != nil {
      throw ValidationError("--duration and --frames both end the recording; give one of them.")
    }
    if let frames, frames < 1 { throw ValidationError("--frames \(frames) films nothing; give at least 1.") }
    if let duration, duration <= .zero { throw ValidationError("--duration 0 films nothing; give more.") }
    if noClip, discardMaster {
      throw ValidationError("--no-clip and --discard-master together leave nothing; drop one of them.")
    }
    if let output { try ClipName.validate(output) }
  }

  /// When the recording is complete.
  var limit: RecordingLimit { RecordingLimit(frames: frames, nanoseconds: duration?.wholeNanoseconds) }

  /// The clip's path: what was given, else a new name in the library folder, which is made.
  func clipPath(at date: Date, _ clip: ClipArguments) throws -> String {
    if let output { return output }
    return try ClipName.inLibrary(at: date, suffix: clip.container.fileExtension)
  }
}

/// Names of clips.
enum ClipName {
  static func validate(_ path: String) throws {
    let lower = path.lowercased()
    guard [".mp4", ".mov", ".mkv"].contains(where: lower.hasSuffix) else {
      throw ValidationError("\"\(path)\" is no name for a clip: let it end in .mp4, .mov or .mkv.")
    }
  }

  /// The container that a clip's name asks for.
  static func container(_ path: String) -> Container {
    Container(fileExtension: path.split(separator: ".").last.map(String.init) ?? "") ?? .mp4
  }

  /// Where takes go that were given no name.
  static var libraryFolder: String {
    let environment = ProcessInfo.processInfo.environment
    let videos = environment["XDG_VIDEOS_DIR"] ?? NSHomeDirectory() + "/Videos"
    return videos + "/overcrank"
  }

  /// A new name in the library folder, which is made.
  static func inLibrary(at date: Date, suffix: String) throws -> String {
    let folder = libraryFolder
    try OwnFolder.make(folder, as: "the library folder", remedy: "Name a file with -o.")
    return "\(folder)/overcrank-\(stamp(date)).\(suffix)"
  }

  /// `20190101T125900.999`, in local time.
  static func stamp(_ date: Date) -> String {
    let parts = Calendar(identifier: .gregorian).dateComponents(
      [.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
    func padded(_ value: Int?, _ width: Int) -> String {
      let digits = String(value ?? 0)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return padded(parts.year, 4) + padded(parts.month, 2) + padded(parts.day, 2) + "T"
      + padded(parts.hour, 2) + padded(parts.minute, 2) + padded(parts.second, 2) + "."
      + padded(parts.nanosecond.map { $0 / 1_000_000 }, 3)
  }
}
