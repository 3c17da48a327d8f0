import ArgumentParser
import Overcrank

struct TakesMotionPhotoCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "motion-photo",
    abstract: "Writes a frame of a take and the video around it as a Motion Photo.",
    discussion: """
      The still is a JPEG. The same file also holds up to 1.5 s of video from before and after it, in real time, at no \
      more than 60 frames per second, with audio if the take has any. Google Photos and many other programs play it; \
      all others show the still. With --live, it is a pair of files with the same identifier, NAME.jpg and NAME.mov, as \
      Apple's Photos expects; its import is untested. Without --at and --frame, the still is the trigger's frame, or \
      else the middle one.
      """)

  @OptionGroup var argument: TakeArgument

  @OptionGroup var place: FramePlaceOptions

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The photo's file, best ending in .MP.jpg. (default: NAME-frame-NUMBER.MP.jpg or NAME-live-NUMBER.jpg beside the take)",
      valueName: "file"),
    completion: .file(extensions: ["jpg"]))
  var output: FilePath?

  @Flag(help: "Write a Live Photo: a JPEG, and a MOV of the same name.")
  var live = false

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var words: OutputOptions

  var given: [String] { place.given }

  func validate() throws {
    try refuseConflicts()
    if let output, try PictureOptions.format(of: output) != .jpeg {
      throw ValidationError("-o \"\(output)\": a Motion Photo is a JPEG. End the name in \(kind.suffix).")
    }
  }

  private var kind: MotionPhoto.Kind { live ? .livePhoto : .motionPhoto }

  func run() async throws {
    let entry = try await argument.entry()
    let pictures = try TakePictures(entry)
    let index = try place.index(in: pictures)
    let path =
      output
      ?? entry.path.removingLastComponent().appending(
        "\(entry.name)-\(live ? "live" : "frame")-\(index)\(kind.suffix)")
    let work = Interruption.shared.cancelling {
      Task { try await MotionPhoto.make(ofFrame: index, in: entry, to: path, as: kind, replacing: force) }
    }
    let photo = try await work.value
    Interruption.shared.clear()
    try MotionPhotoReport.tell([photo], words)
  }
}

/// A Motion Photo in the form that `--json` prints.
struct MotionPhotoReport: Encodable {
  var file: String
  @Nullable var video: String?
  @Nullable var contentIdentifier: String?
  var frame: Int
  var sequence: Int64
  var bytes: Int
  var videoBytes: Int
  var videoFrames: Int
  var framesPerSecond: Double
  @Nanoseconds var presentation: Duration

  init(_ photo: MotionPhoto) {
    file = photo.path.absolutePath
    video = photo.video?.absolutePath
    contentIdentifier = photo.contentIdentifier
    frame = photo.frame
    sequence = photo.sequence
    bytes = photo.byteCount
    videoBytes = photo.videoByteCount
    videoFrames = photo.videoFrameCount
    framesPerSecond = photo.rate.framesPerSecond.doubleValue
    presentation = photo.presentation
  }

  /// Prints the photos.
  static func tell(_ photos: [MotionPhoto], _ words: OutputOptions) throws {
    if words.json { return try Console.sayJSON(photos.map(MotionPhotoReport.init)) }
    for photo in photos {
      let seconds = Double(photo.videoFrameCount) / photo.rate.framesPerSecond.doubleValue
      let files = ([photo.path] + (photo.video.map { [$0] } ?? [])).map(\.description).joined(separator: ", ")
      let bytes = photo.byteCount + (photo.video == nil ? 0 : photo.videoByteCount)
      Console.say(
        "\(files): \(Int64(bytes).sizeWords), \(Duration.milliseconds(seconds * 1000).inSeconds.decimal(places: 2)) s "
          + "at \(photo.rate) fps.")
    }
  }

  enum CodingKeys: String, CodingKey {
    case file, frame, sequence, bytes
    case video = "film"
    case contentIdentifier = "content_identifier"
    case videoBytes = "film_bytes"
    case videoFrames = "film_frames"
    case framesPerSecond = "fps"
    case presentation = "presentation_ns"
  }
}
