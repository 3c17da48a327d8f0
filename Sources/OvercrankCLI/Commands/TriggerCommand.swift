import ArgumentParser
import Overcrank

struct TriggerCommand: ParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "trigger",
    abstract: "Triggers a take of an armed recording, takes a still from it, or changes its mode.",
    discussion: """
      The recording must have been started by the same user with "overcrank record --trigger socket" or \
      --trigger socket=NAME. Waits for its answer. Exits with 69 if no recording is armed, or if it refuses.

      --still takes a still of what the camera captures, during a take or between takes, and starts no take. The still \
      is written beside the takes, as NAME-still-1.jpg.

      --still --largest takes it in the camera's largest mode, between two takes: the camera is set to that mode and \
      back, and sends no frame meanwhile. The recording reports for how long. It refuses during a take.
      """)

  @Argument(
    help: "The socket's name, as in --trigger socket=NAME. (default: the only armed recording)",
    transform: { try TriggerSocketAddress.checked($0) })
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Change the mode instead: 640x480@240, 720p@120, or with a format '640x480@240 YUYV'.",
      discussion: """
        The size is one of --quality, the rate one of --fps. A take in progress ends, and continues in another file. \
        If the camera refuses the mode, the recording stays in the previous one.
        """,
      valueName: "mode"),
    transform: { try ModeRequest(text: $0) })
  var mode: ModeRequest?

  @Flag(help: "Take a still.")
  var still = false

  @Flag(help: "Take the still in the camera's largest mode, between two takes; with --still.")
  var largest = false

  @OptionGroup var output: OutputOptions

  var given: [String] {
    [String](given: ["--still": still, "--largest": largest, "--mode": mode != nil])
  }

  func run() throws {
    if let mode { return try change(to: mode) }
    guard !largest else { return try takeLargestStill() }
    guard !still else {
      let reply = try RemoteTrigger.takeStill(from: name)
      return output.json ? try Console.sayJSON(reply) : Console.say("Still \(reply.id) is being taken.")
    }
    let reply = try RemoteTrigger.send(to: name)
    if output.json {
      try Console.sayJSON(reply)
    } else if reply.outcome != .refused {
      Console.say("Take \(reply.outcome.take ?? 0) \(reply.words).")
    }
    guard reply.outcome != .refused else {
      throw Failure(
        "The recording starts no take now: it has recorded all its takes, or its frames are being reviewed. Trigger it "
          + "again after the review, or start another recording.",
        exitCode: ExitStatus.unavailable)
    }
  }

  private func takeLargestStill() throws {
    let reply = try RemoteTrigger.takeLargestStill(from: name)
    if output.json { try Console.sayJSON(reply) }
    if let reason = reply.reason { throw Failure(reason, exitCode: ExitStatus.unavailable) }
    if !output.json { Console.say("Still \(reply.id) is \(reply.size.map { "\($0)" } ?? "taken").") }
  }

  private func change(to mode: ModeRequest) throws {
    let reply = try RemoteTrigger.changeMode(to: mode, of: name)
    if output.json { try Console.sayJSON(reply) }
    switch reply.outcome {
    case .changed, .unchanged: if !output.json { Console.say(reply.words) }
    case .refused, .superseded, .ended: throw Failure(reply.words, exitCode: ExitStatus.unavailable)
    }
  }
}

extension ModeReply {
  fileprivate var words: String {
    switch outcome {
    case .changed:
      "The camera now captures \(width ?? 0)x\(height ?? 0) \(fourcc ?? "")"
        + (interval?.rate.map { " at \($0) fps. " } ?? ". ")
        + "No frame arrived for \((gap ?? .zero).inSeconds.decimal(places: 3)) s."
    case .unchanged: "The camera already captures in this mode."
    case .refused: reason ?? "The mode is not available."
    case .superseded: "Another mode was requested before this one was set."
    case .ended: "The recording ended before the mode was changed."
    }
  }
}

extension TriggerReply {
  fileprivate var words: String {
    switch outcome {
    case .started: "has started"
    case .extended: "continues: its length counts again from this trigger"
    case .ended: "has ended"
    case .refused: "does not exist"
    }
  }
}
