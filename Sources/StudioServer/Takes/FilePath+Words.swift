import FoundationEssentials
import Overcrank

extension FilePath {
  /// `text` as a page shows it: with this folder and its files by their names alone, as a reader need not know the disk,
  /// and with what a page can do where a disk is full.
  func namingFiles(in text: String) -> String {
    let absolute = FilePath(FileManager.default.currentDirectoryPath).pushing(self).lexicallyNormalized()
    var text = text.replacing(
      "free some space or name another disk", with: "remove takes in the library, or other files")
    for folder in [absolute.string, string] where folder != "/" && !folder.isEmpty {
      text = text.replacing("\(folder)/", with: "")
    }
    guard let name = absolute.lastComponent?.string else { return text }
    return text.replacing(absolute.string, with: name)
  }
}
