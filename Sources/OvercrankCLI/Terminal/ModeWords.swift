import Overcrank

/// Messages about a choice of mode, its outcome, and its alternatives.
struct ModeWords {
  let table: CameraTable
  /// The command with which suggestions begin.
  let head: String
  /// The camera as it was given; `nil` if none was.
  let camera: String?
  /// The camera's name in messages.
  let name: String
  /// The words of the command line that do not choose camera or mode, which suggestions keep.
  var rest: [String] = []
  /// The file that the table was read from, as it was given; `nil` if it came from a camera.
  var from: FileArgument? = nil

  /// The command that lists all modes of the table.
  private var listing: String {
    let source = from.map { ["--from", $0.description] } ?? []
    return (["overcrank formats"] + ([camera].compactMap(\.self) + source).map(\.shellWord))
      .joined(separator: " ")
  }

  /// Returns the command that selects `mode`, or `nil` if no options do.
  func command(taking mode: Mode, _ request: ModeChoice.Request) -> String? {
    request.taking(mode, of: table).map { request in
      ([head] + ([camera].compactMap(\.self) + request.options + rest).map(\.shellWord)).joined(
        separator: " ")
    }
  }

  /// Returns the chosen mode, or throws an error that lists the nearest.
  func winner(of choice: ModeChoice) throws(Failure) -> Mode {
    guard let mode = choice.mode else { throw failure(of: choice) }
    return mode
  }

  /// Returns an error that no mode of `choice` qualifies, with the nearest in each direction and its command.
  func failure(of choice: ModeChoice) -> Failure {
    let directions = choice.directions(in: table)
    let what = choice.isExcluded ? "record with these options" : "record at \(choice.requestedRate) fps"
    var lines = ["\(name) cannot \(what): \(choice.reason)."]
    for direction in directions {
      lines.append("  \(direction.kind.words(choice.request.criteria)): \(direction.mode)")
      if let command = command(taking: direction.mode, direction.request) { lines.append("    \(command)") }
    }
    if choice.isExcluded { lines.append("See \"\(listing)\" for all of its modes.") }
    if directions.isEmpty {
      lines = [
        "\(name) has no mode to record in: \(choice.reason). See \"\(listing)\"."
      ]
    }
    return Failure(lines.joined(separator: "\n"), exitCode: ExitStatus.unavailable)
  }

  /// Prints the modes that the driver refused, and the one that it gave instead.
  static func announce(_ trial: ModeTrial, name: String, _ output: OutputOptions) {
    // If none was accepted, the error lists them.
    guard trial.mode != nil else { return }
    for refusal in trial.refused { output.remark("\(name.asSubject) \(refusal.words).") }
    if let asked = trial.adjustedFrom, let mode = trial.mode {
      output.remark(
        "\(name.asSubject) instead of \(asked), the driver gives \(mode), which is fast enough and is used.")
    }
    if trial.accepted?.interval == nil {
      output.detail("\(name.asSubject) the driver does not report the rate at which it captures.")
    }
  }

  /// Returns a remark that a mode is faster than requested; `nil` if it is not, or if any rate would do.
  static func faster(_ mode: Mode, than asked: RequestedRate?) -> String? {
    guard case .rate(let asked) = asked, let rate = mode.rate,
      rate.framesPerSecond > asked.framesPerSecond * Fraction(101, 100)
    else { return nil }
    return
      "Instead of \(asked) fps, the camera gives \(rate) fps, the nearest rate in this mode that is not slower."
  }

  /// Returns a remark on wider modes that claim the rate of `mode` but were measured slower; `nil` if there
  /// are none.
  static func skipped(for mode: Mode, in table: CameraTable) -> String? {
    guard let rate = mode.rate else { return nil }
    let least = rate.framesPerSecond * Fraction(99, 100)
    let slower = table.rows.compactMap { row -> String? in
      let size = row.size.largest
      guard size.width > mode.width else { return nil }
      let measured = row.latestMeasured.first {
        $0.asked.framesPerSecond >= least && $0.got.framesPerSecond < least
      }
      return measured.map {
        "\(size) \(row.fourcc.printable), measured \($0.got) of \($0.asked) fps"
      }
    }
    return slower.isEmpty
      ? nil
      : "Not chosen, because it was measured as too slow: \(slower.joined(separator: "; ")). "
        + "\"overcrank profiles\" shows where the measurements are saved."
  }

  /// Returns an error that lists what the driver gave instead of each mode, if it accepted none as claimed.
  static func failure(of trial: ModeTrial, name: String) -> Failure {
    let most = 5
    var lines = ["\(name) gives none of the modes that its driver claims for this:"]
    lines += trial.refused.prefix(most).map { "  \($0.words)" }
    if trial.refused.count > most { lines.append("  and \(trial.refused.count - most) more") }
    let best = trial.refused.compactMap(\.got).filter { $0.interval?.rate != nil }
      .max { ($0.interval?.rate ?? .init(whole: 1)) < ($1.interval?.rate ?? .init(whole: 1)) }
    if let best, let rate = best.interval?.rate {
      lines.append(
        "Request a rate that it gives, such as --fps \(rate), or see \"overcrank formats \(name.shellWord)\"."
      )
    }
    return Failure(lines.joined(separator: "\n"), exitCode: ExitStatus.unavailable)
  }
}

extension ModeWords {
  /// The keys of the options that choose the mode.
  private static let modeOptions: Set = ["fps", "format", "max-width", "quality", "prefer"]

  /// Returns the `arguments` of `record` without the command itself and without what chooses camera and mode.
  static func rest(of arguments: [String]) -> [String] {
    RecordOptions.all.words(of: Array(arguments.dropFirst()), without: modeOptions)
  }
}

extension ModeChoice.Request {
  /// The options that express this request.
  fileprivate var options: [String] {
    var options = ["--fps", rate.exactDescription]
    if let format = criteria.format { options += ["--format", format.text] }
    if let width = criteria.maxWidth { options += ["--max-width", "\(width)"] }
    if let quality = criteria.quality { options += ["--quality", "\(quality)"] }
    if let preference = criteria.preference { options += ["--prefer", preference.rawValue] }
    return options
  }
}

extension ModeChoice.Direction.Kind {
  /// Returns a description of this direction: what it keeps, or which of the options for `criteria` it drops.
  fileprivate func words(_ criteria: ModeChoice.Criteria) -> String {
    switch self {
    case .fastest: return "the highest rate"
    case .widest: return "the widest"
    case .unrestricted:
      let given = [
        criteria.format.map { _ in "--format" }, criteria.maxWidth.map { _ in "--max-width" },
        criteria.quality.flatMap { $0 == .high ? nil : "--quality" },
      ]
      return "without \(given.compactMap(\.self).joined(separator: " and "))"
    }
  }
}

extension ModeRefusal {
  /// A text such as `asked for 1920x1080 MJPG at 120 fps, the driver gave 1920x1080 MJPG at 60 fps`.
  var words: String { got == nil ? "\(mode) \(reason)" : "instead of \(mode), the driver \(reason)" }
}

extension String {
  /// The text as one word for a shell, quoted if necessary.
  var shellWord: String {
    let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%"
    guard isEmpty || contains(where: { !plain.contains($0) }) else { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// Whether every shell sees the text as a plain word: letters and digits of any script, and characters
  /// common in file names.
  var isPlainWord: Bool {
    allSatisfy { $0.isASCII ? String($0).shellWord == String($0) : $0.isLetter || $0.isNumber }
  }
}
