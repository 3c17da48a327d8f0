import ArgumentParser
import Overcrank

struct TakesFramesCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "frames", abstract: "Prints when each frame was captured, or writes all frames as pictures.",
    discussion: """
      --csv prints a line for each frame of the master: its index, the camera's number, the time from the first frame \
      in seconds, the time on the camera's clock in nanoseconds, and how many frames were lost before it. --png writes \
      lossless pictures, as motion analysis programs need them: NAME-000012-seq0000000345-0.050000000s.png.
      """)

  @OptionGroup var argument: TakeArgument

  @Flag(help: "Print comma-separated values. (default without --png)")
  var csv = false

  @Option(
    help: ArgumentHelp(
      "Write a PNG of each frame to this folder, which is created if it does not exist.", valueName: "folder"),
    completion: .directory)
  var png: FilePath?

  @Option(
    name: .customLong("in"), parsing: .unconditional,
    help: ArgumentHelp(
      "Only frames captured at this time or later, counted from the first frame.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var start: Duration?

  @Option(
    name: .customLong("out"), parsing: .unconditional,
    help: ArgumentHelp("Only frames captured before this time.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var end: Duration?

  @Flag(help: "Replace existing pictures.")
  var force = false

  @OptionGroup var output: OutputOptions

  var given: [String] { [String](given: ["--csv": csv]) + output.given }

  func validate() throws {
    try refuseConflicts()
    if let end, end <= start ?? .zero { throw ValidationError("--out must be later than --in.") }
  }

  func run() async throws {
    let entry = try await argument.entry()
    let take = try entry.takeOfPossibleTimes()
    let frames = take.frameList.lazy.filter { frame in
      frame.sinceFirst >= start ?? .zero && end.map { frame.sinceFirst < $0 } ?? true
    }
    if output.json {
      try Console.sayJSON(frames.map(Report.init))
    } else if csv || png == nil {
      Console.sayData("frame,sequence,time_s,time_ns,lost_before")
      for frame in frames {
        Console.sayData(
          "\(frame.index),\(frame.sequence),\(frame.sinceFirst.secondsText),\(frame.time.nanoseconds),\(frame.lostBefore)"
        )
      }
    }
    // A trailing slash is a dot by now: see `FilePath(given:)`.
    guard let png = png.map({ $0.lastComponent?.kind == .currentDirectory ? $0.folder : $0 }) else { return }
    let chosen = Array(frames)
    guard !chosen.isEmpty else {
      throw Failure(
        "\(entry.path): no frame was captured in that time, so there is no picture to write.",
        exitCode: ExitStatus.usage)
    }
    try write(chosen, of: entry, to: png)
  }

  private func write(_ frames: [FrameEntry], of entry: LibraryEntry, to folder: FilePath) throws {
    try OwnFolder.make(folder, as: "the folder for the pictures", remedy: "Name another.")
    var pictures = try TakePictures(entry)
    let stopped = StopFlag()
    Interruption.shared.set { stopped.set() }
    let line = ProgressLine(isShown: !output.quiet)
    defer { line.clear() }
    let files = entry.files
    var (written, damaged) = (0, [Int]())
    for frame in frames where !stopped.isSet {
      let path = folder.appending(
        "\(entry.name)-\(frame.index.padded(6))-seq\(frame.sequence.padded(10))-\(frame.sinceFirst.secondsText)s.png"
      )
      do throws(OvercrankError) {
        try FileLock.check(path, isNoneOf: files)
        try save(pictures.still(frame.index, as: .png), to: path)
        written += 1
      } catch {
        guard error.code == .badData else { throw error }
        damaged.append(frame.index)
      }
      line.draw("Writing pictures: \(written) of \(frames.count)")
    }
    line.clear()
    output.remark("\(folder): \(written) of \(frames.count) pictures.")
    if stopped.isSet { throw Failure("Stopped.", exitCode: ExitStatus.interrupted) }
    guard let first = damaged.first else { return }
    throw Failure(
      "\(damaged.count) frames are damaged and have no picture; the first is frame \(first).",
      exitCode: ExitStatus.badData)
  }

  private func save(_ bytes: [UInt8], to path: FilePath) throws(OvercrankError) {
    var file = try OutputFile(path, replacing: force)
    try file.write(bytes)
    try file.commit()
  }

  /// A frame in the form that `--json` prints.
  struct Report: Encodable {
    var frame: Int
    var sequence: Int64
    var time: Instant
    @Nanoseconds var sinceFirst: Duration
    var lostBefore: Int64

    init(_ entry: FrameEntry) {
      frame = entry.index
      sequence = entry.sequence
      time = entry.time
      sinceFirst = entry.sinceFirst
      lostBefore = entry.lostBefore
    }

    enum CodingKeys: String, CodingKey {
      case frame, sequence
      case time = "time_ns"
      case sinceFirst = "since_first_ns"
      case lostBefore = "lost_before"
    }
  }
}

extension BinaryInteger {
  /// Returns the number, padded with leading zeros to `digits`.
  fileprivate func padded(_ digits: Int) -> String {
    let text = "\(self)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
