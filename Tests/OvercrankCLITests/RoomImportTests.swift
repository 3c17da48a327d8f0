import Foundation
import Testing

@Suite("Modules import only modules above them")
struct RoomImportTests {
  /// The modules from the first to the last, with the C modules that each may import.
  static let rooms: [(name: String, own: Set<String>)] = [
    ("Timebase", []), ("CameraModel", []), ("AudioModel", []), ("Platform", ["CLinux"]),
    ("V4L2", ["CV4L2"]), ("ALSA", ["CALSA"]),
    ("Media", ["CFlow", "CLibAV", "CPixels", "CTurboJPEG", "CV4LConvert", "CLinux"]),
    ("Cameras", ["CEmbeddedFiles", "CLinux"]), ("Microphones", []), ("Simulator", []), ("Takes", []),
    ("Capture", ["CLinux"]), ("Retime", []), ("Diagnostics", []), ("Overcrank", []),
    ("StudioServer", ["CEmbeddedFiles", "CLinux", "CQREncode"]), ("OvercrankCLI", ["CLinux"]),
  ]

  /// Modules on the same level, or without a reason to import each other.
  static let closed: [String: Set<String>] = [
    "AudioModel": ["CameraModel"], "Platform": ["CameraModel", "AudioModel"],
    "V4L2": ["AudioModel", "Platform"], "ALSA": ["CameraModel", "Platform", "V4L2"],
    "Media": ["V4L2", "ALSA"], "Cameras": ["AudioModel", "ALSA"],
    "Microphones": ["CameraModel", "V4L2", "Media", "Cameras"], "Simulator": ["ALSA"],
    "Takes": ["V4L2", "ALSA", "Cameras", "Microphones", "Simulator"], "Capture": ["ALSA"],
    "Retime": ["V4L2", "ALSA", "Cameras", "Microphones", "Simulator", "Capture"],
    "Overcrank": ["V4L2", "ALSA"], "StudioServer": belowTheDoor, "OvercrankCLI": belowTheDoor,
  ]

  /// `Overcrank` exports the modules in its declarations.
  static let belowTheDoor = Set(rooms.prefix { $0.name != "Overcrank" }.map(\.name))

  /// Modules of values alone, which need no Foundation.
  static let pure: Set = ["Timebase", "CameraModel", "AudioModel"]

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources").standardizedFileURL

  private func imports(of room: String) throws -> [(file: String, module: String)] {
    let files = FileManager.default.enumerator(
      at: Self.sources.appending(path: room), includingPropertiesForKeys: nil)
    var found: [(String, String)] = []
    for case let file as URL in try #require(files) where file.pathExtension == "swift" {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place <= 1, place + 1 < words.count else {
          continue
        }
        found.append((file.lastPathComponent, String(words[place + 1])))
      }
    }
    return found
  }

  @Test("in every file", arguments: 0..<rooms.count)
  func order(_ place: Int) throws {
    let room = Self.rooms[place]
    let names = Set(Self.rooms.map(\.name))
    let cModules = Set(Self.rooms.flatMap(\.own))
    let foundation: Set = ["Foundation", "FoundationEssentials"]
    let above = Set(Self.rooms[..<place].map(\.name)).subtracting(Self.closed[room.name] ?? [])
    let found = try imports(of: room.name)
    #expect(room.name == "Timebase" || !found.isEmpty)
    for (file, module) in found where Self.pure.contains(room.name) {
      #expect(!foundation.contains(module), "\(room.name)/\(file) imports \(module)")
    }
    for (file, module) in found where names.contains(module) || cModules.contains(module) {
      #expect(above.contains(module) || room.own.contains(module), "\(room.name)/\(file) imports \(module)")
    }
  }
}
