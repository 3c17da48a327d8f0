import FrameJudge
import Foundation
import Takes
import Testing
import Timebase

@Suite("The recipe for MQTT in the documentation", .tags(.program), .timeLimit(.minutes(1)))
struct MQTTRecipeTests {
  private let folder: TemporaryFolder
  private let port = UDPClient.freePort()
  private let page: String

  init() throws {
    folder = try TemporaryFolder()
    let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/triggers.md")
    page = try String(contentsOf: docs.standardizedFileURL, encoding: .utf8)
  }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(name)) }

  /// Starts a line of the shell, whose messages go to the file `log`.
  private func start(_ line: String, log: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exec >\"$0\" 2>&1; \(line)", folder.path(log)]
    process.environment = OvercrankProgram.environment
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Sends a message, as the automation on the page does.
  private func publish(_ text: String, _ options: String...) throws {
    let topic = try #require(page.firstMatch(of: /topic: (.+)/)).1
    try Program.run("mosquitto_pub", ["-p", "\(port)", "-t", String(topic), "-m", text] + options)
  }

  private func wait(for words: String, in log: String, of process: Process) {
    while process.isRunning,
      (try? String(contentsOfFile: folder.path(log), encoding: .utf8).contains(words)) != true
    {
      usleep(20_000)
    }
  }

  @Test("begins a take with each message, whose text it keeps, and with none from before")
  func recipe() throws {
    let broker = try start("exec /usr/sbin/mosquitto -v -p \(port)", log: "broker")
    defer { broker.terminate() }
    wait(for: " running", in: "broker", of: broker)
    try publish("kept", "-r")
    let payload = String(try #require(page.firstMatch(of: /payload: (.+)/)).1)
    let line = String(try #require(page.firstMatch(of: /(?m)^mosquitto_sub .*$/)).0)
    let recipe = try start(
      line.replacing("mosquitto_sub", with: "mosquitto_sub -p \(port)")
        .replacing(
          "overcrank record",
          with: "'\(OvercrankProgram.url.path)' record '\(SmallCamera.inVirtualTime())' --no-clip"
        )
        .replacing("--takes 0", with: "--takes 2").replacing("-o ", with: "-o '\(folder.url.path)/'"),
      log: "recipe")
    wait(for: "Sending SUBACK", in: "broker", of: recipe)
    for (name, text) in [("door-1", payload), ("door-2", "back door")] {
      try publish(text)
      while recipe.isRunning, !exists("\(name).take.json") { usleep(20_000) }
      let take = try folder.take(name)
      try checkTriggered(take, pre: .seconds(2), post: .seconds(3))
      #expect(take.trigger?.kind == "stdin" && take.trigger?.text == text && take.losses.isEmpty)
    }
    // mosquitto_sub ends with the first message that it cannot print.
    while recipe.isRunning { try publish("end") }
    let said = try String(contentsOfFile: folder.path("recipe"), encoding: .utf8)
    #expect(recipe.terminationStatus == 0, "\(said)")
  }
}
