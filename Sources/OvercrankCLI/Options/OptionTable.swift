import Overcrank

extension OptionRule {
  /// All rules about which options go together.
  static let all: [OptionRule] = general + clips + orders + retime + groups + record + snap + bench + others

  private static let general = [
    rival("--quiet", ["--verbose"], "--quiet and --verbose are opposites; give one of them."),
    rival("--csv", ["--json"], "--csv and --json are two forms of the same output; give one of them."),
    excluded(
      ["--json"], by: ["--events -"],
      "--events - and --json both write to standard output; name a file for --events, or drop one."),
    excluded(
      ["--exposure", "--gain", "--set", "--ramp", "--refocus", "--flash"], by: ["--keep-controls"],
      "--keep-controls changes no controls; give it without {}."),
    needing(["--frames-json"], ["--json"], "--frames-json adds to the output of --json; give both."),
    rival("--at", ["--frame"], "--at and --frame both choose a frame; give one of them."),
    rival(
      "--keep-master", ["--keep-clip"],
      "--keep-master and --keep-clip together delete nothing; give one of them."),
    excluded(
      ["--verify"], by: ["--from"],
      "--verify asks a camera, but --from reads its table from a file; drop one of them."),
  ]

  private static let clips = [
    needing(["--copy"], ["--speed"], "--copy needs --speed, such as --speed 1/8."),
    excluded(
      ["--clip-fps", "--fill", "--codec", "--preset", "--crf", "--under", "--for", "--loops"]
        + AllStageOptions.names
        + DeinterlaceOptions.names,
      by: ["--copy"], "--copy keeps every frame as it is, so {} cannot be used with it; drop one of them."),
    excluded(
      soundingAudio, by: ["--copy"],
      "--copy leaves audio out, so {} cannot be used with it; drop one of them."),
    excluded(
      ["--crf"], by: codecs { $0.qualities == nil },
      "--crf cannot be used with {other}, which has no quality setting; drop --crf."),
    excluded(
      ["--preset"], by: codecs { !$0.hasPresets },
      "--preset cannot be used with {other}, which has no presets; drop --preset."),
    excluded(
      ["--stamp"], by: Fill.allCases.filter(\.isInterpolated).map { "--fill \($0)" },
      "--stamp has no capture time for the frames that {other} computes; drop one of them."),
    needing(["--zoom-at", "--follow"], ["--zoom"], "{} needs --zoom, such as --zoom 2."),
    rival(
      "--zoom-at", ["--follow"],
      "--zoom-at is one position, --follow several over time; give one of them."),
    excluded(
      ["--white-balance", "--black"], by: ["--develop none"],
      "--develop none leaves raw video as it is, so {} cannot be used with it; drop one of them."),
  ]

  private static let orders = OrderOptions.names.indices.dropLast().map { place in
    rival(
      OrderOptions.names[place], Array(OrderOptions.names[(place + 1)...]),
      "{} and {other} both choose the order of frames; give one of them.")
  }

  private static let retime = [
    rival("--fps", ["--clip-fps"], "--fps and --clip-fps mean the same here; give one of them."),
    excluded(
      ["--fps"], by: ["--copy"],
      "--copy keeps every frame as it is, so --fps cannot be used with it; drop one of them."),
    needing(["--in-place"], ["--copy"], "--in-place works only with --copy; give both."),
    excluded(
      ["-"], by: ["--in-place"],
      "--in-place changes a file, but - is standard input; name a file."),
    excluded(
      ["--speed source"], by: ["--in-place"],
      "--in-place takes one speed throughout, but --speed source is a curve; give a speed."),
    excluded(["-o", "--force"], by: ["--in-place"], "--in-place writes no new file; leave out {}."),
    excluded(
      ["--rotate", "--mirror"], by: ["--in-place"],
      "--in-place changes only the video's times; leave out --rotate and --mirror."),
    excluded(
      ["--capture-rate"], by: ["--in-place"],
      "--in-place changes only Overcrank's files, which state their capture rate; leave out --capture-rate."),
    excluded(["--audio"], by: ["--in-place"], "--in-place does not change audio; leave out --audio."),
    excluded(
      ["--in", "--out"], by: ["--in-place"], "--in-place keeps every frame; leave out --in and --out."),
    excluded(
      ["--json"], by: ["-o -"],
      "-o - and --json both write to standard output; name a file, or leave out --json."),
    excluded(
      ["--codec", "--preset", "--crf", "--under", "--for", "--loops", "--audio", "--copy", "--force"],
      by: ["-o -"],
      "-o - writes only pictures, uncompressed (Y4M), so {} cannot be used with it; drop {}, or "
        + "name a file."),
  ].map { $0.of("retime") }

  /// The rules for clips of a group.
  private static let groups = [
    excluded(
      ["--copy", "--in-place"], by: ["--layout"],
      "{} keeps the frames of one camera as they are, so it cannot make a clip of a group (--layout); leave out {}."
    ),
    excluded(
      ["--zoom", "--zoom-at", "--follow"], by: ["--layout"],
      "{} follows what one camera shows, so it cannot be used for a group (--layout); drop it, or crop with --crop."
    ),
    excluded(
      ["--for phone"], by: ["--layout"],
      "{} crops to 9:16, and would cut off cameras of a group (--layout); give --crop, which crops each camera's picture, "
        + "and --layout stack."),
    excluded(
      ["--fill skip"], by: ["--layout"],
      "{} would skip the time of frames that only one camera lost, so it cannot be used for a group (--layout); give "
        + "--fill hold or --fill flow."),
    excluded(
      ["--capture-rate"], by: ["--layout"],
      "the takes of a group (--layout) state when its frames were captured; leave out {}."),
  ].map { $0.of("retime", "edit") }

