public import Diagnostics
public import Takes

/// The sums of what several cameras sent while they were measured at the same time.
public struct GroupTotals: Sendable {
  /// A USB bus that several of the cameras share.
  public struct Bus: Sendable {
    /// The number of the bus.
    public let name: String
    /// The number of its cameras.
    public let cameraCount: Int
    /// The bytes per second that they sent.
    public let bytesPerSecond: Int64
    /// The bytes per second that it carries, about.
    public let mostBytesPerSecond: Int64
  }

  /// The number of cameras, including those that sent no frame.
  public let cameraCount: Int
  /// The names of those that failed before their measurement was over, such as unplugged ones: A, B and so on.
  public let failed: [String]
  /// The names of those that did not sustain their rates beside the others, without those that failed.
  public let fallingShort: [String]
  /// The frames of all cameras.
  public let frames: Take.FrameCounts
  /// Their bytes per second: what a recording writes to the disk. A camera without two frames counts as 0.
  public let bytesPerSecond: Double
  /// The peak fills of their rings in bytes, summed up.
  public let ringPeakBytes: Int
  /// The processor time of all cameras' threads in one second of capture.
  public let processorTimePerSecond: Duration
  /// The USB buses that several cameras share, by their names.
  public let buses: [Bus]

  /// Sums up the reports of ``GroupBench/measure(stop:)``, in the order of `members`.
  public init(_ reports: [RateReport], of members: [GroupBench.Member]) {
    cameraCount = reports.count
    failed = reports.indices.filter { reports[$0].failure != nil }.map(GroupCamera.name)
    fallingShort = reports.indices.filter {
      reports[$0].failure == nil && reports[$0].verdict?.isSustained != true
    }
    .map(GroupCamera.name)
    var frames = Take.FrameCounts(sent: 0, written: 0, lost: .init())
    var (rate, ring, processor) = (0.0, 0, Duration.zero)
    var cameras: [GroupDemand.Camera] = []
    for (report, member) in zip(reports, members) {
      let measurement = try? report.outcome.get()
      let bytes = measurement?.bytesPerSecond
      cameras.append(
        GroupDemand.Camera(
          ringBytes: 0, isRingChosen: false, busBytesPerSecond: bytes.map { Int64(clamping: $0) },
          usb: member.bench.device.usb))
      guard let measurement else { continue }
      let counts = measurement.frames
      frames.sent += counts.sent
      frames.written += counts.written
      frames.lost.driver += counts.lost.driver
      frames.lost.corrupt += counts.lost.corrupt
      frames.lost.ring += counts.lost.ring
      frames.lost.disk += counts.lost.disk
      rate += bytes ?? 0
      ring = ring.adding(clamping: measurement.ringPeakBytes)
      let time = measurement.processorTime
      if measurement.duration > .zero {
        processor += (time.capture + time.drain) / (measurement.duration / .seconds(1))
      }
    }
    (self.frames, bytesPerSecond, ringPeakBytes, processorTimePerSecond) = (frames, rate, ring, processor)
    let demand = GroupDemand(
      cameras: cameras, availableBytes: nil, freeBytes: nil, duration: nil, preRoll: .zero, takeCount: nil)
    buses = demand.sharedBuses.map {
      Bus(name: $0.name, cameraCount: $0.cameraCount, bytesPerSecond: $0.need, mostBytesPerSecond: $0.most)
    }
  }
}
