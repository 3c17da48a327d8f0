import ArgumentParser
import Overcrank
import SystemPackage
import Takes
import Timebase

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Prints all that is known of a film.",
    discussion: "Of a master or a clip, that is what its take says too.")

  @Argument(
    help: "A master, a clip, any video file, or a take.",
    completion: .file(extensions: ["mov", "mp4", "mkv", "nut", "avi", "webm", "json"]))
  var file: FilePath

  @OptionGroup var output: OutputOptions

  func run() throws {
    if let entry = TakeLibrary(file.folder).entry(at: file), entry.path == file, entry.description != nil {
      let take = try entry.take()
      if output.json { return try Console.sayJSON(StoredTakeReport(entry, take, hasFrames: false)) }
      return Console.say(TakeSheet(entry, take).text)
    }
    let film = try Film(file)
    try film.checkIsThere()
    let facts = try FilmFacts(file)
    if output.json { return try Console.sayJSON(FilmReport(facts)) }
    Console.say(facts.text)
    guard let entry = facts.take, entry.description != nil else { return }
    Console.say(TakeSheet(entry, try entry.take()).text)
  }
}

extension FilmFacts {
  /// The film's own facts, for people.
  fileprivate var text: String {
    var words = "\(frameCount) frames"
    if let duration { words += ", \(duration.inSeconds.decimal(places: 3)) s" }
    if let rate = framesPerSecond { words += " at \(FrameRate.text(rate)) fps" }
    var picture = "\(track.codec) \(track.width)x\(track.height)"
    if track.rotation != 0 { picture += ", turned by \(Int(clamping: track.rotation.rounded())) degrees" }
    let lines = [
      "\(path): \(role == .film ? "a film" : "the \(role.rawValue) of a take"), \(bytes.sizeWords)",
      TakeSheet.row("picture", picture), TakeSheet.row("plays", words),
      TakeSheet.row("audio", hasAudio ? "yes" : "none"),
    ]
    return (lines + [creationTime.map { TakeSheet.row("recorded", $0.printable) }].compactMap(\.self))
      .joined(separator: "\n")
  }
}

/// A film as `--json` prints it.
private struct FilmReport: Encodable {
  var file: String
  var role: String
  var codec: String
  var width: Int
  var height: Int
  var rotation: Double
  var frames: Int
  @Nullable var framesPerSecond: Double?
  @Nullable var duration: Int64?
  var hasAudio: Bool
  @Nullable var created: String?
  var bytes: Int64
  @Nullable var take: String?

  init(_ facts: FilmFacts) {
    file = facts.path.absolutePath
    role = facts.role.rawValue
    codec = facts.track.codec.description
    (width, height) = (facts.track.width, facts.track.height)
    rotation = facts.track.rotation
    frames = facts.frameCount
    _framesPerSecond = Nullable(wrappedValue: facts.framesPerSecond)
    _duration = Nullable(wrappedValue: facts.duration?.wholeNanoseconds)
    hasAudio = facts.hasAudio
    _created = Nullable(wrappedValue: facts.creationTime)
    bytes = facts.bytes
    _take = Nullable(wrappedValue: facts.take?.path.absolutePath)
  }

  enum CodingKeys: String, CodingKey {
    case file, role, codec, width, height, rotation, frames, created, bytes, take
    case framesPerSecond = "fps"
    case duration = "duration_ns"
    case hasAudio = "audio"
  }
}
