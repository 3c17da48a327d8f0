import ArgumentParser
import Cameras

struct ProfilesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists all profiles, shipped and your own.")

  @OptionGroup var output: OutputOptions

  func run() throws {
    let entries = ProfileLibrary(for: output).entries
    if output.json { return try Console.sayJSON(entries.map(Line.init)) }
    let width = entries.map(\.profile.id.count).max() ?? 0
    for entry in entries {
      let id = entry.profile.id
      let padding = String(repeating: " ", count: width - id.count)
      Console.say("\(id)\(padding)  \(entry.profile.name)\(entry.file.map { "  (\($0))" } ?? "")")
    }
  }

  private struct Line: Encodable {
    var id: String
    var name: String
    var file: String?
    var match: Profile.Match

    enum CodingKeys: CodingKey { case id, name, file, match }

    init(_ entry: ProfileLibrary.Entry) {
      (id, name, file, match) = (entry.profile.id, entry.profile.name, entry.file, entry.profile.match)
    }

    func encode(to encoder: any Encoder) throws {
      var keys = encoder.container(keyedBy: CodingKeys.self)
      try keys.encode(id, forKey: .id)
      try keys.encode(name, forKey: .name)
      try keys.encode(file, forKey: .file)
      try keys.encode(match, forKey: .match)
    }
  }
}
