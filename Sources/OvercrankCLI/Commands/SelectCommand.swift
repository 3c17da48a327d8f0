import ArgumentParser
import Cameras
import Foundation

struct SelectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "select", abstract: "Says which mode a recording would take, and why.")

  @OptionGroup var mode: ModeOptions

  @OptionGroup var source: TableOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try source.validate(camera: mode.camera)
  }

  func run() throws {
    let choice = mode.choice(from: try source.table(camera: mode.camera, output))
    if output.json {
      try Console.sayJSON(choice)
      if choice.mode == nil { throw ExitCode(ExitStatus.unavailable) }
      return
    }
    let winner = try choice.winner(of: mode.camera ?? source.from ?? "The camera")
    Console.say("\(winner)\n  \(choice.reason)")
    for runner in choice.runnersUp { Console.say("  then \(runner.mode): \(runner.reason)") }
  }
}

extension ModeChoice {
  /// The mode to take, or the error that lists the nearest below.
  func winner(of camera: String) throws(Failure) -> Mode {
    if let mode { return mode }
    let asked = "\(camera) cannot film at \(askedRate) fps: \(reason)"
    guard let fastest = nearest.first, let top = fastest.rate,
      let widest = nearest.max(by: {
        ($0.width, $0.height, $0.rate ?? top) < ($1.width, $1.height, $1.rate ?? top)
      }),
      let widestRate = widest.rate
    else {
      throw Failure(
        "\(asked); no mode promises any rate. See \"overcrank formats\".", exitCode: ExitStatus.unavailable)
    }
    var lines = ["\(asked). The nearest below:"] + nearest.prefix(4).map { "  \($0)" }
    lines.append("Take the fastest with --fps \(top)")
    if widest != fastest { lines[lines.count - 1] += ", or the widest, \(widest), with --fps \(widestRate)" }
    throw Failure(lines.joined(separator: "\n") + ".", exitCode: ExitStatus.unavailable)
  }
}
