import Foundation

/// A sound card made of software by a kernel module: snd-dummy, or snd-aloop with a clock that can be set off. It
/// needs root, as in script/vm.
public struct SoundCard: Sendable {
  /// The card's id, such as `Dummy`.
  public let id: String

  /// Unloads a module, loads it again with parameters, and waits for the nodes of its card.
  public init(_ id: String, by module: String, _ parameters: String...) throws {
    self.id = id
    _ = try? Program.run("modprobe", ["-r", module])
    try Program.run("modprobe", [module] + parameters)
    for _ in 0..<600 where !hasNodes { usleep(50_000) }
    guard hasNodes else { throw Program.Failure(description: "\(module) made no card \(id)") }
  }

  /// Whether the card is there, with all nodes that sysfs lists.
  private var hasNodes: Bool {
    let files = FileManager.default
    guard let card = try? files.destinationOfSymbolicLink(atPath: "/proc/asound/\(id)") else { return false }
    let listed = (try? files.contentsOfDirectory(atPath: "/sys/class/sound/\(card)")) ?? []
    let nodes = listed.filter { $0.hasPrefix("pcm") || $0.hasPrefix("controlC") }
    return nodes.contains { $0.hasPrefix("pcm") && $0.hasSuffix("c") }
      && nodes.contains { $0.hasPrefix("controlC") }
      && nodes.allSatisfy { files.fileExists(atPath: "/dev/snd/\($0)") }
  }

  /// Whether the kernel lists the card.
  public var isListed: Bool {
    (try? String(contentsOfFile: "/proc/asound/cards", encoding: .utf8).contains(id)) ?? false
  }

  /// The number of samples that a program has read from the card's first device since it started it; 0 if none has.
  public var samplesRead: Int {
    let state = "/proc/asound/\(id)/pcm0c/sub0/status"
    let text = (try? String(contentsOfFile: state, encoding: .utf8)) ?? ""
    return text.firstMatch(of: /appl_ptr *: *([0-9]+)/).flatMap { Int($0.1) } ?? 0
  }

  /// Detaches snd-dummy's card from its driver, as if it were unplugged. The kernel blocks the caller until the device
  /// is closed, so another process does it, without being waited for.
  public static func unplugDummy() throws { try write("unbind") }

  /// Attaches it again.
  public static func plugDummy() throws { try write("bind") }

  private static func write(_ action: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "echo snd_dummy.0 > /sys/bus/platform/drivers/snd_dummy/\(action)"]
    try process.run()
  }
}
