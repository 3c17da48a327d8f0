// Feeds a parser with libFuzzer's bytes, guided by the code that they reach: script/test fuzz --guided.
//
// usage: ParserFuzz PARSER [libFuzzer's options and folders]

import Foundation
import FuzzedParsers

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ argumentCount: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

nonisolated(unsafe) private var parser = FuzzedParser.quantity

let names = FuzzedParser.allCases.map(\.rawValue).joined(separator: ", ")
guard CommandLine.arguments.count > 1, let chosen = FuzzedParser(rawValue: CommandLine.arguments[1]) else {
  FileHandle.standardError.write(
    Data("usage: ParserFuzz PARSER [OPTION|FOLDER]...; parsers: \(names)\n".utf8))
  exit(64)
}
parser = chosen

// libFuzzer restarts the program for its jobs, with the arguments that it was given.
var argumentCount = CommandLine.argc - 1
var arguments = CommandLine.unsafeArgv + 1
arguments[0] = CommandLine.unsafeArgv[0]
exit(
  runDriver(&argumentCount, &arguments) { start, count in
    do {
      try parser.feed(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      abort()
    }
    return 0
  })
