// Records from a simulated camera at 240 fps for a while, with faults of every kind, triggers from a
// socket, taps that come and go, and a session that stays: every take must be consistent, and memory,
// descriptors and threads must not grow. See script/test soak.
//
// usage: Soak SECONDS [SEED]

import Foundation

guard CommandLine.arguments.count > 1, let seconds = Double(CommandLine.arguments[1]), seconds > 0 else {
  FileHandle.standardError.write(Data("usage: Soak SECONDS [SEED]\n".utf8))
  exit(64)
}
let seed = CommandLine.arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? UInt64(time(nil))
// Sockets of its own, wherever it runs.
let folder = FileManager.default.temporaryDirectory.appending(path: "overcrank-soak-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
setenv("XDG_RUNTIME_DIR", folder.path, 1)

let soak = Soak(folder: folder, seed: seed, until: .now + .seconds(seconds))
do {
  let report = try await soak.run()
  print(report)
  try? FileManager.default.removeItem(at: folder)
} catch {
  // The takes stay for inspection.
  print("seed \(seed): \(error)\nIts files are in \(folder.path).")
  exit(1)
}
