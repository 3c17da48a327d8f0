import ArgumentParser

struct ProfilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "Lists, shows and checks profiles: facts about cameras that the kernel does not report.",
    discussion: """
      A profile is a YAML file about one camera: which modes are binned or cropped, and what its driver gets wrong. \
      Put your own in ~/.config/overcrank/profiles. A profile there replaces the shipped one with the same id. \
      sim:ID is a simulated camera with the modes of a profile.
      """,
    subcommands: [ProfilesListCommand.self, ProfilesShowCommand.self, ProfilesCheckCommand.self],
    defaultSubcommand: ProfilesListCommand.self)
}
