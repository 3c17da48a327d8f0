import ArgumentParser
import Overcrank

struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Prints everything known about videos, takes, photos and groups.",
    discussion: """
      For a master or a clip, this includes the content of its take. Among several files, one that cannot be read is \
      reported and sets the exit code, and the others are printed. --json prints an object, or an array for several \
      files.
      """)

  @Argument(
    help:
      "Masters, clips, other video files, takes or groups: their files, names or labels, or latest (take).",
    completion: .file(extensions: ["mov", "mp4", "mkv", "nut", "avi", "webm", "json"]))
  var files: [FilePath]

  @OptionGroup var output: OutputOptions

  func run() async throws {
    var files: [FilePath] = []
    for file in self.files { files.append(try await TakeArgument.item(meantBy: file)?.path ?? file) }
    if files.count == 1, let file = files.first {
      let facts = try Facts(of: file)
      if output.json { return try Console.sayJSON(facts) }
      return Console.say(try facts.text)
    }
    var (found, failures): ([Facts], [any Error]) = ([], [])
    for file in files {
      do {
        let facts = try Facts(of: file)
        if !output.json { Console.say(try facts.text) }
        found.append(facts)
      } catch {
        failures.append(error)
      }
    }
    if output.json { try Console.sayJSON(found) }
    for failure in failures.dropFirst() { if let told = Failure(failure) { Console.complain(told.message) } }
    if let failure = failures.first { throw failure }
  }
}

/// The known facts of a file: a take, a photo, a group, or a video with the take that it belongs to.
private enum Facts: Encodable {
  case take(LibraryEntry, Take)
  case photo(LibraryEntry, LibraryPhoto)
  case group(StoredGroup)
  case video(VideoFacts)

  init(of file: FilePath) throws {
    if let group = try StoredGroup.meant(by: file.string) {
      self = .group(group)
      return
    }
    let entry = TakeLibrary(file.folder).entry(at: file)?.notingShared()
    if let entry, entry.path == file, entry.description != nil {
      self = .take(entry, try entry.take())
      return
    }
    // A Motion Photo is shown as the video in it.
    if let entry, let photo = entry.photo, photo.kind != .motionPhoto, photo.pictures.contains(file) {
      self = .photo(entry, photo)
      return
    }
    let video = try SourceVideo(file)
    try video.checkExists()
    self = .video(try VideoFacts(video))
  }

