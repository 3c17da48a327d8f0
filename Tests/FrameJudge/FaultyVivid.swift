import Foundation

/// The controls of a vivid node that inject faults, set from a separate process.
public struct FaultyVivid: Sendable {
  /// The node.
  public let node: String

  /// Creates the controls of `node`.
  public init(_ node: String) { self.node = node }

  /// Sets a control, or presses it if it is a button.
  public func set(_ control: String, to value: Int = 1) throws {
    try Program.run("v4l2-ctl", ["-d", node, "-c", "\(control)=\(value)"])
  }

  /// Resets all lasting faults.
  public func reset() {
    for control in ["percentage_of_dropped_buffers", "wrap_sequence_number", "wrap_timestamp"] {
      try? set(control, to: 0)
    }
  }

  /// Removes all of vivid's nodes. This requires root.
  public func unplug() throws { try write("vivid.0", to: "unbind") }

  /// Restores all of vivid's nodes.
  public func plug() throws { try write("vivid.0", to: "bind") }

  private func write(_ device: String, to file: String) throws {
    // In one call and without a temporary file, which sysfs does not support.
    let handle = try FileHandle(forWritingTo: URL(filePath: "/sys/bus/platform/drivers/vivid/\(file)"))
    try handle.write(contentsOf: Data(device.utf8))
    try handle.close()
  }

  /// Waits until a streaming vivid has begun to fill two more buffers, so that one of them is complete.
  public func waitForFrames() throws {
    var last = try lastNumber()
    for _ in 0..<2 {
      let before = last
      for _ in 0..<600 where last == before {
        usleep(10_000)
        last = try lastNumber()
      }
      guard last != before else {
        throw Program.Failure(description: "\(node) is not streaming: it fills no buffers")
      }
    }
  }

  /// Returns the low byte of the number of vivid's last frame, which is the value of a control.
  private func lastNumber() throws -> String {
    let answer = try Program.run("v4l2-ctl", ["-d", node, "-C", "read_only_integer_32_bits"])
    return String(decoding: answer.output, as: UTF8.self)
  }
}
