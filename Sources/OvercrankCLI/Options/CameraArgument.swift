import ArgumentParser
import Cameras
import Capture

/// Which camera is meant.
struct CameraArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The camera: /dev/videoN, N, front, back, external, a part of its name, or sim:. Of several, the first that is "
        + "there. (default: the first camera)",
      valueName: "camera"),
    completion: .camera)
  var cameras: [String] = []

  /// The camera to take, as it was named; `nil` where none was. Those before it that are not there are told of.
  func camera(_ profiles: ProfileLibrary, _ output: OutputOptions) throws -> String? {
    guard cameras.count > 1 else { return cameras.first }
    let (name, missing) = try CaptureDevice.first(of: cameras, profiles: profiles)
    for error in missing { output.remark(error.message) }
    return name
  }
}
