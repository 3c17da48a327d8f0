import ArgumentParser
import Capture
import Platform

/// How the capture thread is scheduled.
struct SchedulingOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Run the capture thread before all other programs, and report a refusal.",
      discussion: "By default, this is tried with real cameras, and a refusal is not reported."))
  var realtime: Bool?

  @Option(
    help: ArgumentHelp("Run the capture thread on this CPU only; CPUs count from 0.", valueName: "number"))
  var cpu: Int?

  func validate() throws {
    if let cpu, cpu < 0 { throw ValidationError("--cpu \(cpu) is no CPU; they count from 0.") }
  }

  /// The scheduling for `camera`; what is refused of it is told, if it was asked for.
  func scheduling(for camera: CaptureDevice, _ output: OutputOptions) -> CaptureScheduling {
    // A simulated camera draws its frames on the capture thread: that work is not to push others aside.
    let isReal = if case .camera = camera { true } else { false }
    let scheduling = CaptureScheduling(isRealTime: realtime ?? isReal, cpu: cpu)
    for refusal in scheduling.refusals() {
      switch refusal {
      case .realTime where realtime != true: output.detail(refusal.description)
      default: output.remark(refusal.description)
      }
    }
    return scheduling
  }
}
