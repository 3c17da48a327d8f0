import ArgumentParser

struct SetupsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setups",
    abstract: "Lists, shows, checks, saves and removes setups: saved options of \"overcrank record\".",
    discussion: """
      A setup is a YAML file in ~/.config/overcrank/setups. Its keys are the options of "overcrank record" without \
      hyphens, and camera. "overcrank record --setup NAME" uses it; the command line takes precedence.
      """,
    subcommands: [
      SetupsListCommand.self, SetupsShowCommand.self, SetupsCheckCommand.self, SetupsSaveCommand.self,
      SetupsRemoveCommand.self,
    ],
    defaultSubcommand: SetupsListCommand.self)
}
