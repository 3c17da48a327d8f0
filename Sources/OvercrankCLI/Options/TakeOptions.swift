import ArgumentParser
import Foundation
import Overcrank

/// The length of a recording, and the destination of the take.
struct TakeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long to record: 3s, 250ms, 1m30s; Enter or Ctrl-C stops it sooner. (default: until stopped)",
      valueName: "time"),
    transform: { try Duration(text: $0) })
  var duration: Duration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many frames to record, after any trigger.", valueName: "number"))
  var frames: Int?

  @Option(
    name: .customLong("max-size"), parsing: .unconditional,
    help: ArgumentHelp(
      "End a take before its master becomes larger than this: 4GB, 700MB, 2GiB.", valueName: "size",
      visibility: .rare),
    transform: { try ByteCount(text: $0).bytes })
  var maxSize: Int64?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The clip's file: .mp4, .mov, .mkv, .gif, .webp or .apng, or a folder; master and take file go beside it. "
        + "(default: the library folder)",
      discussion:
        "{date}, {time}, {ms}, {camera}, {fps}, {label} and {n}, the first free number, are filled in."
        .rare,
      valueName: "file"),
    completion: .file(extensions: ["mp4", "mov", "mkv", "gif", "webp", "apng"]))
  var output: FilePath?

  @Flag(help: "Replace existing files.")
  var force = false

  @Flag(name: .customLong("no-clip"), help: "Write only the master and the take file, no clip.")
  var noClip = false

  @Flag(
    name: [.customLong("clip-while-recording"), .customLong("clip-while-filming")],
    help: ArgumentHelp(
      "Start rendering the clip while recording, on cores that have nothing else to do.", visibility: .rare))
  var clipWhileRecording = false

  @Flag(
    name: .customLong("discard-master"),
    help: ArgumentHelp("Delete the master when the clip is complete.", visibility: .rare))
  var discardMaster = false

  @Option(help: ArgumentHelp("A label for the take, on one line.", valueName: "text"))
  var label: String?

  @Flag(
    name: .customLong("no-thumbnail"),
    help: ArgumentHelp("Write no thumbnails for file managers.", visibility: .rare))
  var noThumbnail = false

  @Option(
    help: ArgumentHelp(
      "Copy each take to this folder when its clip is complete, and verify the copy by reading it back.",
      valueName: "folder", visibility: .rare),
    completion: .directory)
  var export: FilePath?

  @Flag(
    help: ArgumentHelp(
      "With --export: delete the originals once their copies are verified.", visibility: .rare))
  var move = false

  @Flag(
    help: ArgumentHelp(
      """
      If the camera is unplugged, wait for it and continue in a new take: CLIP-2.mp4 and so on. --duration \
      and --frames then limit all takes together. With --trigger, arm again.
      """, visibility: .rare))
  var reconnect = false

  @Flag(help: ArgumentHelp("Exit with code 4 if frames were lost.", visibility: .rare))
  var strict = false

  func validate() throws {
    if let frames, frames < 1 {
      throw ValidationError("--frames \(frames) records nothing; give at least 1.")
    }
    if let duration, duration <= .zero {
      throw ValidationError("--duration 0 records nothing; give a longer time.")
    }
    if let words = output.flatMap(NameTemplate.init)?.unknownWords, let word = words.first {
      let known = NameTemplate.Word.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
      throw ValidationError("-o contains the unknown placeholder {\(word)}; use \(known).")
    }
    if label == nil, output.flatMap(NameTemplate.init)?.words.contains(.label) == true {
      throw ValidationError("-o contains {label}, but the take has no label; give --label.")
    }
    if let label {
      do { try LibraryEntry.checkLabel(label) } catch { throw ValidationError("--label: \(error)") }
    }
  }

  /// The options that were given.
  var given: [String] {
    [String](given: [
      "--duration": duration != nil, "--frames": frames != nil, "--no-clip": noClip,
      "--clip-while-recording": clipWhileRecording, "--discard-master": discardMaster,
      "--export": export != nil, "--move": move, "--reconnect": reconnect,
    ])
  }

  /// The limit at which the recording is complete.
  var limit: RecordingLimit { RecordingLimit(frames: frames, duration: duration) }
}

/// The rules for names of clips.
enum ClipName {
  /// Throws if `path` is not a valid name for a clip.
  ///
  /// - Parameter isCopy: whether the clip holds a camera's frames as they are.
  static func validate(_ path: FilePath, isCopy: Bool) throws {
    guard suits(path, isCopy: isCopy) else {
      throw ValidationError(
        "\"\(path)\" is not a valid clip name: it must end in .mp4, .mov, .mkv, .gif, .webp or .apng.")
    }
  }

  /// Returns whether `path` is a valid name for a clip. Some cameras' frames can be copied only to NUT.
  static func suits(_ path: FilePath, isCopy: Bool) -> Bool {
    let lower = path.name.lowercased()
    return ([".mp4", ".mov", ".mkv"] + (isCopy ? [".nut"] : [".gif", ".webp", ".apng"])).contains {
      lower.hasSuffix($0) && lower != $0
    }
  }
}
