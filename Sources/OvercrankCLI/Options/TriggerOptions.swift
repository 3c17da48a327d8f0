import ArgumentParser
import Foundation
import Overcrank

/// The events that begin a take, and the time before and after them that belongs to it.
struct TriggerOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Wait for this trigger, then record a take: enter, \(Self.otherKinds); may be repeated.",
      discussion: (TriggerSources.all.map { "\($0.usage)." } + [
        "\"overcrank trigger\" or \"overcrank trigger NAME\" triggers a socket; "
          + "with --mode, it changes the mode.",
        "A trigger during a take extends it; a take without a limit ends at the next trigger.",
      ]).joined(separator: "\n").rare,
      valueName: "kind"),
    completion: .trigger,
    transform: { try TriggerSources.source($0) })
  var trigger: [any TriggerSource] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Pre-roll: how much time before the trigger to keep: 2s, 500ms.", valueName: "time"),
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
      "Send a pulse of 10 ms when a take begins, on a line of a GPIO chip: gpio=gpiochip0:17.",
      valueName: "line", visibility: .rare),
    transform: { try TakePulse(text: $0) })
  var pulse: TakePulse?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many takes to record, one for each trigger: FILE-1.mp4, FILE-2.mp4 and so on; "
        + "0 continues until Ctrl-C.",
      valueName: "number", visibility: .rare))
  var takes: Int?

  /// Whether takes wait for triggers.
  var isUsed: Bool { !trigger.isEmpty }

  /// The options that were given.
  var given: [String] {
    [String](given: [
      "--trigger": isUsed, "--pre": pre != nil, "--post": post != nil, "--takes": takes != nil,
    ])
  }

  func validate() throws {
    if let takes, takes < 0 {
      throw ValidationError("--takes \(takes) is negative; 0 continues until Ctrl-C.")
    }
    if let post, post <= .zero {
      throw ValidationError("--post 0 ends the take as soon as it begins; give a longer time, such as 1s.")
    }
    if trigger.count(where: \.readsInput) > 1 {
      throw ValidationError("--trigger enter, key and stdin all read standard input; give one of them.")
    }
    if Set(trigger.map(\.description)).count < trigger.count {
      throw ValidationError("The same --trigger is given twice; drop one.")
    }
    let parts = trigger.compactMap(\.ownedPart) + (pulse.map { ["GPIO line \($0.line)"] } ?? [])
    if let part = parts.first(where: { part in parts.count { $0 == part } > 1 }) {
      throw ValidationError(
        "Two options use \(part), which can have only one use; drop one, or give it another.")
    }
    if isUsed, let takes, takes > trigger.count, trigger.allSatisfy({ Self.comesOnce($0) }) {
      throw ValidationError(
        "A time of day comes only once, so --takes \(takes) needs \(takes) of them, or another kind of "
          + "--trigger too."
      )
    }
  }

  /// Returns whether a source triggers only once.
  private static func comesOnce(_ source: any TriggerSource) -> Bool {
    switch source.time {
    case .timeOfDay, .deadline: true
    case .delay, nil: false
    }
  }

  /// The kinds of triggers besides Enter, as `key, signal, ...`.
  static let otherKinds = TriggerSources.all.compactMap { source in
    source.kind == .enter ? nil : source.example
  }.joined(separator: ", ")

  /// A remark if the first take cannot have its whole pre-roll.
  var remark: String? {
    let soonest = trigger.compactMap { source -> Duration? in
      if case .delay(let delay) = source.time { delay } else { nil }
    }.min()
    guard let pre, let soonest, soonest < pre else { return nil }
    return
      "--pre \(pre.inSeconds.decimal(places: 3))s is shortened, because the first trigger comes "
      + "\(soonest.inSeconds.decimal(places: 3)) s after the start."
  }

  /// Returns the limit at which a take is complete, counted from its trigger.
  func limit(_ take: TakeOptions) -> RecordingLimit {
    post.map { RecordingLimit(duration: $0) } ?? take.limit
  }

  /// The number of takes; `nil` for no limit.
  var takeCount: Int? { takes == 0 ? nil : takes ?? 1 }

  /// Returns the plan for these options.
  func plan(_ take: TakeOptions) -> SessionPlan {
    SessionPlan(
      preRoll: pre ?? .zero, limit: limit(take), takeCount: takeCount,
      times: trigger.compactMap(\.time))
  }

  /// An instruction for beginning a take.
  var prompt: String {
    var ways: [String] = []
    for source in trigger {
      // This program has a command that triggers a socket.
      let way = (source as? SocketTrigger).map { "run \"\($0.command)\"" } ?? source.prompt
      if !ways.contains(way) { ways.append(way) }
    }
    return ways.joined(separator: " or ")
  }

  /// Returns the lines about the triggers, to be printed once the camera sends frames.
  func words(_ take: TakeOptions) -> [String] {
    let what = takeCount == 1 ? "the take" : takeCount.map { "each of \($0) takes" } ?? "a take"
    var beginning = "To begin \(what): \(prompt)."
    if takeCount == 1, trigger.count == 1, case .delay(let delay)? = trigger.first?.time {
      beginning = "The trigger comes in \(delay.inSeconds.decimal(places: 3)) s."
    }
    var lines = ["Armed. \(beginning) Ctrl-C ends the recording."]
    guard limit(take) == RecordingLimit() else { return lines }
    let input = trigger.contains(where: \.readsInput)
    lines.append(
      "A take ends at the next trigger"
        + "\(input || isatty(STDIN_FILENO) == 0 ? "" : ", or when you press Enter").")
    return lines
  }
}

extension SocketTrigger {
  /// The command that triggers it.
  fileprivate var command: String {
    "overcrank trigger" + (name == TriggerSocketAddress.usualName ? "" : " \(name.shellWord)")
  }
}
