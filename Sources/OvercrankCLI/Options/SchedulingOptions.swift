import ArgumentParser
import Overcrank

/// The options for the scheduling of the capture thread.
struct SchedulingOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Run the capture thread at real-time priority, ahead of all other programs.",
      discussion:
        "By default, real cameras get this if the system allows it. With --realtime, a refusal is reported.",
      visibility: .rare))
  var realtime: Bool?

  @Option(
    help: ArgumentHelp(
      "Run the capture thread on this CPU only; CPUs are numbered from 0.",
      valueName: "number", visibility: .rare))
  var cpu: Int?

  func validate() throws {
    if let cpu, cpu < 0 { throw ValidationError("--cpu \(cpu) is not a CPU; CPUs are numbered from 0.") }
  }

  /// Returns the scheduling for `camera`, and reports what the system refuses of it.
  func scheduling(for camera: CaptureDevice, _ output: OutputOptions) -> CaptureScheduling {
    let scheduling = CaptureScheduling.usual(for: camera, isRealTime: realtime, cpu: cpu)
    for refusal in scheduling.refusals() {
      switch refusal {
      case .realTime where realtime != true: output.detail(refusal.description)
      default: output.remark(refusal.description)
      }
    }
    return scheduling
  }
}
