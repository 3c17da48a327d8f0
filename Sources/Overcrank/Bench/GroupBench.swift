public import CameraModel
import Cameras
public import Capture
public import Diagnostics
public import Platform
import Synchronization

/// Measures several cameras at the same time: the rate that each sustains beside the others.
public struct GroupBench: Sendable {
  /// A camera in one mode.
  public struct Member: Sendable {
    /// The bench of the camera.
    public var bench: ModeBench
    /// The mode to measure.
    public var mode: Mode
    /// The changes to the camera's controls during the measurement.
    public var plan: ControlPlan

    /// Creates a member that is measured in `mode`.
    public init(_ bench: ModeBench, mode: Mode, plan: ControlPlan) {
      self.bench = bench
      self.mode = mode
      self.plan = plan
    }
  }

  /// The cameras.
  public let members: [Member]

  /// Creates a bench of two cameras or more.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` if a camera is named twice, or only some are in virtual time.
  public init(_ members: [Member]) throws(OvercrankError) {
    _ = try GroupCamera.onOneClock(members.map { GroupCamera($0.bench.device) })
    self.members = members
  }

  /// Measures all cameras at once.
  ///
  /// Blocks the calling thread until the last one has ended. A camera that sends no frame does not end the others; its
  /// report states why.
  ///
  /// - Parameter stop: the channels on which `SessionCommand.stop` ends the measurement of each camera early; as many as
  ///   ``members``.
  /// - Returns: the reports, in the order of the cameras.
  /// - Throws: `OvercrankError` if the system has no thread left.
  public func measure(stop: [SessionCommands]) throws(OvercrankError) -> [RateReport] {
    let results = Results()
    var threads: [NamedThread] = []
    var hasFailed = false
    for ((place, member), stop) in zip(members.enumerated(), stop) {
      let thread = NamedThread(name: "overcrank-bench") {
        let report = member.bench.measure(member.mode, with: member.plan, stop: stop)
        results.reports.withLock { $0[place] = report }
      }
      guard let thread else {
        hasFailed = true
        break
      }
      threads.append(thread)
    }
    if hasFailed { for commands in stop { commands.send(.stop) } }
    for thread in threads { thread.join() }
    guard !hasFailed else {
      throw OvercrankError(
        .failed, "The system has no thread left to measure \(members.count) cameras. Close other programs.")
    }
    let reports = results.reports.withLock { $0 }
    return members.indices.compactMap { reports[$0] }
  }

  /// The reports by the places of their cameras.
  private final class Results: Sendable {
    let reports = Mutex<[Int: RateReport]>([:])
  }
}
