import ArgumentParser

struct TakesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "takes",
    abstract: "Lists, shows, edits, checks, exports and removes takes and photos.",
    discussion: """
      Takes and photos are found in the library folder, where recordings without -o go, or in another folder with \
      --folder. The files in the folder are the library: nothing about them is stored elsewhere.
      """,
    subcommands: [
      TakesListCommand.self, TakesShowCommand.self, TakesOpenCommand.self, TakesLabelCommand.self,
      TakesEditCommand.self, TakesVerifyCommand.self, TakesExportCommand.self, TakesRemoveCommand.self,
      TakesSheetCommand.self,
      TakesStillCommand.self, TakesMotionPhotoCommand.self, TakesFramesCommand.self,
      TakesThumbnailCommand.self, TakesAlignCommand.self,
    ],
    defaultSubcommand: TakesListCommand.self)
}
