import Media
import Platform
package import SystemPackage

extension FilePath {
  /// The path, or else the first free one with a number after its name.
  package var free: FilePath {
    guard isTaken else { return self }
    let stem = MotionPhotoFile.stem(of: name) ?? self.stem ?? name
    let suffix = name.dropFirst(stem.count)
    var number = 2
    while true {
      let next = beside("\(stem)-\(number)\(suffix)")
      if !next.isTaken { return next }
      number += 1
    }
  }

  /// Whether the file exists or is being written.
  private var isTaken: Bool {
    (try? Stat(self, followTargetSymlink: false)) != nil || AbandonedPart.exists(for: self)
  }
}
