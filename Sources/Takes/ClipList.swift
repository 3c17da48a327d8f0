/// The clips that a take, or a group, lists.
extension [Take.Clip] {
  /// Adds `clip`, replacing one of the same name.
  package mutating func enter(_ clip: Take.Clip) {
    removeAll { $0.file == clip.file }
    append(clip)
  }

  /// Removes the clips of these files.
  package mutating func forget(_ names: Set<String>) { removeAll { names.contains($0.file) } }

  /// Notes that an export moved these files to another folder.
  package mutating func noteMoved(_ names: Set<String>) {
    for index in indices where names.contains(self[index].file) { self[index].isMoved = true }
  }

  /// The same clips, as if no export had moved any.
  package var unmoved: [Take.Clip] {
    map { clip in
      var clip = clip
      clip.isMoved = nil
      return clip
    }
  }
}

extension Take.Clip {
  /// The time for which the clip plays once; `nil` if its rate is not known.
  package var duration: Duration? {
    guard framesPerSecond > 0 else { return nil }
    return .nanoseconds(Int64(clamping: (Double(frames) / framesPerSecond * 1e9).rounded()))
  }
}
