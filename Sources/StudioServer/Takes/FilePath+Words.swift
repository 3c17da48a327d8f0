import FoundationEssentials
import SystemPackage

extension FilePath {
  /// `text` with this folder and its files by their names alone: whoever reads it in a page need not know the disk.
  func namingFiles(in text: String) -> String {
    let absolute = FilePath(FileManager.default.currentDirectoryPath).pushing(self).lexicallyNormalized()
    var text = text
    for folder in [absolute.string, string] where folder != "/" && !folder.isEmpty {
      text = text.replacing("\(folder)/", with: "")
    }
    guard let name = absolute.lastComponent?.string else { return text }
    return text.replacing(absolute.string, with: name)
  }
}
