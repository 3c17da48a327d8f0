// Damaged files of every kind that Overcrank reads, thousands of them, each made from a number: no crash, no hang, no
// memory without bounds. Built with AddressSanitizer by script/test fuzz. The rounds run in processes of their own, so that
// the one that crashes is known, and the others go on.
//
// usage: DamageFuzz FOLDER FIRST-SEED ROUNDS

import FilmJudge
import Foundation

let arguments = CommandLine.arguments
let options = Array(arguments.dropFirst())

func say(_ words: String) { FileHandle.standardError.write(Data((words + "\n").utf8)) }

switch options.first {
case "--die-filming":
  try SeedFiles(folder: URL(filePath: options[1])).dieFilming()
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
