public import CameraModel
public import Media
public import Platform
import Synchronization
public import SystemPackage
public import Takes

/// The segments of a clip that are rendered while its master is still being written.
///
/// The frames of a steady camera lie at whole intervals, so those captured so far fix their places in the
/// clip. They are rendered in segments of some seconds, one after the other, into an unnamed file.
/// ``ClipRenderer`` uses the segments that are identical in the finished clip, and renders the rest.
public actor EarlyClip {
  private let master: GrowingMaster
  private let spec: RenderSpec
  private let part: ClipSpan
  private let turn: PictureTurn?
  private let sensor: SensorFacts?
  private let folder: FilePath
  private let threads: IdleThreads?
  private var frames: GrowingFrames?
  /// The plan of the clip from the frames so far; `nil` if they are too few to tell.
  private var plan: ClipPlan?
  /// The number of frames when `plan` was last made.
  private var plannedCount = 0
  /// The captured frame with which the next segment begins.
  private var next = 0

  private struct Made {
    var segments: [EarlySegment] = []
    var file: ScratchFile?
    var isRecording = true
    var isOver = false
  }

  private nonisolated let made = Mutex(Made())

  /// Frames of the clip in a segment: the keyframe interval, if nothing else adds keyframes.
  static let segmentLength = ClipPlan.keyframeInterval
  /// Bytes to keep free on the disk for the master.
  private static let reserve: Int64 = 256 << 20

  /// Creates an empty early clip of `master`.
  ///
  /// - Parameters:
  ///   - master: the master that is being recorded.
  ///   - spec: how the clip is made; see ``RenderSpec/wholeSourceNeed(of:sensor:)``.
  ///   - part: the part of the source to show.
  ///   - turn: the turn of the pictures that the take states.
  ///   - sensor: what is known of the sensor, the same as for the finished clip.
  ///   - folder: a folder on the disk that keeps the segments until the master is complete.
  ///   - threads: the threads to render on; `nil` for any.
  public init(
    of master: GrowingMaster, spec: RenderSpec, of part: ClipSpan = .whole, turn: PictureTurn?,
    sensor: SensorFacts? = nil,
    keptIn folder: FilePath, on threads: IdleThreads?
  ) {
    self.master = master
    self.spec = spec
    self.part = part
    self.turn = turn
    self.sensor = sensor
    self.folder = folder
    self.threads = threads
    if spec.wholeSourceNeed() != nil { made.withLock { $0.isOver = true } }
  }

  /// Renders segments as their frames arrive, until the master has ended or ``stop()`` is called. Call it
  /// once.
  public func make() async {
    while await makeAvailable(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(100)) }
  }

  /// Stops after the segments being rendered, whose further frames no longer count as rendered during the
  /// recording.
  public nonisolated func stop() {
    made.withLock { made in
      made.isRecording = false
      made.isOver = true
    }
  }

  /// Drops all segments if the disk is running out of space. Call it about every 200 ms, from a thread that
  /// is not idle.
  public nonisolated func giveWay() {
    guard let file = made.withLock({ $0.file }) else { return }
    file.giveWay(keeping: Self.reserve)
    if file.isDropped { drop() }
  }

  /// Drops all segments.
  public nonisolated func drop() {
    let file = made.withLock { made in
      made.isOver = true
      made.segments = []
      return made.file.take()
    }
    file?.drop()
  }

  /// Renders the segments whose frames are complete.
  ///
  /// - Returns: whether more may follow later.
  func makeAvailable() async -> Bool {
    let hasEnded = master.hasEnded
    takeFrames()
    await withTaskGroup(of: EarlySegment?.self) { group in
      var running = 0
      while true {
        while running < encoderCount, let plan = nextPlan(), let file = openFile() {
          running += 1
          group.addTask { await self.segment(plan, in: file) }
        }
        guard running > 0, let segment = await group.next() else { return }
        running -= 1
        enter(segment)
        takeFrames()
      }
    }
    return !hasEnded && !isOver
  }

  /// Returns the segments that match the clip of `plan`, in order.
  nonisolated func segments(of plan: ClipPlan) -> [EarlySegment] {
    let look = plan.look
    return made.withLock { $0.segments }
      .filter { $0.look == look && plan.content(of: $0.content.frames) == $0.content }
      .sorted { $0.content.frames.lowerBound < $1.content.frames.lowerBound }
  }

  /// Returns all frames of the master, once it is complete; `nil` if it was never begun.
  func allFrames() -> GrowingFrames? {
    takeFrames()
    return frames
  }

  private nonisolated var isOver: Bool { made.withLock { $0.isOver } }

  private var encoderCount: Int { plan?.encoderCount ?? 1 }

  private func takeFrames() {
    guard let video = frames?.video ?? master.video else { return }
    let more = master.takeFrames()
    if frames == nil { frames = GrowingFrames(video) }
    frames?.add(more)
  }

  /// Returns a plan with the next segment as its only one; `nil` if the frames so far are too few.
  private func nextPlan() -> ClipPlan? {
    guard !isOver else { return nil }
    guard let range = nextSegment(), var plan else { return nil }
    next = range.upperBound
    plan.make(only: range)
    return plan
  }

  private func nextSegment() -> Range<Int>? {
    if let range = plan?.timeline.segment(from: next, length: Self.segmentLength) { return range }
    // Each new plan reads all frames, so it is not made too often for many of them.
    guard let frames, frames.count > plannedCount + plannedCount / 64 else { return nil }
    plannedCount = frames.count
    // Too few frames are no error: the part that the clip shows may begin later.
    plan = try? ClipPlan(frames, spec, of: part, turn: turn, sensor: sensor, on: threads)
    return plan?.timeline.segment(from: next, length: Self.segmentLength)
  }

  private func openFile() -> ScratchFile? {
    if let file = made.withLock({ $0.file }) { return file }
    guard let file = try? ScratchFile(in: folder) else {
      drop()
      return nil
    }
    return made.withLock { made in
      guard !made.isOver else { return nil }
      made.file = file
      return file
    }
  }

  private nonisolated func segment(_ plan: ClipPlan, in file: ScratchFile) async -> EarlySegment? {
    let writer = EarlySegmentWriter(to: file) { [self] in made.withLock { $0.isRecording } }
    do throws(OvercrankError) {
      guard let content = plan.content(of: plan.segments[0]) else { return nil }
      let outcome = try await SegmentRenderer(0, of: plan).render(into: writer)
      return EarlySegment(
        content: content, look: plan.look, outcome: outcome, packets: await writer.packets)
    } catch {
      return nil
    }
  }

  /// Keeps a segment. `nil` ends the rendering: the final render meets the same error and reports it.
  private func enter(_ segment: EarlySegment?) {
    made.withLock { made in
      guard let segment else { return made.isOver = true }
      // Damaged frames are replaced by those around them, whose places `SegmentContent` does not compare.
      if made.file != nil, segment.outcome.firstFailure == nil { made.segments.append(segment) }
    }
  }
}

extension RenderSpec {
  /// Returns the reason why the clip needs its complete source; `nil` if parts of it suffice.
  ///
  /// - Parameters:
  ///   - video: the source's track; `nil` if unknown.
  ///   - sensor: what is known of its sensor.
  public func wholeSourceNeed(of video: VideoTrack? = nil, sensor: SensorFacts? = nil) -> WholeSourceNeed? {
    stages.wholeSourceNeed(of: video, sensor: sensor)
  }
}
