import Foundation

/// A v4l2loopback node that a simulated camera plays into.
public struct FedLoopback {
  private let player = Process()

  /// Starts to play the default simulated camera into `node`, and waits until the node offers its 240 fps,
  /// as it does once its writer has set the format.
  public init(_ node: String) throws {
    player.executableURL = OvercrankProgram.url
    player.arguments = ["simulate", "sim:", "--to", node, "--quiet"]
    try player.run()
    for _ in 0..<300 {
      if try OvercrankProgram("select", node, "--fps", "240").status == 0 { return }
      usleep(100_000)
    }
    stop()
    throw Program.Failure(description: "\(node) offers no 240 fps, though a simulated camera plays into it")
  }

  /// Ends the player.
  public func stop() {
    player.terminate()
    player.waitUntilExit()
  }
}
