import ArgumentParser
import Foundation
import Overcrank
import StudioServer

struct StudioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio", abstract: "Shows the camera in a browser: live picture, trigger, review, library.",
    discussion: """
      Prints an address of this machine, and opens it if there is a desktop. Anyone who has the whole address, \
      including the part after #, can see and control the camera; no one else can. Ctrl-C ends it; a take in progress \
      is saved.

      With --json, prints one object with the keys address, port and token.
      """)

  @Option(
    help: ArgumentHelp(
      "Start with the options saved as setup NAME: see \"overcrank setups\". The command line takes precedence. "
        + "(default: as the last studio with this camera)",
      valueName: "name"),
    completion: .setup)
  var setup: String?

  @OptionGroup(title: "Camera and mode") var mode: ModeOptions
  @OptionGroup(title: "Camera and mode") var group: GroupOptions

  @Option(
    name: .customLong("folder"),
    help: ArgumentHelp("Where takes go. (default: the library folder)", valueName: "folder"),
    completion: .directory)
  var folder: FilePath?

  @Option(
    help: ArgumentHelp(
      "The port to listen on; 0 is any free one. (default: \(StudioHost.usualPort), or any free one if it is taken)",
      valueName: "number"))
  var port: Int?

  @Option(
    name: .customLong("bind"),
    help: ArgumentHelp(
      "Listen on this address of this machine instead of 127.0.0.1, such as 192.168.1.20, or 0.0.0.0 for all.",
      discussion:
        "Others on that network can then reach it. Nothing is encrypted, not even the address's secret part.",
      valueName: "address"))
  var address: String?

  @Flag(help: "Do not open a browser.")
  var noOpen = false

  @OptionGroup(title: "Audio") var audio: AudioOptions
  @OptionGroup(title: "Controls") var controls: ControlPolicyOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    try FolderOptions.check(folder)
    if let port, !(0...65535).contains(port) {
      throw ValidationError("--port \(port) is out of range: choose one from 1024 to 65535, or 0 for any.")
    }
  }

  func run() async throws {
    try checkClocks()
    let options = StudioOptions(
      cameras: mode.named.cameras, further: group.with.map { $0.camera(mode) }, rate: mode.fps,
      criteria: mode.criteria,
      quality: mode.wishes.quality ?? [],
      controls: controls.policy, microphones: audio.names, folder: folder,
      settings: try setup.map { try StudioSettings(Setup(named: $0)) }, memory: StudioMemory())
    if let folder, !folder.exists { output.remark("\(folder) does not exist: the studio creates it.") }
    let own = folder ?? LibraryFolder.path
    try OwnFolder.make(own, as: "the folder of takes", remedy: "Choose another folder.")
    try OwnFolder.checkTakesFiles(own, as: "the folder of takes", remedy: "Choose another folder.")
    let studio = Studio(options) { [output] in output.remark($0) }
    let host = try await StudioHost(studio, address: address ?? "127.0.0.1", port: port)
    // A script that has read the address may end the studio at once.
    Interruption.shared.hold()
    try tell(host)
    let page = noOpen ? nil : StudioPage(host.url)
    let work = Interruption.shared.cancelling {
      Task {
        try await withThrowingDiscardingTaskGroup { group in
          group.addTask { await studio.run() }
          group.addTask { try await host.serve() }
        }
      }
    }
    let end = await work.result
    page?.remove()
    Interruption.shared.clear()
    for clip in studio.pendingClips {
      output.remark(
        "The clip of \(clip.master.name) was not made. Make it with: \(LaterClip.command(for: clip))")
    }
    try end.get()
  }

  /// Refuses a simulated camera with a virtual clock.
  private func checkClocks() throws {
    for camera in mode.named.cameras + group.with.map(\.name) where camera.hasPrefix("sim:") {
      guard let device = try? CaptureDevice(named: camera), device.clock.isVirtual else { continue }
      throw Failure(
        "\(camera): the studio shows a camera in real time. Leave out clock=virtual.",
        exitCode: ExitStatus.usage)
    }
  }

  private func tell(_ host: StudioHost) throws {
    if output.json {
      try Console.sayJSON(StudioReport(address: host.url, port: host.port, token: host.token))
    } else {
      Console.say(host.url)
      if let code = host.code, !output.quiet { Console.sayCode(code) }
    }
    if let address, !address.hasPrefix("127."), address != "::1" {
      output.remark(
        "Warning: nothing is encrypted. Others on that network can read the address's secret part as it passes, and then "
          + "see, record and delete takes as you can, until this studio ends. \"ssh -L\" brings the page to another "
          + "machine without that risk: see \"Address, port and folder\" in docs/studio.md.")
    }
    output.remark("\(noOpen ? "Open this address in a browser. " : "")Ctrl-C ends the studio.")
  }
}

/// The report that `studio --json` prints.
struct StudioReport: Encodable {
  var address: String
  var port: Int
  var token: String
}
