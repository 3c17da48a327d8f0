import FrameJudge
import Foundation
import Synchronization

/// Runs rounds in this process.
struct Worker {
  let folder: URL

  /// Runs the rounds from seed `first` on. Returns 0 if there was no finding.
  ///
  /// The file `round` reports the round's number, the counts of read and refused files, and the finding.
  func run(from first: UInt64, count: UInt64) async throws -> Int32 {
    let examination = Examination(
      seeds: SeedFiles(folder: folder.appending(path: "seeds")), folder: folder.appending(path: "work"))
    let watch = Watch()
    watch.start()
    var (read, refused) = (0, 0)
    for seed in first..<first + count {
      try note("\(seed) \(read) \(refused)")
      watch.beginRound()
      do {
        let round = try await examination.round(seed)
        if round.isRead { read += 1 } else { refused += 1 }
        if count == 1 { print("\(round.name): \(round.isRead ? "read" : "refused")") }
      } catch let error as Examination.Wrong {
        try note("\(seed) \(read) \(refused) \(error)")
        return 1
      }
    }
    try note("done \(read) \(refused)")
    return 0
  }

  private func note(_ words: String) throws {
    try Data(words.utf8).write(to: folder.appending(path: "round"))
  }
}

/// Ends the process if a round hangs.
final class Watch: Sendable {
  /// Much longer than a round takes on a slow and busy machine.
  private static let limit = Duration.seconds(120)
  private let begin = Mutex(ContinuousClock.now)

  func beginRound() { begin.withLock { $0 = .now } }

  func start() {
    let thread = Thread { [self] in
      while true {
        sleep(1)
        if begin.withLock({ $0.duration(to: .now) }) > Self.limit {
          say("This round does not end.")
          abort()
        }
      }
    }
    thread.start()
  }
}

/// Runs the rounds in worker processes, and keeps the findings.
struct Foreman {
  let folder: URL
  /// Small enough that a memory leak shows in the worker's peak.
  private static let batch: UInt64 = 500
  /// Enough findings to show that something is thoroughly wrong.
  private static let mostFindings = 20

  /// Runs the rounds from seed `first` on. Returns 0 if nothing was found.
  func run(from first: UInt64, count: UInt64) async throws -> Int32 {
    let start = ContinuousClock.now
    try await SeedFiles(folder: folder.appending(path: "seeds")).make()
    var (read, refused) = (0, 0)
    var findings: [String] = []
    var next = first
    let end = first + count
    while next < end, findings.count < Self.mostFindings {
      let (status, words) = try work(from: next, count: min(Self.batch, end - next))
      if words.count > 2 {
        read += Int(words[1]) ?? 0
        refused += Int(words[2]) ?? 0
      }
      if status == 0, words.first == "done" {
        next = min(end, next + Self.batch)
      } else if let seed = words.first.flatMap({ UInt64($0) }) {
        findings.append(try keep(seed, status, words.dropFirst(3).joined(separator: " ")))
        next = seed + 1
      } else {
        throw Unready(description: "the worker did not start: status \(status)")
      }
    }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    print(
      "\(next - first) damaged files, \(read) read and \(refused) refused, \(findings.count) findings, "
        + "\((ContinuousClock.now - start).components.seconds) s, at most \(usage.ru_maxrss / 1024) MiB of memory."
    )
    return findings.isEmpty ? 0 : 1
  }

  private func work(from first: UInt64, count: UInt64) throws -> (status: Int32, words: [String]) {
    let note = folder.appending(path: "round")
    try Data().write(to: note)
    let worker = Process()
    worker.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    worker.arguments = ["--work", folder.path, "\(first)", "\(count)"]
    try worker.run()
    worker.waitUntilExit()
    let words = try String(contentsOf: note, encoding: .utf8).split(separator: " ").map(String.init)
    return (worker.terminationStatus, words)
  }

  /// Keeps the files of round `seed`.
  private func keep(_ seed: UInt64, _ status: Int32, _ words: String) throws -> String {
    let place = folder.appending(path: "found-\(seed)")
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.moveItem(at: folder.appending(path: "work"), to: place)
    let finding =
      "seed \(seed): \(words.isEmpty ? "crashed with status \(status)" : words). Its files are in \(place.path); "
      + "\"script/test fuzz --replay \(seed)\" runs it again."
    say(finding)
    return finding
  }
}
