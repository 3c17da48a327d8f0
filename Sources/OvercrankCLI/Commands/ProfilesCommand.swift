import ArgumentParser

struct ProfilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "Lists, shows and checks what is known of cameras that the kernel cannot tell.",
    discussion: """
      A profile is a YAML file that says of a camera which modes are binned or cropped and what its driver gets \
      wrong. Your own go into ~/.config/overcrank/profiles, where one replaces the shipped one of its id. sim:ID is a \
      simulated camera with the modes of a profile.
      """,
    subcommands: [ProfilesListCommand.self, ProfilesShowCommand.self, ProfilesCheckCommand.self],
    defaultSubcommand: ProfilesListCommand.self)
}
