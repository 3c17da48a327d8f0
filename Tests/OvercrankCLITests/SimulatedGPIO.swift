import Foundation
import FrameJudge
import Timebase

/// A GPIO chip made of software, by the kernel's gpio-sim, and what the kernel traces of its lines.
final class SimulatedGPIO {
  /// The label of the chip.
  static let label = "overcrank-test"
  /// The name of its line 1; line 0 has none.
  static let secondLine = "flash"

  private static let folder = "/sys/kernel/config/gpio-sim/overcrank"
  private static let tracing = "/sys/kernel/tracing"

  /// The name of the chip, such as `gpiochip0`.
  let chip: String
  /// The folder of its lines in sysfs.
  private let lines: String

  /// Makes the chip. It is gone when this object is.
  init() throws {
    try Program.run(
      "sh",
      [
        "-c",
        """
        set -e
        modprobe gpio-sim
        mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
        mountpoint -q \(Self.tracing) || mount -t tracefs none \(Self.tracing)
        mkdir \(Self.folder) \(Self.folder)/bank \(Self.folder)/bank/line1
        cd \(Self.folder)
        echo 2 >bank/num_lines
        echo \(Self.label) >bank/label
        echo \(Self.secondLine) >bank/line1/name
        echo 1 >live
        """,
      ])
    chip = try Self.read("\(Self.folder)/bank/chip_name")
    lines = "/sys/devices/platform/\(try Self.read("\(Self.folder)/dev_name"))/\(chip)"
  }

  deinit {
    _ = try? Program.run(
      "sh",
      [
        "-c",
        """
        echo 0 >\(Self.tracing)/events/enable
        echo 0 >\(Self.folder)/live
        rmdir \(Self.folder)/bank/line1 \(Self.folder)/bank \(Self.folder)
        """,
      ])
  }

  /// Lets line 0 rise or fall.
  func pull(up isUp: Bool) throws {
    try Self.write(isUp ? "pull-up" : "pull-down", "\(lines)/sim_gpio0/pull")
  }

  /// Whether line 1 is high.
  var isSecondLineHigh: Bool { get throws { try Self.read("\(lines)/sim_gpio1/value") == "1" } }

  /// Traces the interrupts of the line that the program `user` watches, and every change of an output, from now on.
  func trace(interruptsOf user: String) throws {
    let table = try String(contentsOfFile: "/proc/interrupts", encoding: .utf8).split(separator: "\n")
    guard let row = table.first(where: { $0.hasSuffix(" \(user)") }), let colon = row.firstIndex(of: ":")
    else {
      throw Program.Failure(description: "\(user) has no interrupt in /proc/interrupts")
    }
    let number = row[..<colon].drop { $0 == " " }
    try Self.write("mono", "\(Self.tracing)/trace_clock")
    for event in ["irq/irq_handler_entry", "irq/irq_handler_exit", "gpio/gpio_value"] {
      let folder = "\(Self.tracing)/events/\(event)"
      if event.hasPrefix("irq") { try Self.write("irq == \(number)", "\(folder)/filter") }
      try Self.write("1", "\(folder)/enable")
    }
  }

  /// The traced events of a kind: their times, which are exact to a microsecond, and what the kernel prints of them.
  private func traced(_ kind: String) throws -> [(time: Instant, text: Substring)] {
    try String(contentsOfFile: "\(Self.tracing)/trace", encoding: .utf8)
      .matches(of: /(?m) (\d+)\.(\d{6}): (\w+): (.*)$/)
      .compactMap { match in
        guard match.3 == kind, let seconds = Int64(match.1), let microseconds = Int64(match.2) else {
          return nil
        }
        return (Instant(nanoseconds: seconds * 1_000_000_000 + microseconds * 1000), match.4)
      }
  }

  /// The spans in which interrupts were handled, to a microsecond.
  var interrupts: [ClosedRange<Instant>] {
    get throws {
      zip(try traced("irq_handler_entry"), try traced("irq_handler_exit")).map { entry, exit in
        entry.time - .microseconds(1)...max(entry.time, exit.time) + .microseconds(1)
      }
    }
  }

  /// The changes of outputs.
  var outputs: [(time: Instant, isHigh: Bool)] {
    get throws {
      try traced("gpio_value").compactMap {
        $0.text.contains("set") ? ($0.time, $0.text.hasSuffix("1")) : nil
      }
    }
  }

  private static func read(_ path: String) throws -> String {
    String(try String(contentsOfFile: path, encoding: .utf8).prefix { !$0.isNewline })
  }

  /// The kernel's files take one write, and cannot be replaced.
  private static func write(_ text: String, _ path: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }
}
