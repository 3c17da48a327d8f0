import FoundationEssentials
import Overcrank

extension FilePath {
  /// Returns `text` for display on a page: this folder and its files appear by name alone, because a reader
  /// need not know the disk, and the remedy for a full disk is one that the page offers.
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
