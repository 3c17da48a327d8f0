import ArgumentParser
import Foundation
import Overcrank

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Lists this machine's cameras, or its microphones.")

  @Flag(help: "List microphones instead of cameras.")
  var microphones = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    if microphones { return try listMicrophones() }
    let nodes = VideoNode.all(profiles: ProfileLibrary(for: output))
    if output.json { return try Console.sayJSON(nodes) }
    for node in nodes { Console.say(node.line) }
    if nodes.isEmpty {
      output.remark("There is no camera on this machine; \"sim:\" names a simulated one.")
    }
  }
}

extension DevicesCommand {
  private func listMicrophones() throws {
    let nodes = MicrophoneNode.all()
    if output.json { return try Console.sayJSON(nodes) }
    for node in nodes { Console.say(node.line) }
    if nodes.isEmpty {
      output.remark("There is no microphone on this machine; \"sim:\" names a simulated one.")
    }
  }
}

extension MicrophoneNode {
  /// A description in one line.
  fileprivate var line: String {
    let state = !isPermitted ? "  no permission" : isBusy ? "  busy" : ""
    return "\(name)  \(cardName), \(deviceName)  (\(driver), \(id))\(state)"
  }
}

extension VideoNode {
  /// A description, one line and one more for each further fact.
  fileprivate var line: String {
    guard let capabilities else { return "\(path)  cannot be opened: \(failure?.description ?? "")" }
    var words = "\(path)  \(capabilities.card)  (\(capabilities.driver), \(capabilities.busInfo))"
    if let usb {
      words += "  USB \(usb.vendorProduct)"
      if let speed = usb.megabitsPerSecond { words += " at \(String(format: "%g", speed)) Mbit/s" }
    }
    if !mounting.words.isEmpty { words += "\n    \(mounting.words.joined(separator: ", "))" }
    for link in links { words += "\n    \(link)" }
    return words
  }
}

extension CameraMounting {
  /// The known facts, in words.
  fileprivate var words: [String] {
    [
      orientation?.rawValue, kind?.rawValue,
      rotation.map { $0 == 0 ? "upright" : "pictures need a turn of \($0) degrees counterclockwise" },
    ].compactMap(\.self)
  }
}
