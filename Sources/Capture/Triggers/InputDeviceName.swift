import FoundationEssentials
import SystemPackage
import Timebase

/// The name of an input device as a user writes it: a path, `event3`, or a part of the device's own name.
struct InputDeviceName: Hashable, Sendable {
  let text: String

  /// Reads a name.
  ///
  /// - Throws: `QuantityError` if it is empty or has control characters.
  init(text: String) throws(QuantityError) {
    guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw QuantityError(text, expected: "an input device: /dev/input/event3, event3, or a part of its name")
    }
    self.text = text
  }

  private static let folder = FilePath("/dev/input")

  /// The event nodes of the device, which may have several with one name; empty if there is none.
  var paths: [FilePath] {
    if text.hasPrefix("/") { return [FilePath(text)] }
    if text.hasPrefix("event"), Int(text.dropFirst(5)) != nil { return [Self.folder.appending(text)] }
    let names = Self.names
    let exact = names.filter { $0.name == text }
    let found = exact.isEmpty ? names.filter { $0.name.containsInAnyCase(text) } : exact
    return found.map { Self.folder.appending($0.node) }
  }

  /// The names of all input devices, from sysfs, which every user may read.
  private static var names: [(node: String, name: String)] {
    let folder = FilePath("/sys/class/input")
    let nodes = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    return nodes.filter { $0.hasPrefix("event") }.sorted().compactMap { node in
      let file = folder.appending(node).appending("device").appending("name")
      return (try? String(contentsOfFile: file.string, encoding: .utf8)).map {
        (node, String($0.prefix { $0 != "\n" }))
      }
    }
  }

  /// A sentence that names the devices there are.
  static var choice: String {
    let names = Set(names.map(\.name)).sorted()
    return names.isEmpty
      ? "This system has no input devices." : "Choose one of \(names.joined(separator: ", "))."
  }
}

extension String {
  /// Returns whether `part` occurs in this text, in capitals or not.
  fileprivate func containsInAnyCase(_ part: String) -> Bool {
    lowercased().contains(part.lowercased())
  }
}
