import ArgumentParser
import Overcrank

struct TakesAlignCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "align", abstract: "Finds where the frames of several cameras lie on one clock.",
    discussion: """
      It writes a group file, or prints it with --json, and changes no take. stamps compares the kernel's timestamps, \
      of cameras on one machine; flash compares the frames and rows that see flashes of light; clap compares the audio; \
      trigger assumes that one trigger began the takes. Several methods are joined, and the file has the deviation \
      of each.

      The first take has the clock. Without --output, takes named jump-A, jump-B and so on get jump.group.json beside \
      them, and the takes of a group file are aligned in that file.
      """)

  @Argument(
    help: ArgumentHelp("A group file, or two takes or more.", valueName: "group|take"), completion: .take)
  var items: [String]

  @Option(
    help: ArgumentHelp("How to align them: stamps, flash, clap, trigger, or several.", valueName: "methods"),
    transform: { try MethodList($0) })
  var by: [MethodList]

  @Option(
    name: [.short, .long], help: ArgumentHelp("Write the group to FILE.group.json.", valueName: "file"),
    completion: .file())
  var output: FilePath?

  @Flag(help: "Replace an existing group file.")
  var force = false

  @OptionGroup var folder: FolderOptions
  @OptionGroup var words: OutputOptions

  private var methods: [AlignmentMethod] { by.flatMap(\.methods) }

  func validate() throws {
    guard !by.isEmpty else {
      throw ValidationError("Name a method with --by: stamps, flash, clap or trigger.")
    }
    let isGroup = items.first.map(Self.isGroup) ?? false
    guard items.count > 1 || isGroup else {
      throw ValidationError("Name a group file, or two takes or more.")
    }
    guard items.count == 1 || !items.contains(where: Self.isGroup) else {
      throw ValidationError("Name one group file, or takes, but not both.")
    }
  }

  private static func isGroup(_ item: String) -> Bool { item.hasSuffix(TakeGroup.suffix) }

  func run() async throws {
    let former = try Self.isGroup(items[0]) ? TakeGroup.read(from: FilePath(given: items[0])) : nil
    let members = try await members(of: former)
    let path = try target(of: members, former)
    let isReplacing = force || former != nil && output == nil
    if output != nil || !words.json {
      try FileLock.check(path, isNoneOf: members.map(\.path))
      try TakeGroup.checkIsWritable(path, replacing: isReplacing)
    }
    if methods.contains(.flash) { words.remark("Looking for flashes in all frames.") }
    let cameras = try await GroupAlignment(members, by: methods).cameras(in: path.folder)
    if let former, output == nil, !force { try Self.check(cameras, replacing: former) }
    var group = former ?? TakeGroup(overcrank: Version.current, cameras: [])
    group.overcrank = Version.current
    group.cameras = cameras
    group.trigger = group.trigger ?? members[0].take.trigger
    let isSameFile = former != nil && path.isSameFile(as: FilePath(given: items[0]))
    // The clips are beside the former group, whose file lists them.
    if !isSameFile { group.clips = [] }
    if words.json {
      try Console.sayJSON(group)
      guard output != nil else { return }
    } else {
      for camera in cameras.dropFirst() { Console.say(camera.words(after: cameras[0].name)) }
    }
    if isSameFile {
      _ = try StoredGroup(path).change { now in
        // One may have been made meanwhile.
        group.clips = now.clips
        return group
      }
    } else {
      try group.write(to: path, replacing: isReplacing)
    }
    words.remark("Wrote \(path).")
  }

  /// Checks that no camera's place in the group becomes less certain.
  ///
  /// The bound of a place by timestamps alone leaves out what is wrong with all of them, such as the time that a driver
  /// takes to stamp a frame. What the camera saw or heard may replace it.
  private static func check(_ cameras: [TakeGroup.Camera], replacing former: TakeGroup) throws {
    for (camera, place) in zip(cameras, former.cameras) {
      if place.methods == [.stamps], !Set(camera.methods).isDisjoint(with: [.flash, .clap]) { continue }
      guard let old = place.uncertainty, let new = camera.uncertainty, new > old else { continue }
      throw Failure(
        "\(camera.name): its place is known to \(old.bound), and would then be known to \(new.bound). Write another file with --output, or give --force.",
        exitCode: ExitStatus.cannotCreate)
    }
  }

  private func members(of former: TakeGroup?) async throws -> [GroupMember] {
    if let former {
      let path = FilePath(given: items[0])
      return try former.cameras.map { camera throws(OvercrankError) in
        try GroupMember(name: camera.name, path: TakeGroup.take(of: camera, inGroupAt: path))
      }
    }
    let entries = try await folder.entries(named: items)
    return try entries.enumerated().map { index, entry throws(OvercrankError) in
      try GroupMember(name: GroupCamera.name(index), path: entry.path)
    }
  }

  /// Returns the group's file.
  private func target(of members: [GroupMember], _ former: TakeGroup?) throws -> FilePath {
    if let output {
      guard !output.string.hasSuffix(TakeGroup.suffix) else { return output }
      return FilePath(output.string + TakeGroup.suffix)
    }
    if former != nil { return FilePath(given: items[0]) }
    return GroupMember.usualGroup(of: members)
  }
}

/// Methods of alignment, as in `stamps,flash`.
struct MethodList {
  let methods: [AlignmentMethod]

  init(_ text: String) throws {
    methods = try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      guard let method = AlignmentMethod(rawValue: String(word)) else {
        let known = AlignmentMethod.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("\"\(word)\" is not a method: give \(known), or several joined by commas.")
      }
      return method
    }
  }
}

extension TakeGroup.Camera {
  /// The place of the camera, in words: `B: its first frame lies 3 ms after A's, give or take 0.02 ms`.
  fileprivate func words(after first: String) -> String {
    var words = "\(name): its first frame lies \(offset.milliseconds) "
    words += "\(offset < .zero ? "before" : "after") \(first)'s"
    if let uncertainty { words += ", give or take \(uncertainty.bound)" }
    if let rateUncertainty {
      words += "; its clock is \(Self.millionths(ratePartsPerMillion.magnitude)) ppm "
      words +=
        "\(ratePartsPerMillion < 0 ? "fast" : "slow"), give or take \(Self.millionths(rateUncertainty)) ppm"
    }
    let others = AlignmentMethod.allCases.compactMap { method in
      residuals[method].map { residual in
        let words = "\(method.rawValue) \(residual < .zero ? "-" : "")\(residual.milliseconds)"
        return methods.contains(method) ? words : "\(words), which does not count"
      }
    }
    guard others.count > 1 else { return words + "." }
    return words + " (off from that: \(others.joined(separator: "; ")))."
  }
}

extension TakeGroup.Camera {
  /// Returns a difference of clocks, to a tenth of a millionth.
  private static func millionths(_ rate: Double) -> String {
    Fraction(Int64(clamping: (rate * 10).rounded()), 10).decimal(places: 1)
  }
}
