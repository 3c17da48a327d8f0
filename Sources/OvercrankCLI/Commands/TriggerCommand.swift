import ArgumentParser
import Capture
import Takes

struct TriggerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trigger", abstract: "Triggers a take of a recording that stands by.",
    discussion: """
      The recording must have been started by the same user with "overcrank record --trigger socket" or \
      --trigger socket=NAME. Waits for its answer. Exits with 69 if no recording stands by.
      """)

  @Argument(
    help: "The socket's name, as in --trigger socket=NAME. (default: the only recording that stands by)",
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
