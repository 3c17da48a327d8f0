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
