import ArgumentParser
import CameraModel
import Cameras
import Capture
import SystemPackage

/// Where a command gets a camera table from.
struct TableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the table from this file instead of a camera; - for standard input.",
      discussion: """
        The file holds JSON from "formats --json", or text from "v4l2-ctl --list-formats-ext". If the text lists \
        several devices, a camera given as /dev/videoN selects one; otherwise their modes are taken together.
        """,
      valueName: "file"),
    completion: .file())
  var from: FileArgument?

  /// Throws where `camera` and the file leave it open which of them is meant.
  func validate(camera: String?) throws {
    guard from != nil, let camera else { return }
    guard case .path = CameraName(camera) else {
      throw ValidationError(
        "Give a camera or --from FILE, not both; only /dev/videoN picks a device of a text.")
    }
  }

  /// The table of the camera or of the file; its warnings are told.
  func table(camera: String?, _ output: OutputOptions) throws -> CameraTable {
    let profiles = ProfileLibrary(for: output)
    let table =
      try from.map { try Self.table(file: $0, camera: camera).described(by: profiles) }
      ?? CaptureDevice(named: camera, profiles: profiles).table(profiles: profiles)
    for warning in table.warnings { output.remark(warning) }
    return table
  }

  private static func table(file: FileArgument, camera: String?) throws -> CameraTable {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try Self.bytes(of: file)
    } catch {
      throw Failure(
        "\(file): the table cannot be read: \(error) (errno \(error.rawValue)). Check the name; - is standard input.",
        exitCode: error == .permissionDenied ? ExitStatus.noPermission : ExitStatus.noInput)
    }
    guard bytes.count <= Self.largestTable else {
      throw Failure(
        "\(file): is far too large for a camera table. Check the name.", exitCode: ExitStatus.badData)
    }
    let node: FilePath? =
      if case .path(let path) = camera.map(CameraName.init) { path } else { nil }
    return try CameraTable(
      contents: bytes, named: file == .standardStream ? "standard input" : file.description, node: node)
  }

  /// Bytes of a table of a hundred thousand modes.
  private static let largestTable = 16 << 20

  /// What is in `file` up to a bit more than ``largestTable``; read as a stream, as the table may come out of a pipe.
  private static func bytes(of file: FileArgument) throws(Errno) -> [UInt8] {
    do {
      let source =
        switch file {
        case .standardStream: FileDescriptor.standardInput
        case .file(let path): try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        }
      defer { if file != .standardStream { try? source.close() } }
      var bytes: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while bytes.count <= largestTable {
        let count = try block.withUnsafeMutableBytes { try source.read(into: $0) }
        guard count > 0 else { break }
        bytes += block.prefix(count)
      }
      return bytes
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
