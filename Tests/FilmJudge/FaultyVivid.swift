import Foundation

/// The controls of a vivid node that make it go wrong, set from a process of their own.
public struct FaultyVivid: Sendable {
  /// The node.
  public let node: String

  /// The controls of `node`.
  public init(_ node: String) { self.node = node }

  /// Sets a control, or presses it where it is a button.
  public func set(_ control: String, to value: Int = 1) throws {
    try Program.run("v4l2-ctl", ["-d", node, "-c", "\(control)=\(value)"])
  }

  /// Takes back all faults that last.
  public func reset() {
    for control in ["percentage_of_dropped_buffers", "wrap_sequence_number", "wrap_timestamp"] {
      try? set(control, to: 0)
    }
  }

  /// Takes all of vivid's nodes away, as root.
  public func unplug() throws { try write("vivid.0", to: "unbind") }

  /// Brings them back.
  public func plug() throws { try write("vivid.0", to: "bind") }

  private func write(_ device: String, to file: String) throws {
    // In one call and without a file of its own beside, which sysfs does not take.
    let handle = try FileHandle(forWritingTo: URL(filePath: "/sys/bus/platform/drivers/vivid/\(file)"))
    try handle.write(contentsOf: Data(device.utf8))
    try handle.close()
  }

  /// Waits until vivid, which is streaming, has begun to fill two buffers more, so that one of them was filled whole.
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

  /// The low byte of the number of the frame that vivid filled last, which it tells in a control.
  private func lastNumber() throws -> String {
    let answer = try Program.run("v4l2-ctl", ["-d", node, "-C", "read_only_integer_32_bits"])
    return String(decoding: answer.output, as: UTF8.self)
  }
}
