import ArgumentParser
import Overcrank

struct TakesEditCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Makes a new clip of a take, beside its master.",
    discussion: BriefHelp.discussion(
      examples: """
          overcrank takes edit latest --speed 1/16 --in 1.2s --out 2s
          overcrank takes edit drop --speed '0s:1, 1s:1/8, 3s:1'
        """,
      """
      The clip gets the first free name, and the take names it. The master and the clips that are there stay as they \
      are.
      """))

  @OptionGroup var argument: TakeArgument
  @OptionGroup var making: ClipMakingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var help: FullHelp

  var given: [String] { making.given + output.given }

  func run() async throws {
    let entry = try await argument.entry()
    _ = try entry.take()
    guard let master = entry.master else {
      throw OvercrankError(
        .noInput, "\(entry.path): its master is missing, and clips can be made only from it.")
    }
    if let remark = making.clip.fastRemark { output.remark(remark) }
    let video = try SourceVideo(master, profiles: ProfileLibrary(for: output))
    try video.checkExists()
    let spec = try making.spec(of: video)
    entry.removeUnfinishedClips()
    let path = try video.clipName(in: video.container(for: spec)).free
    guard let (report, unentered) = try await making.convert(video, to: path, spec, output) else { return }
    if output.json {
      try Console.sayJSON([ClipEntry(report.clip(named: path, spec: spec), path: path, video)])
    }
    if let unentered { throw unentered }
    // A clip of the readable part is still useful, as is part of a recording.
    if let cutOff = report.cutOff { throw cutOff }
  }
}
