import ArgumentParser

struct TakesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "takes",
    abstract: "Lists, shows, checks, exports and removes takes, and takes pictures out of them.",
    discussion: """
      Takes are found in the library folder, where recordings without -o go, or in any other with --folder. Nothing \
      is kept about them elsewhere: what lies in the folder is the library.
      """,
    subcommands: [
      TakesListCommand.self, TakesShowCommand.self, TakesOpenCommand.self, TakesLabelCommand.self,
      TakesVerifyCommand.self, TakesExportCommand.self, TakesRemoveCommand.self, TakesSheetCommand.self,
      TakesStillCommand.self, TakesMotionPhotoCommand.self, TakesFramesCommand.self,
      TakesThumbnailCommand.self,
    ],
    defaultSubcommand: TakesListCommand.self)
}
