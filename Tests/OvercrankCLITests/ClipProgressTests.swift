import FrameJudge
import Foundation
import Testing

@Suite("The progress of a clip on a terminal", .tags(.program), .timeLimit(.minutes(1)))
struct ClipProgressTests {
  @Test(
    "reports the rate and the remaining time while one frame is held for hours; a signal leaves no file",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func longHold(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let video = folder.path("film.mov")
    // An hour from frame to frame: one of them is held for 30 times 8 times 3600 frames.
    try Program.ffmpeg("-f", "lavfi", "-i", "color=s=64x32:r=1/3600:d=7200", "-c:v", "mjpeg", video)
    let terminal = try Terminal()
    let process = Process()
    process.executableURL = OvercrankProgram.url
    process.arguments = ["retime", video, "--speed", "1/8", "-o", folder.path("slow.mp4")]
    process.environment = OvercrankProgram.environment.merging(["TERM": "xterm"]) { $1 }
    process.standardError = terminal.program
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    var told = ""
    while process.isRunning, told.matches(of: /of 1728000 frames  \d+ fps  (\d+ min )?\d+ s left/).count < 2 {
      usleep(10_000)
      told += terminal.read()
    }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    told += terminal.read()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130, "\(told)")
    // The line is cleared for the last message.
    let last = "\u{1B}[Kovercrank: \(video): stopped before the end; no clip was written."
    #expect(told.contains(last), "\(told)")
    #expect(try folder.names == ["film.mov"])
  }

  @Test("a signal ends a command at once while it waits for its curve")
  func waitingForACurve() throws {
    let folder = try TemporaryFolder()
    let (video, curve) = (folder.path("film.mov"), folder.path("curve"))
    try Program.ffmpeg("-f", "lavfi", "-i", "color=s=64x32:r=30:d=0.2", "-c:v", "mjpeg", video)
    try #require(mkfifo(curve, 0o600) == 0)
    let run = try OvercrankProgram(
      ["retime", video, "--speed", "@\(curve)", "-o", folder.path("slow.mp4")],
      whileRunning: { process in
        // Opens once the program has opened it too, and waits until then.
        let pipe = open(curve, O_WRONLY | O_CLOEXEC)
        kill(process.processIdentifier, SIGTERM)
        while process.isRunning { usleep(1000) }
        close(pipe)
      })
    #expect(run.status == 130, "\(run.errors)")
    #expect(try folder.names == ["curve", "film.mov"])
  }
}
