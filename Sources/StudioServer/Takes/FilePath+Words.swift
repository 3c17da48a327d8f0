import FoundationEssentials
import SystemPackage

extension FilePath {
  /// `text` with the files of this folder by their names alone: whoever reads it in a page need not know the disk.
  func namingFiles(in text: String) -> String {
    let absolute = FilePath(FileManager.default.currentDirectoryPath).pushing(self).lexicallyNormalized()
    var text = text
    for folder in [absolute.string, string] where folder != "/" && !folder.isEmpty {
      text = text.replacing("\(folder)/", with: "")
    }
    return absolute.string == "/" ? text : text.replacing(absolute.string, with: "the folder of takes")
  }
}