  /// The facts for people.
  var text: String {
    get throws {
      switch self {
      case .take(let entry, let take): return TakeSheet(entry, take).text
      case .photo(let entry, let photo): return photo.sheet(problems: entry.problems)
      case .group(let group): return group.sheet
      case .video(let facts):
        guard let entry = facts.take, entry.description != nil else { return facts.text }
        return facts.text + "\n" + TakeSheet(entry, try entry.take()).text
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .take(let entry, let take): try StoredTakeReport(entry, take, hasFrames: false).encode(to: encoder)
    case .photo(let entry, _): try EntryReport(entry).encode(to: encoder)
    case .group(let group): try group.report.encode(to: encoder)
    case .video(let facts): try SourceReport(facts).encode(to: encoder)
    }
  }
}

extension VideoFacts {
  /// The video's own facts, for people.
  fileprivate var text: String {
    var words = "\(frameCount) frames"
    if let duration { words += ", \(duration.inSeconds.decimal(places: 3)) s" }
    if let rate = framesPerSecond { words += " at \(FrameRate.text(rate)) fps" }
    if let playCount {
      words += playCount == 0 ? ", without end" : playCount == 1 ? ", once" : ", \(playCount) times"
    }
    var picture = "\(track.codec) \(track.width)x\(track.height)"
    let turn = (Int(clamping: track.rotation.rounded()) % 360 + 360) % 360
    if let range = track.highDynamicRange { picture += ", \(range)" }
    if turn != 0 { picture += ", shown turned \(turn)° clockwise" }
    let lines = [
      "\(path): \(role == .video ? "a video" : "the \(role.rawValue) of a take"), \(bytes.sizeWords)",
      TakeSheet.row("picture", picture), TakeSheet.row("plays", words),
      gap.map { TakeSheet.row("gap", $0.words) }, TakeSheet.row("audio", hasAudio ? "yes" : "none"),
    ]
    let fields = track.fieldOrder.map { TakeSheet.row("interlaced", "\($0.rawValue) field first") }
    var captured =
      isImages ? "unknown: images have no rate" : "unknown: treated as real-time video"
    if pace.source != .unknown {
      // A clip may repeat, skip or interpolate frames.
      let repeats = (heldFrames ?? 0) > 0 ? ", including repeated ones," : ""
      let isClip =
        pace.source == .overcrank && role != .master
        || pace.source == .take && role == .clip && (!repeats.isEmpty || playCount != nil)
      captured =
        pace.captureRate.map(\.rateWords)
        .map {
          isClip
            ? "\($0) of these frames\(repeats) show one second of the scene; plays" : "at \($0) fps, plays"
        }
        ?? "plays"
      captured += " at \(pace.speedWords), according to \(pace.source.words(of: pace))"
    }
    // An animated image cannot state its rate, so nothing is known to be unknown.
    let isSilent = pace.source == .unknown && (playCount != nil || curve != nil)
    var known = isSilent ? [] : [TakeSheet.row("captured", captured)]
    if let curve {
      known.append(TakeSheet.row("curve", curve.printable))
    }
    if let ramp = pace.ramp { known.append(TakeSheet.row("ramp", "\(ramp)")) }
    known += pace.ignored.map { TakeSheet.row("ignored", $0.printable) }
    return
      ((lines + [fields]).compactMap(\.self) + known
      + [creationTime.map { TakeSheet.row("recorded", $0.printable) }].compactMap(\.self))
      .joined(separator: "\n")
  }
}

extension VideoTrack {
  /// The name of its high dynamic range, for people; `nil` if it has the standard range.
  fileprivate var highDynamicRange: String? {
    guard let name = color.transfer.nameOfHDR else { return nil }
    // HDR10 is PQ with its grading.
    return color.transfer == .pq && light != nil ? "\(name) (HDR10)" : name
  }
}

/// A video in the form that `--json` prints.
private struct SourceReport: Encodable {
  var file: String
  var role: String
  var codec: String
  var width: Int
  var height: Int
  var rotation: Double
  var frames: Int
  @Nullable var framesPerSecond: Double?
  @Nanoseconds var duration: Duration?
  @Nullable var captureRate: Double?
  var captureSource: String
  @Nullable var speed: String?
  @Nullable var ramp: String?
  @Nullable var curve: String?
  var ignored: [String]
  var hasAudio: Bool
  @Nullable var created: String?
  @Nullable var fieldOrder: String?
  @Nullable var hdr: String?
  @Nullable var loops: Int?
  var bytes: Int64
  @Nullable var take: String?

  init(_ facts: VideoFacts) {
    file = facts.path.absolutePath
    role = facts.role.rawValue
    codec = facts.track.codec.description
    (width, height) = (facts.track.width, facts.track.height)
    rotation = facts.track.rotation
    frames = facts.frameCount
    let pace = facts.pace
    captureSource = pace.source.rawValue
    ignored = pace.ignored
    hasAudio = facts.hasAudio
    bytes = facts.bytes
    framesPerSecond = facts.framesPerSecond
    duration = facts.duration
    captureRate = pace.captureRate?.doubleValue
    speed = pace.source == .unknown ? nil : pace.speedWords
    ramp = pace.ramp?.description
    curve = facts.curve
    fieldOrder = facts.track.fieldOrder?.rawValue
    hdr = facts.track.color.transfer.nameOfHDR?.lowercased()
    loops = facts.playCount
    created = facts.creationTime
    take = facts.take?.path.absolutePath
  }

  enum CodingKeys: String, CodingKey {
    case file, role, codec, width, height, rotation, frames, created, bytes, take, speed, ramp, curve,
      ignored, hdr, loops
    case fieldOrder = "field_order"
    case captureRate = "capture_fps"
    case captureSource = "capture_fps_from"
    case framesPerSecond = "fps"
    case duration = "duration_ns"
    case hasAudio = "audio"
  }
}
