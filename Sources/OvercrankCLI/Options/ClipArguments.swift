public import ArgumentParser
public import Overcrank

/// The options for a clip.
struct ClipArguments: RuledOptions {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The clip's speed: 1/8, 0.125, 12.5% or 8x-slower; or a curve: '0s:1, 1.2s:1/8, ease 3s:1'. (default: every "
        + "captured frame is shown once)",
      discussion: "@FILE reads a curve from a file; source is the ramp that a phone stored in its video."
        .rare,
      valueName: "speed"),
    completion: .list(["1/2", "1/4", "1/8", "1/16"]),
    transform: { try SpeedArgument($0) })
  var speed: SpeedArgument?

  @Option(
    name: .customLong("clip-fps"), parsing: .unconditional,
    help: ArgumentHelp(
      "Frames per second of the clip: 30, 60, 30000/1001. (default: the rate from 24 to 60 at which --speed shows "
        + "every frame once, else 30)",
      valueName: "rate", visibility: .rare),
    completion: .list(["24", "25", "30", "50", "60"]),
    transform: { try FrameRate(text: $0) })
  var clipRate: FrameRate?

  @Option(
    name: .customLong("in"), parsing: .unconditional,
    help: ArgumentHelp(
      "The start of the clip, in capture time: 1.2s, 250ms, 00:00:01.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var start: Duration?

  @Option(
    name: .customLong("out"), parsing: .unconditional,
    help: ArgumentHelp("The end of the clip, in capture time.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var end: Duration?

  @Option(
    help: ArgumentHelp(
      """
      What to show where the camera has no frame: hold repeats the previous frame, flow computes one from \
      the motion between the previous and the next frame, blend mixes the two, skip is hold without the time \
      of lost frames. (default: hold)
      """, visibility: .rare))
  var fill: Fill?

  @OptionGroup var stages: AllStageOptions

  @Option(
    help: ArgumentHelp(
      "The clip's codec. (default: that of the clip's name, else h264)", visibility: .rare(in: "record")))
  var codec: VideoEncoder.Kind?

  @Option(
    help: ArgumentHelp(
      "The encoder's preset: slower presets make smaller files. (default: veryfast)", visibility: .rare))
  var preset: VideoEncoder.Preset?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The encoder's quality: a lower number gives a better picture and a larger file. 0 to 51 for h264 and \
      hevc, 0 to 63 for av1, 1 to 31 for mjpeg, 0 to 100 for webp. (default: 20 for h264, 22 for hevc, 30 for \
      av1, 3 for mjpeg, 25 for webp)
      """,
      valueName: "quality", visibility: .rare))
  var crf: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Make the clip at most this large, in the best quality that fits: 10MB, 800kB.",
      valueName: "size",
      visibility: .rare(in: "record")),
    transform: { try ByteCount(text: $0).bytes })
  var under: Int64?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "A purpose that stands for options.",
      discussion: "They are \(ClipPurpose.listed).".rare, valueName: "purpose",
      visibility: .rare(in: "record")))
  var purpose: ClipPurpose?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many times a GIF, WebP or APNG plays; 0 is forever. (default: 0)", valueName: "number",
      visibility: .rare))
  var loops: Int?

  @Option(
    help: ArgumentHelp(
      """
      What to do with the audio: drop leaves it out, stretch keeps its pitch, pitch lowers it, as slow tape \
      does. (default: stretch, or drop if any part is slower than half speed)
      """, visibility: .rare(in: "record")))
  var audio: ClipAudio?

  @Flag(
    help: ArgumentHelp(
      "Rewrite only the times, without decoding or encoding.", visibility: .rare(in: "record")))
  var copy = false

  /// The clip's codec, given or default.
  private var usedCodec: VideoEncoder.Kind { codec ?? .h264 }

  func validate() throws {
    try refuseConflicts()
    if let crf, let qualities = usedCodec.qualities, !qualities.contains(crf) {
      throw ValidationError(
        "--crf \(crf) is out of range; --codec \(usedCodec.rawValue) takes \(Int(qualities.lowerBound)) to "
          + "\(Int(qualities.upperBound)).")
    }
    if let loops, !(0...Int(UInt16.max)).contains(loops) {
      throw ValidationError(
        "--loops \(loops) is out of range; give 0 to repeat it forever, or a number up to 65535.")
    }
    if let end, end <= start ?? .zero {
      throw ValidationError("--out must be later than --in.")
    }
  }

  /// The options that were given.
  var given: [String] {
    let values: [String?] = [
      fill.map { "--fill \($0)" }, codec.map { "--codec \($0.rawValue)" }, audio.map { "--audio \($0)" },
      speed?.isOfSource ?? false ? "--speed source" : nil, purpose.map { "--for \($0.rawValue)" },
    ]
    return [String](given: [
      "--speed": speed != nil, "--clip-fps": clipRate != nil, "--in": start != nil, "--out": end != nil,
      "--fill": fill != nil, "--codec": codec != nil, "--preset": preset != nil, "--crf": crf != nil,
      "--loops": loops != nil, "--under": under != nil, "--for": purpose != nil,
      "--audio": audio != nil, "--copy": copy,
    ]) + stages.given + values.compactMap(\.self)
  }

  /// A remark that the clip is a time lapse, which a speed above one may not have been meant for; `nil`
  /// otherwise.
  var fastRemark: String? {
    guard case .curve(let curve)? = speed, curve.points.count == 1,
      let factor = curve.points.first?.speed.factor,
      factor > Fraction(1)
    else { return nil }
    let times = factor.decimal(places: 4)
    return
      "--speed \(times) plays \(times) times faster than real time; 1/\(times) plays \(times) times slower."
  }

  /// A warning that clip options have no effect without a clip; `nil` if none is given.
  var uselessWithoutClip: String? {
    let names = given.filter { !$0.contains(" ") }
    return names.isEmpty
      ? nil
      : "warning: --no-clip writes no clip: \(names.joined(separator: ", ")) "
        + "\(names.count == 1 ? "has" : "have") no effect."
  }

  /// The part of the source.
  var part: ClipSpan { ClipSpan(start: start ?? .zero, end: end) }

  /// Returns the clip spec that the options describe.
  ///
  /// - Parameters:
  ///   - video: the source of the clip; `nil` if it does not exist yet.
  ///   - path: the clip's file, which may determine its codec; `nil` if it was not named.
  func spec(of video: SourceVideo? = nil, named path: FilePath? = nil) throws -> ClipSpec {
    let curve = try speed?.curve(of: video)
    if copy, let curve { return ClipSpec(copy: CopySpec(speed: curve), of: part) }
    let usual = purpose?.spec ?? RenderSpec()
    let codec = codec ?? path.flatMap { Container(ofClip: $0).onlyCodec } ?? usual.codec
    var stages = try stages.stages
    if stages[ClipCrop.self] == nil { stages[ClipCrop.self] = usual.stages[ClipCrop.self] }
    return ClipSpec(
      RenderSpec(
        speed: curve, outputRate: clipRate, fill: fill ?? .hold, stages: stages, codec: codec,
        preset: preset ?? usual.preset, quality: crf ?? purpose?.quality(of: codec), playCount: loops,
        largestSize: under ?? usual.largestSize, audio: audio), of: part)
  }

  /// Returns the options of `retime` that describe `spec`.
  static func words(for spec: ClipSpec) -> [String] {
    func time(_ time: Duration) -> String { "\(time.inSeconds.decimal(places: 9))s" }
    var words = spec.speed.map { ["--speed", $0.text] } ?? []
    if spec.part.start > .zero { words += ["--in", time(spec.part.start)] }
    if let end = spec.part.end { words += ["--out", time(end)] }
    guard let render = spec.render else { return words + ["--copy"] }
    let usual = RenderSpec()
    if let rate = render.outputRate { words += ["--fps", rate.text] }
    if render.fill != usual.fill { words += ["--fill", render.fill.rawValue] }
    words += AllStageOptions.words(for: render.stages)
    if render.codec != usual.codec { words += ["--codec", render.codec.rawValue] }
    if render.preset != usual.preset { words += ["--preset", render.preset.rawValue] }
    if let quality = render.quality {
      words += ["--crf", "\(Int(exactly: quality).map { "\($0)" } ?? "\(quality)")"]
    }
    if let size = render.largestSize {
      words += ["--under", size % 1_000_000 == 0 ? "\(size / 1_000_000)MB" : "\(size)"]
    }
    if let count = render.playCount { words += ["--loops", "\(count)"] }
    if let audio = render.audio { words += ["--audio", audio.rawValue] }
    if let layout = render.layout { words += ["--layout", layout.rawValue] }
    return words
  }
}

/// The value of --speed.
enum SpeedArgument {
  case curve(SpeedCurve)
  /// A file with a curve. It is read only after the rest of the command line has been checked.
  case file(FilePath)
  /// The ramp that the source's phone stored.
  case source

  /// The largest size of a curve file: a thousand points take less.
  private static let largestFile = 1 << 20

  init(_ text: String) throws {
    self =
      ["source", "film"].contains(text)
      ? .source
      : text.hasPrefix("@")
        ? .file(FilePath(given: String(text.dropFirst()))) : .curve(try SpeedCurve(text: text))
  }

  /// Whether the speed comes from the source itself.
  var isOfSource: Bool { if case .source = self { true } else { false } }

  /// Returns the curve for a clip of `video`; `nil` means that the source does not exist yet.
  func curve(of video: SourceVideo? = nil) throws -> SpeedCurve {
    switch self {
    case .curve(let curve): return curve
    case .file(let path): return try Self.read(path)
    case .source:
      guard let video else {
        throw Failure(
          "--speed source is the ramp that a phone stored with its video. Give it to \"overcrank retime\"; "
            + "here, give a speed or a curve.", exitCode: ExitStatus.usage)
      }
      guard let ramp = video.pace.ramp else {
        throw Failure(
          "\(video.name): has no ramp from a phone. Give a speed or a curve instead of --speed source.",
          exitCode: ExitStatus.badData)
      }
      return ramp
    }
  }

  private static func read(_ path: FilePath) throws -> SpeedCurve {
    let bytes: [UInt8]
    try FileLock.keepInput(path)
    do throws(Errno) {
      bytes = try WholeFile.bytes(of: path, atMost: largestFile)
    } catch .fileTooLarge {
      throw Failure.noCurve(path)
    } catch {
      throw Failure(WholeFile.failure(path, error))
    }
    // Editors of Windows begin a file with this mark of its encoding.
    let content = bytes.starts(with: "\u{feff}".utf8) ? bytes.dropFirst(3) : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else { throw Failure.noCurve(path) }
    do {
      return try SpeedCurve(text: text)
    } catch {
      let line = error.line.map { "line \($0): " } ?? ""
      throw Failure("--speed @\(path): \(line)\(error)", exitCode: ExitStatus.usage)
    }
  }
}

extension Failure {
  fileprivate static func noCurve(_ path: FilePath) -> Failure {
    Failure("--speed @\(path): is not a text file of points such as 1.2s:1/8.", exitCode: ExitStatus.usage)
  }
}

extension VideoEncoder.Preset: ExpressibleByArgument {
  /// Reads a preset in any case.
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

extension VideoEncoder.Kind: ExpressibleByArgument {
  /// Reads a codec by any of its usual names, in any case.
  public init?(argument: String) {
    switch argument.lowercased().filter({ $0 != "." }) {
    case "h265", "x265", "libx265": self = .hevc
    case "avc", "x264", "libx264": self = .h264
    case let name:
      guard let kind = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
      self = kind
    }
  }
}

extension Fill: ExpressibleByArgument {
  /// Reads a way of filling in any case.
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

extension ClipLayout: ExpressibleByArgument {
  /// Reads a layout in any case.
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

extension ClipAudio: ExpressibleByArgument {
  /// Reads a treatment in any case.
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
