import ArgumentParser
import Overcrank

struct TakesEditCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Makes a new clip of a take or a group, beside its files.",
    discussion: BriefHelp.discussion(
      examples: """
          overcrank takes edit latest --speed 1/16 --in 1.2s --out 2s
          overcrank takes edit drop --speed '0s:1, 1s:1/8, 3s:1'
          overcrank takes edit jump.group.json --speed 1/8 --layout stack
        """,
      """
      The clip gets the first free name, and the take or the group names it. The masters and the clips that are \
      there stay as they are. The clip of a group shows all its cameras, as "overcrank retime" makes it.
      """))

  @OptionGroup var argument: TakeArgument
  @OptionGroup var making: ClipMakingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var help: FullHelp

  var given: [String] {
    let isGroup = GroupVideo.isNamed(by: FilePath(argument.take))
    return [String](given: ["--layout": isGroup]) + making.given + output.given
  }

  mutating func run() async throws {
    let item = try await argument.item()
    // The name or the label of a group does not tell what it is.
    argument.take = item.path.string
    try refuseConflictsLate()
    try making.checkLayout(of: item.path)
    if let remark = making.clip.fastRemark { output.remark(remark) }
    let video = try video(of: item)
    let spec = try making.spec(of: video)
    if case .entry(let entry) = item { entry.removeUnfinishedClips() }
    let path = try video.clipName(in: video.container(for: spec)).free
    guard let (report, unentered) = try await making.convert(video, to: path, spec, output) else { return }
    if output.json {
      try Console.sayJSON([ClipEntry(report.clip(named: path, spec: spec), path: path, video)])
    }
    if let unentered { throw unentered }
    // A clip of the readable part is still useful, as is part of a recording.
    if let cutOff = report.cutOff { throw cutOff }
  }

  private func video(of item: LibraryItem) throws -> SourceVideo {
    guard case .entry(let entry) = item else { return try making.video(ofGroup: item.path, output) }
    _ = try entry.take()
    guard let master = entry.master else {
      throw OvercrankError(
        .noInput, "\(entry.path): its master is missing, and clips can be made only from it.")
    }
    let video = try SourceVideo(master, profiles: ProfileLibrary(for: output))
    try video.checkExists()
    return video
  }
}