  private static let record = [
    rival("--duration", ["--frames"], "--duration and --frames both end the recording; give one of them."),
    rival(
      "--post", ["--duration", "--frames"],
      "--post and {other} both end the take; give one of them. Each counts from the trigger."),
    needing(
      ["--pre", "--post", "--takes"], ["--trigger"],
      "{} needs a trigger: add --trigger enter, or \(TriggerOptions.otherKinds)."),
    needing(
      ["--refocus"], ["--trigger"],
      "--refocus focuses between takes, so it needs a trigger: add --trigger enter."),
    needing(
      soundingAudio, ["--mic"],
      "Without --mic, a recording has no audio, so {} cannot be used; add --mic."),
    excluded(
      soundingAudio, by: ["--mic none"],
      "With --mic none, a recording has no audio, so {} cannot be used; name a microphone."),
    rival(
      "--no-clip", ["--discard-master"],
      "--no-clip and --discard-master together leave nothing; drop one of them."),
    excluded(
      ["--clip-while-recording"], by: ["--no-clip"],
      "--no-clip writes no clip, so --clip-while-recording cannot be used with it; drop one of them."),
    excluded(
      ["--clip-while-recording"], by: ["--copy"],
      "--copy only rewrites times, so --clip-while-recording has nothing to render; drop one of them."),
    needing(["--move"], ["--export"], "--move works only with --export; give both."),
    excluded(
      ["--reconnect"], by: ["--with"],
      "--reconnect continues in a take of one camera alone, so it cannot be used with --with; drop one of them."
    ),
    excluded(
      ["--refocus"], by: ["--with"],
      "--refocus would change the picture of one camera alone, so it cannot be used with --with; drop one of them."
    ),
    excluded(
      ["--export"], by: ["--with"],
      "--export copies single takes, so it cannot be used with --with; drop it, and export the takes later."),
    excluded(
      ["--frames --takes", "--max-size --takes"], by: ["--with"],
      "{} with --with would end the takes of the cameras at different times; give --post or --duration instead."
    ),
  ].map { $0.of("record") }

  private static let snap = [
    rival(
      "--motion-photo", ["--live-photo"],
      "--motion-photo writes one file, --live-photo a pair; give one of them."),
    needing(
      ["--trigger", "--shots", "--mic", "--events"], motionPhotos,
      "{} applies only to Motion Photos; add --motion-photo or --live-photo."),
    excluded(
      ["--as", "--jpeg-quality", "--burst", "--flash", "--largest"], by: motionPhotos,
      "{} does not apply to Motion Photos; give it without --motion-photo and --live-photo."),
    excluded(
      ["--quality"], by: ["--largest"],
      "--largest and --quality both choose the still's size; give one of them."),
    excluded(
      ["--burst"], by: ["--fps --largest"],
      "--burst writes consecutive frames at the camera's rate; give it without --largest or without --fps."),
    needing(
      ["--strict"], ["--burst"], "--strict checks for lost frames within a --burst; give both."),
  ].map { $0.of("snap") }

  private static let bench = [
    excluded(["--fps"], by: ["--all"], "--all measures every rate; drop --fps or --all."),
    excluded(["--prefer", "--quality"], by: ["--all"], "--all measures every mode; drop {} or --all."),
    excluded(["--plot"], by: ["--all"], "--plot draws one mode; drop --all or --plot."),
    excluded(
      ["--all", "--plot", "--save"], by: ["--with"],
      "--with measures one mode of each camera, and how they impair each other; drop {} or --with."),
    needing(["--force"], ["--plot"], "--force replaces an existing plot; give --plot too, or drop --force."),
  ].map { $0.of("bench") }

  private static let others = [
    rival("--duration", ["--frames"], "--duration and --frames both end the playback; give one of them.")
      .of("simulate"),
    needing(["--largest"], ["--still"], "--largest applies only to a still; add --still.").of("trigger"),
    excluded(
      ["--mode"], by: ["--still"], "--still and --mode are separate requests; give one at a time."
    ).of("trigger"),
  ]

  private static let motionPhotos = ["--motion-photo", "--live-photo"]
  /// The options that request a clip with audio.
  private static let soundingAudio = ClipAudio.allCases.filter { $0 != .drop }.map { "--audio \($0)" }

  private static func codecs(where fits: (VideoEncoder.Kind) -> Bool) -> [String] {
    VideoEncoder.Kind.allCases.filter(fits).map { "--codec \($0.rawValue)" }
  }

  private static func rival(_ option: String, _ others: [String], _ message: String) -> OptionRule {
    OptionRule(relation: .rival, options: [option], others: others, message: message)
  }

  private static func excluded(
    _ options: [String], by others: [String], _ message: String
  ) -> OptionRule {
    OptionRule(relation: .excluded, options: options, others: others, message: message)
  }

  private static func needing(
    _ options: [String], _ others: [String], _ message: String
  ) -> OptionRule {
    OptionRule(relation: .needing, options: options, others: others, message: message)
  }

  private func of(_ commands: String...) -> OptionRule {
    var rule = self
    rule.commands = Set(commands)
    return rule
  }
}
