import Overcrank

extension TakeGroup {
  /// Returns where the cameras' frames lie, for people.
  func summary(_ path: FilePath) -> String {
    var lines = cameras.dropFirst().map { camera in
      let bound = camera.uncertainty.map { ", give or take \($0.bound)" } ?? ""
      let way = camera.methods == [.stamps] ? " by the kernel's timestamps" : ""
      return
        "\(camera.name) begins \(camera.offset.milliseconds) \(camera.offset < .zero ? "before" : "after") "
        + "\(cameras.first?.name ?? "A")\(way)\(bound)."
    }
    lines.append("\(path): the cameras' frames on one clock.")
    return lines.joined(separator: "\n")
  }
}

extension StoredGroup {
  /// Returns the group in the file at the path `name`; `nil` if that is no group file.
  ///
  /// - Throws: `OvercrankError` if the file cannot be read.
  static func meant(by name: String) throws(OvercrankError) -> StoredGroup? {
    let path = FilePath(given: name)
    guard name.hasSuffix(TakeGroup.suffix), path.exists else { return nil }
    return try StoredGroup(path)
  }

  /// The content of the group, for people.
  var sheet: String {
    let cameras = group.cameras.map { camera in
      let bound = camera.uncertainty.map { ", give or take \($0.bound)" } ?? ""
      let methods = camera.methods.map(\.rawValue).joined(separator: ", ")
      let place =
        camera.offset == .zero
        ? "begins at 0 ms" : "begins at \(camera.offset < .zero ? "-" : "")\(camera.offset.milliseconds)"
      return TakeSheet.row(
        "camera \(camera.name)",
        ("\(camera.take), \(place)" + (methods.isEmpty ? "" : "\(bound), by \(methods)")).printable)
    }
    let failed = group.failed.map {
      TakeSheet.row("failed \($0.name)", "\($0.camera): \($0.error)".printable)
    }
    let trigger = group.trigger.flatMap { trigger in
      trigger.kind == "none" || trigger.isStartOfGroup
        ? nil
        : TakeSheet.row(
          "trigger",
          [trigger.kind, trigger.text.map { "\"\($0)\"" }, trigger.preRollWords].compactMap(\.self)
            .joined(separator: ", ").printable)
    }
    let count = group.cameras.count
    let head =
      "\(path): a group of \(count) \(count == 1 ? "take" : "takes"), by Overcrank \(group.overcrank)"
      .printable
    let takes = takes
    let facts = [
      ("label", Self.label(of: takes)), ("recorded", takes.first?.description.map { "\($0.startedAt)" }),
    ].compactMap { name, words in words.map { TakeSheet.row(name, $0.printable) } }
    let clips = clips.map { TakeSheet.row("clip", words(ofClip: $0)) }
    let problems = problems.map { TakeSheet.row("problem", $0.description.printable) }
    // A sum of all these takes Swift 6.2 too long to type-check.
    let parts: [[String]] = [
      [head], facts, cameras, [trigger].compactMap(\.self), failed, clips, problems,
    ]
    return parts.joined().joined(separator: "\n")
  }

  /// Returns the name of a clip of its cameras together, and what is known of it.
  func words(ofClip clip: FilePath) -> String {
    let listed = listing(of: clip)
    let words = [
      TakeSheet.file(clip, listed?.speed), listed?.spec.flatMap(ClipSpec.init)?.render?.layout?.rawValue,
      listed.map { "\(FrameRate.text($0.framesPerSecond)) fps" },
    ]
    return words.compactMap(\.self).joined(separator: ", ").printable
  }

  /// The content of its file in the form that `--json` prints: the clips with full paths.
  var report: TakeGroup {
    var group = group
    for index in group.clips.indices {
      let name = group.clips[index].file
      group.clips[index].file = path.file(named: name)?.absolutePath ?? name
    }
    return group
  }
}

extension Duration {
  /// The length in milliseconds, to the microsecond, as text.
  var milliseconds: String {
    self == .zero || inSeconds.magnitude >= Self.microsecond
      ? "\((inSeconds.magnitude * Fraction(1000)).decimal(places: 3)) ms" : bound
  }

  /// An error of at most this length, in milliseconds as text: never zero, because no clock is that exact.
  var bound: String { inSeconds.magnitude < Self.microsecond ? "less than 0.001 ms" : milliseconds }

  private static let microsecond = Fraction(1, 1_000_000)
}
