import ArgumentParser
import Capture
import Takes

struct TriggerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trigger", abstract: "Begins a take of a recording that waits for it.",
    discussion: """
      The recording is one that was started with "overcrank record --trigger socket", or --trigger socket=NAME, by the \
      same user. Waits until it says what came of the trigger. Exits with 69 where nobody waits.
      """)

  @Argument(
    help: "The socket's name. Without it, that of the only recording that waits.",
    transform: { try TriggerSocketAddress.checked($0) })
  var name: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let reply = try RemoteTrigger.send(to: name)
    if output.json {
      try Console.sayJSON(reply)
    } else if reply.outcome != .refused {
      Console.say("Take \(reply.outcome.take ?? 0) \(reply.words).")
    }
    guard reply.outcome != .refused else {
      throw Failure("The recording begins no further take.", exitCode: ExitStatus.unavailable)
    }
  }
}

extension TriggerReply {
  fileprivate var words: String {
    switch outcome {
    case .started: "has begun"
    case .extended: "goes on for as long again"
    case .ended: "has ended"
    case .refused: "is not there"
    }
  }
}
