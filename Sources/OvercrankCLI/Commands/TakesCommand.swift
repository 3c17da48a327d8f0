import ArgumentParser

struct TakesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "takes",
    abstract: "Lists, shows, checks, exports and removes takes, and extracts pictures from them.",
    discussion: """
      Takes are found in the library folder, where recordings without -o go, or in another folder with --folder. The \
      files in the folder are the library: nothing about takes is stored elsewhere.
      """,
    subcommands: [
      TakesListCommand.self, TakesShowCommand.self, TakesOpenCommand.self, TakesLabelCommand.self,
      TakesVerifyCommand.self, TakesExportCommand.self, TakesRemoveCommand.self, TakesSheetCommand.self,
      TakesStillCommand.self, TakesMotionPhotoCommand.self, TakesFramesCommand.self,
      TakesThumbnailCommand.self,
    ],
    defaultSubcommand: TakesListCommand.self)
}
