import ArgumentParser
import Overcrank

/// The argument that names the camera.
struct CameraArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The camera: /dev/videoN, N, front, back, external, part of its name, sim: or exec:. Of several, "
        + "the first one found is used. (default: the first camera)",
      valueName: "camera"),
    completion: .camera)
  var cameras: [String] = []

  /// Refuses a file name after a camera: it would be taken for a second camera, used if the first is missing.
  func validate() throws {
    guard let file = cameras.dropFirst().first(where: Self.isFile) else { return }
    let writes = Invocation.arguments.first.map { ["record", "snap"].contains($0) } ?? false
    throw ValidationError(
      "\"\(file)\" is a file name, but a camera is expected here."
        + (writes ? " To write to it, give -o \(file.shellWord)." : ""))
  }

  private static func isFile(_ name: String) -> Bool {
    guard !name.hasPrefix("/dev/"), !name.contains(":") else { return false }
    return FilePath(name).extension.map { fileExtensions.contains($0.lowercased()) } ?? false
  }

  /// The extensions of files that this program or other recorders write.
  private static let fileExtensions: Set = [
    "mp4", "mov", "mkv", "nut", "avi", "webm", "m4v", "gif", "jpg", "jpeg", "png", "dng", "tiff", "json",
    "csv", "txt",
  ]

  /// Returns the first available camera as it was named, and prints a remark for each one missing before it;
  /// `nil` if none was named.
  func camera(_ profiles: ProfileLibrary, _ output: OutputOptions) throws -> String? {
    guard cameras.count > 1 else {
      try cameras.first.map(Self.keepFiles)
      return cameras.first
    }
    let (name, missing) = try CaptureDevice.first(of: cameras, profiles: profiles)
    for error in missing { output.remark(error.message) }
    try Self.keepFiles(of: name)
    return name
  }

  /// Keeps the files that a simulated camera is read from, its table and its frames, from being replaced by an output.
  static func keepFiles(of camera: String) throws(OvercrankError) {
    guard let address = try? SimulatedCameraAddress(text: camera) else { return }
    for file in [address.name, address.faults.recording ?? ""] where !file.isEmpty {
      try FileLock.keepInput(FilePath(file))
    }
  }
}

extension ProfileLibrary {
  /// Creates a library of all profiles, and prints a warning for each of the user's that cannot be read.
  init(for output: OutputOptions) {
    self.init()
    for failure in failures { output.remark("warning: \(failure) Its contents are ignored.") }
  }
}
