// Reads thousands of damaged files of every kind that Overcrank reads, each made from a seed, and finds
// crashes, hangs and unbounded memory. script/test fuzz builds it with AddressSanitizer. The rounds run in
// separate processes, so that a crash is attributed to its round, and the other rounds continue.
//
// usage: DamageFuzz FOLDER FIRST-SEED ROUNDS

import FrameJudge
import Foundation

let arguments = CommandLine.arguments
let options = Array(arguments.dropFirst())

func say(_ words: String) { FileHandle.standardError.write(Data((words + "\n").utf8)) }

switch options.first {
case "--die-filming":
  try SeedFiles(folder: URL(filePath: options[1])).dieRecording()
case "--work":
  let worker = Worker(folder: URL(filePath: options[1]))
  exit(try await worker.run(from: UInt64(options[2]) ?? 0, count: UInt64(options[3]) ?? 0))
default:
  guard options.count == 3, let first = UInt64(options[1]), let rounds = UInt64(options[2]) else {
    say("usage: DamageFuzz FOLDER FIRST-SEED ROUNDS")
    exit(64)
  }
  exit(try await Foreman(folder: URL(filePath: options[0])).run(from: first, count: rounds))
}
