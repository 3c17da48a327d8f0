import FrameJudge
import Foundation
import Testing

/// The compiler refuses code that would read released memory. It is run here, with the modules of these
/// tests.
@Suite("For a queue and its buffers, the compiler", .tags(.program), .timeLimit(.minutes(1)), .serialized)
struct OwnershipTests {
  /// The compiler's messages for a function that has a queue and does `body`.
  private func errors(in body: String) throws -> String {
    let folder = try TemporaryFolder()
    let source = folder.path("use.swift")
    let text = """
      import V4L2
      func use(_ queue: consuming CaptureQueue, _ device: consuming Device) throws {
      \(body)
      }
      """
    try text.write(toFile: source, atomically: true, encoding: .utf8)
    let built = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    let scratch = built.deletingLastPathComponent().deletingLastPathComponent()
    let maps =
      try FileManager.default.contentsOfDirectory(atPath: built.path).filter { $0.hasSuffix(".build") }
      .map { "\(built.path)/\($0)/module.modulemap" }
      + ["\(scratch.path)/checkouts/swift-system/Sources/CSystem/include/module.modulemap"]
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-swift-version", "6", "-emit-sil", "-o", "/dev/null", "-I", "\(built.path)/Modules"]
      + maps.filter { FileManager.default.fileExists(atPath: $0) }
      .flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + [source]
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let said = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("error:") }.joined(separator: "\n")
  }

  @Test("accepts valid code")
  func right() throws {
    let said = try errors(
      in: """
          if case .buffer(let buffer) = try queue.dequeue(within: .milliseconds(1)) {
            buffer.withBytes(ofPlane: 0) { print($0.count) }
            try buffer.requeue()
          }
          if case .buffer(let buffer) = try queue.dequeue() { print(buffer.bytes(ofPlane: 0)[0]) }
          try queue.stop()
          var list = device.formats()
          print(try list.next() as Any)
        """)
    #expect(said.isEmpty)
  }

  @Test(
    "refuses values that outlive their owner",
    arguments: [
      // Bytes of a buffer that was returned, dropped or not.
      """
        var bytes: Span<UInt8>? = nil
        if case .buffer(let buffer) = try queue.dequeue() { bytes = buffer.bytes(ofPlane: 0) }
        print(bytes?.count as Any)
      """,
      """
        guard case .buffer(let buffer) = try queue.dequeue() else { return }
        let bytes = buffer.bytes(ofPlane: 0)
        try buffer.requeue()
        print(bytes[0])
      """,
      // A buffer of a queue whose memory is unmapped.
      """
        guard case .buffer(let buffer) = try queue.dequeue() else { return }
        try queue.stop()
        print(buffer.index)
      """,
      // A buffer that is returned twice.
      """
        guard case .buffer(let buffer) = try queue.dequeue() else { return }
        try buffer.requeue()
        try buffer.requeue()
      """,
      // A list of a closed device.
      """
        var list = device.formats()
        _ = consume device
        print(try list.next() as Any)
      """,
    ])
  func wrong(_ body: String) throws {
    let said = try errors(in: body)
    #expect(said.contains("use.swift"), "\(body)")
    #expect(!said.contains("missing required module"))
  }
}
