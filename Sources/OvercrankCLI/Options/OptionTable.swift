import Overcrank

extension OptionRule {
  /// All rules about which options go together.
  static let all: [OptionRule] = general + clips + retime + record + snap + bench + others

  private static let general = [
    rival("--quiet", ["--verbose"], "--quiet and --verbose are opposites; give one of them."),
    rival("--csv", ["--json"], "--csv and --json are two forms of the same; give one of them."),
    excluded(
      ["--json"], by: ["--events -"],
      "--events - and --json both write to standard output; name a file for one of them, or drop one."),
    excluded(
      ["--exposure", "--gain", "--set", "--ramp", "--refocus", "--flash"], by: ["--keep-controls"],
      "--keep-controls touches no control; give it without {}."),
    needing(["--frames-json"], ["--json"], "--frames-json adds to --json; give both."),
    rival("--at", ["--frame"], "--at and --frame both choose a frame; give one of them."),
    rival(
      "--keep-master", ["--keep-clip"],
      "--keep-master and --keep-clip together delete nothing; give one of them."),
    excluded(
      ["--verify"], by: ["--from"],
      "--verify asks a camera, and a table out of --from has none, so there is nothing to verify; drop one of them."
    ),
  ]

  private static let clips = [
    needing(["--copy"], ["--speed"], "--copy needs --speed: by how much to slow it down."),
    excluded(
      ["--clip-fps", "--fill", "--codec", "--preset", "--crf"] + AllStageOptions.names
        + DeinterlaceOptions.names,
      by: ["--copy"], "--copy keeps every frame as it is, so {} has no meaning with it; drop one of them."),
    excluded(
      soundingAudio, by: ["--copy"],
      "--copy leaves audio out, so {} has no meaning with it; drop one of them."),
    excluded(
      ["--crf"], by: codecs { $0.qualities == nil },
      "--crf has no meaning with {other}, which has no quality to set; drop --crf."),
    excluded(["--preset"], by: codecs { !$0.hasPresets }, "--preset has no meaning with {other}; drop it."),
    excluded(
      ["--stamp"], by: Fill.allCases.filter(\.isInterpolated).map { "--fill \($0)" },
      "--stamp has no time for a frame that --fill mixes of two; drop one of them."),
    needing(["--zoom-at", "--follow"], ["--zoom"], "{} needs --zoom: by how much to enlarge the picture."),
    rival(
      "--zoom-at", ["--follow"],
      "--zoom-at is one place, and --follow are places at times; give one of them."),
    excluded(
      ["--white-balance", "--black"], by: ["--develop none"],
      "--develop none leaves raw films as they are, so {} has no meaning with it; drop one of them."),
  ]

  private static let retime = [
    rival("--fps", ["--clip-fps"], "--fps and --clip-fps are the same here; give one of them."),
    excluded(
      ["--fps"], by: ["--copy"],
      "--copy keeps every frame as it is, so --fps has no meaning with it; drop one of them."),
    needing(["--in-place"], ["--copy"], "--in-place is a way of --copy; give both."),
    excluded(
      ["-"], by: ["--in-place"],
      "--in-place changes a file, and - is standard input; name a file."),
    excluded(
      ["--speed film"], by: ["--in-place"],
      "--in-place takes one speed throughout, and --speed film is a curve; give a speed."),
    excluded(["-o", "--force"], by: ["--in-place"], "--in-place makes no new file; leave out {}."),
    excluded(
      ["--rotate", "--mirror"], by: ["--in-place"],
      "--in-place changes the film's time alone; leave out --rotate and --mirror."),
    excluded(
      ["--capture-rate"], by: ["--in-place"],
      "--in-place changes what Overcrank made, which says itself how fast it was captured; leave out --capture-rate."
    ),
    excluded(["--audio"], by: ["--in-place"], "--in-place touches no audio; leave out --audio."),
    excluded(
      ["--in", "--out"], by: ["--in-place"], "--in-place keeps every frame; leave out --in and --out."),
    excluded(
      ["--json"], by: ["-o -"],
      "-o - and --json both write to standard output; name a file, or leave --json out."),
    excluded(
      ["--codec", "--preset", "--crf", "--audio", "--copy", "--force"], by: ["-o -"],
      "-o - writes the pictures alone, uncompressed (Y4M), so {} has no meaning with it; drop it, or name a file."
    ),
  ].map { $0.of("retime") }

  private static let record = [
    rival("--duration", ["--frames"], "--duration and --frames both end the recording; give one of them."),
    rival(
      "--post", ["--duration", "--frames"],
      "--post and {other} both end the take; give one of them. All count from the trigger on."),
    needing(
      ["--pre", "--post", "--takes"], ["--trigger"],
      "{} needs something that begins a take: add --trigger enter, or \(TriggerOptions.otherKinds)."),
    needing(
      ["--refocus"], ["--trigger"],
      "--refocus focuses between takes, and needs something that begins them: add --trigger enter."),
    needing(
      soundingAudio, ["--mic"],
      "Without --mic a recording has no audio, so {} has no meaning here; add --mic."),
    excluded(
      soundingAudio, by: ["--mic none"],
      "With --mic none a recording has no audio, so {} has no meaning here; name a microphone."),
    rival(
      "--no-clip", ["--discard-master"],
      "--no-clip and --discard-master together leave nothing; drop one of them."),
    excluded(
      ["--clip-while-filming"], by: ["--no-clip"],
      "--no-clip makes no clip, so --clip-while-filming has no meaning with it; drop one of them."),
    excluded(
      ["--clip-while-filming"], by: ["--copy"],
      "--copy only rewrites times, so there is nothing that --clip-while-filming could begin with; drop one of them."
    ),
    needing(["--move"], ["--export"], "--move is a way of --export; give both."),
  ].map { $0.of("record") }

  private static let snap = [
    rival(
      "--motion-photo", ["--live-photo"],
      "--motion-photo makes one file, --live-photo a pair; give one of them."),
    needing(
      ["--trigger", "--shots", "--mic", "--events"], motionPhotos,
      "{} is about Motion Photos; add --motion-photo or --live-photo."),
    excluded(
      ["--as", "--jpeg-quality", "--burst", "--flash", "--largest"], by: motionPhotos,
      "{} is not about Motion Photos; give it without --motion-photo and --live-photo."),
    excluded(
      ["--quality"], by: ["--largest"],
      "--largest and --quality both say how large the still is; give one of them."),
    excluded(
      ["--burst"], by: ["--fps --largest"],
      "--burst writes frames in a row, at the camera's rate; give it without --largest or without --fps."),
    needing(["--strict"], ["--burst"], "--strict is about the frames between those of --burst; give both."),
  ].map { $0.of("snap") }

  private static let bench = [
    excluded(["--fps"], by: ["--all"], "--all measures every rate; drop --fps, or drop --all."),
    excluded(["--prefer", "--quality"], by: ["--all"], "--all measures every mode; drop {}, or drop --all."),
    excluded(["--plot"], by: ["--all"], "--plot draws one mode; drop --all, or drop --plot."),
    needing(["--force"], ["--plot"], "--force replaces a plot; give --plot too, or drop it."),
  ].map { $0.of("bench") }

  private static let others = [
    rival("--duration", ["--frames"], "--duration and --frames both end the play; give one of them.")
      .of("simulate"),
    needing(["--largest"], ["--still"], "--largest is about a still; add --still.").of("trigger"),
    excluded(
      ["--mode"], by: ["--still"], "--still and --mode are two requests; give one after the other."
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

  private func of(_ command: String) -> OptionRule {
    var rule = self
    rule.commands = [command]
    return rule
  }
}
