public import Media
public import SystemPackage
public import Takes
public import Timebase

/// Changes the speed of a master or a clip that Overcrank made without a new file, in milliseconds.
///
/// The file's index alone is changed, and safely: see `Media.MovieRetiming`.
public struct InPlaceRetimer: Sendable {
  /// The film.
  public let path: FilePath
  /// How much faster it plays than before.
  public let speed: Speed

  /// A retimer of the film at `path`.
  public init(_ path: FilePath, speed: Speed) {
    self.path = path
    self.speed = speed
  }

  /// Changes the file.
  ///
  /// - Throws: `MediaError`; the file is as it was then.
  public func retime() throws(MediaError) {
    let speed = speed
    try MovieRetiming.retime(path, speed: speed.factor) { comment in
      (Self.comment(comment, speed), "Overcrank, retimed")
    }
  }

  /// What the file says of its speed once it plays at `speed` of it.
  private static func comment(_ comment: String, _ speed: Speed) -> String {
    let words = comment.split(separator: ",", maxSplits: 1).last?.drop { $0 == " " } ?? ""
    guard let former = words.hasPrefix("speed ") ? words.dropFirst("speed ".count) : nil else {
      return comment
    }
    var text = former
    while text.last == " " { text.removeLast() }
    guard let before = try? Speed(text: String(text)),
      let now = Speed(before.factor * speed.factor)
    else { return "Overcrank, retimed" }
    return "Overcrank, speed \(now)"
  }
}

extension Take {
  /// Enters that the file `name` beside the take plays at `speed` of what it did.
  ///
  /// - Returns: whether the take says anything of that file.
  public mutating func enterRetimed(_ name: String, speed: Speed) -> Bool {
    var isKnown = false
    if master == name {
      masterSpeed = Self.text(of: masterSpeed, times: speed)
      isKnown = true
    }
    for index in clips.indices where clips[index].file == name {
      clips[index].speed = Self.text(of: clips[index].speed, times: speed)
      clips[index].framesPerSecond *= speed.factor.doubleValue
      isKnown = true
    }
    return isKnown
  }

  private static func text(of before: String?, times speed: Speed) -> String {
    guard let before else { return speed.description }
    // What no speed can be reckoned from is told as it came about.
    guard let former = try? Speed(text: before), let now = Speed(former.factor * speed.factor) else {
      return "(\(before)) x \(speed)"
    }
    return now.description
  }
}
