import FoundationEssentials
import Overcrank

extension FilePath {
  /// The path, or the first one with a number behind its name that is free.
  var free: FilePath {
    guard isTaken else { return self }
    let suffix = name.hasSuffix(".MP.jpg") ? ".MP.jpg" : self.extension.map { ".\($0)" } ?? ""
    let stem = name.dropLast(suffix.count)
    var number = 2
    while true {
      let next = beside("\(stem)-\(number)\(suffix)")
      if !next.isTaken { return next }
      number += 1
    }
  }

  /// Whether there is such a file, or one that is being written.
  private var isTaken: Bool { isThere || beside(name + ".part").isThere }
}

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
