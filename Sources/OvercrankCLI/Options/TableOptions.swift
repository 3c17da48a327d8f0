import ArgumentParser
import Overcrank

/// The source of a camera table.
struct TableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the table from this file instead of a camera; - for standard input.",
      discussion: """
        The file holds JSON from "formats --json", or text from "v4l2-ctl --list-formats-ext". If the text lists \
        several devices, a camera given as /dev/videoN selects one; otherwise the modes of all are used.
        """,
      valueName: "file"),
    completion: .file())
  var from: FileArgument?

  /// Throws if it is ambiguous whether `cameras` or the file is meant.
  func validate(cameras: [String]) throws {
    guard from != nil, !cameras.isEmpty else { return }
    guard cameras.count == 1, case .path = CameraName(cameras[0]) else {
      throw ValidationError(
        "Give a camera or --from FILE, not both. Only /dev/videoN can be combined with --from: it selects a "
          + "device in FILE.")
    }
  }

  /// Returns the table of the camera or of the file, and prints its warnings.
  func table(
    camera: String?, _ profiles: ProfileLibrary, _ output: OutputOptions
  ) throws -> CameraTable {
    let table =
      try from.map { try Self.table(file: $0, camera: camera).described(by: profiles) }
      ?? CaptureDevice(named: camera, profiles: profiles).table(profiles: profiles)
    for warning in table.warnings { output.remark(warning) }
    return table
  }

  private static func table(file: FileArgument, camera: String?) throws -> CameraTable {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes =
        switch file {
        case .standardStream: try WholeFile.bytes(from: .standardInput, atMost: largestTable)
        case .file(let path): try WholeFile.bytes(of: path, atMost: largestTable)
        }
    } catch .fileTooLarge {
      throw Failure(
        "\(file): is far too large for a camera table. Check the name.", exitCode: ExitStatus.badData)
    } catch {
      throw Failure(WholeFile.failure(FilePath(file.description), error))
    }
    let node: FilePath? =
      if case .path(let path) = camera.map(CameraName.init) { path } else { nil }
    return try CameraTable(
      contents: bytes, named: file == .standardStream ? "standard input" : file.description, node: node)
  }

  /// The size in bytes of a table with a hundred thousand modes.
  private static let largestTable = 16 << 20
}
