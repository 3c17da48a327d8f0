import ArgumentParser

struct SetupsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setups",
    abstract: "Lists, shows, checks, saves and removes setups: what you always record with.",
    discussion: """
      A setup is a YAML file in ~/.config/overcrank/setups. Its keys are the options of "overcrank record" without \
      hyphens, and camera. "overcrank record --setup NAME" uses it; what the command line says wins.
      """,
    subcommands: [
      SetupsListCommand.self, SetupsShowCommand.self, SetupsCheckCommand.self, SetupsSaveCommand.self,
      SetupsRemoveCommand.self,
    ],
    defaultSubcommand: SetupsListCommand.self)
}
