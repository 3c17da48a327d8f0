import Foundation

/// A v4l2loopback node that a simulated camera plays into.
public struct FedLoopback {
  /// The width of its frames, in pixels.
  public static let width = 320
  /// A small picture, because the machine may be emulated.
  private static func table(_ fourcc: String, rate: Int) -> String {
    """
    {"card": "Small", "modes": [{"fourcc": "\(fourcc)", "width": 320, "height": 180, "intervals": [[1, \(rate)]]}]}
    """
  }

  private let folder: TemporaryFolder
  private let player = Process()

  /// Starts to play a simulated camera of this format and rate into `node`, and waits until the node offers that
  /// rate, which it does once its writer has set the format.
  public init(_ node: String, _ fourcc: String = "MJPG", rate: Int = 240) throws {
    folder = try TemporaryFolder()
    try Data(Self.table(fourcc, rate: rate).utf8).write(to: folder.url.appending(path: "small.json"))
    player.executableURL = OvercrankProgram.url
    player.environment = OvercrankProgram.environment
    player.arguments = ["simulate", "sim:\(folder.path("small.json"))", "--to", node, "--quiet"]
    try player.run()
    for _ in 0..<600 {
      let modes = try Program.run("v4l2-ctl", ["-d", node, "--list-formats-ext"]).output
      if String(decoding: modes, as: UTF8.self).contains("(\(rate).000 fps)") { return }
      usleep(50_000)
    }
    stop()
    throw Program.Failure(
      description: "\(node) offers no \(rate) fps, though a simulated camera plays into it")
  }

  /// Ends the player.
  public func stop() {
    player.terminate()
    player.waitUntilExit()
  }
}
