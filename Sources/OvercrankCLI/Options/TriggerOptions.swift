import ArgumentParser
import Capture
import Foundation
import Timebase

/// What begins a take, and what of the time before and after belongs to it.
struct TriggerOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Wait, and record a take when this happens: enter, key, signal, socket, stdin or time=WHEN; may be repeated.",
      discussion: """
        enter: you press Enter, or a line comes on standard input.
        key: you press any key.
        signal: the program gets SIGUSR1.
        socket, socket=NAME: you run "overcrank trigger" or "overcrank trigger NAME".
        stdin: a line of text comes on standard input; the take keeps the text.
        time=10s: ten seconds pass. time=14:30:00: the clock shows this time.
        A trigger during a take makes it longer; a take without an end of its own ends at the next trigger.
        """,
      valueName: "kind"),
    completion: .trigger,
    transform: { try TriggerSource(text: $0) })
  var trigger: [TriggerSource] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Pre-roll: how much of the time before the trigger to keep: 2s, 500ms.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var pre: Duration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to record after the trigger: 1s.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var post: Duration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many takes to record, one for each trigger: FILE-1.mp4, FILE-2.mp4 and so on; 0: until Ctrl-C.",
      valueName: "number"))
  var takes: Int?

  /// Whether takes wait for triggers.
  var isUsed: Bool { !trigger.isEmpty }

  func validate() throws {
    guard isUsed else {
      for (option, isGiven) in [("--pre", pre != nil), ("--post", post != nil), ("--takes", takes != nil)]
      where isGiven {
        throw ValidationError(
          "\(option) needs something that begins a take: add --trigger enter, or key, signal, socket, stdin, time=10s."
        )
      }
      return
    }
    if let takes, takes < 0 {
      throw ValidationError("--takes \(takes) is less than none; 0 goes on until Ctrl-C.")
    }
    if let post, post <= .zero {
      throw ValidationError("--post 0 ends the take where it begins; give more, such as 1s.")
    }
    if trigger.count(where: \.readsInput) > 1 {
      throw ValidationError("--trigger enter, key and stdin all read standard input; give one of them.")
    }
    if Set(trigger).count < trigger.count { throw ValidationError("A --trigger is given twice; drop one.") }
  }

  /// Throws where the end of a take is given twice.
  func validate(with take: TakeOptions) throws {
    guard post != nil, take.duration != nil || take.frames != nil else { return }
    throw ValidationError(
      "--post and \(take.frames == nil ? "--duration" : "--frames") both end the take; give one of them. "
        + "All count from the trigger on.")
  }

  /// When a take is complete, from its trigger on.
  func limit(_ take: TakeOptions) -> RecordingLimit {
    post.map { RecordingLimit(duration: $0) } ?? take.limit
  }

  /// How many takes there are; `nil` for as many as come.
  var takeCount: Int? { takes == 0 ? nil : takes ?? 1 }

  /// The plan for these options.
  func plan(_ take: TakeOptions) -> SessionPlan {
    SessionPlan(
      preRoll: pre ?? .zero, limit: limit(take), takeCount: takeCount, times: times)
  }

  /// The times that trigger a take.
  private var times: [TriggerTime] {
    trigger.compactMap { if case .time(let time) = $0 { time } else { nil } }
  }

  /// What to do for a take to begin.
  var prompt: String {
    var ways: [String] = []
    for source in trigger {
      let way =
        switch source {
        case .enter: "press Enter"
        case .key: "press a key"
        case .signal: "kill -USR1 \(ProcessInfo.processInfo.processIdentifier)"
        case .socket(let name): "overcrank trigger \(name)"
        case .stdin: "send a line"
        case .time: "wait for the time"
        }
      if !ways.contains(way) { ways.append(way) }
    }
    return ways.joined(separator: " or ")
  }
}
