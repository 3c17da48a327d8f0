public import CameraModel
public import Media
public import Platform
import Synchronization
public import SystemPackage
public import Takes
import Timebase

/// What can be made of a clip while its master is still being written.
///
/// The frames so far tell where they lie in the clip, as a steady camera's lie at whole intervals. From them, segments of
/// some seconds are made, one after the other, and kept in a file without a name. ``ClipRenderer`` uses those that are in
/// the finished clip just what they are here, and makes all else.
public actor EarlyClip {
  private let master: GrowingMaster
  private let spec: RenderSpec
  private let part: ClipSpan
  private let turn: PictureTurn?
  private let sensor: SensorFacts?
  private let folder: FilePath
  private let threads: IdleThreads?
  private var frames: GrowingFrames?
  /// What the clip is, by the frames so far; `nil` where those do not tell.
  private var plan: ClipPlan?
  /// How many frames there were when that was looked at.
  private var plannedCount = 0
  /// The captured frame with which the next segment begins.
  private var next = 0

  private struct Made {
    var segments: [EarlySegment] = []
    var file: ScratchFile?
    var isFilming = true
    var isOver = false
  }

  private nonisolated let made = Mutex(Made())

  /// Frames of the clip in a segment: as many as lie between two keyframes where nothing else makes one.
  static let segmentLength = ClipPlan.keyframeInterval
  /// Bytes that stay free on the disk for the master.
  private static let reserve: Int64 = 256 << 20

  /// A clip of `master`, of which nothing is made yet.
  ///
  /// - Parameters:
  ///   - master: the film that is being recorded.
  ///   - spec: how the clip is made; see ``RenderSpec/wholeFilmNeed(of:sensor:)``.
  ///   - part: the part of the source that it shows.
  ///   - turn: how the take says that its pictures are turned.
  ///   - sensor: what is known of the sensor, as whoever makes the clip will know it.
  ///   - folder: a folder on the disk where it is kept until the film is whole.
  ///   - threads: where it is made; `nil` for everywhere.
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
    if spec.wholeFilmNeed() != nil { made.withLock { $0.isOver = true } }
  }

  /// Makes segments as their frames come, until the master has ended or ``stop()`` is called. Call it once.
  public func make() async {
    while await makeAvailable(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(100)) }
  }

  /// Has what is being made be the last; it counts as made after the film's end.
  public nonisolated func stop() {
    made.withLock { made in
      made.isFilming = false
      made.isOver = true
    }
  }

  /// Gives up all that was made where the disk gets short; to be called every 200 ms or so, from a thread that is not
  /// idle.
  public nonisolated func giveWay() {
    guard let file = made.withLock({ $0.file }) else { return }
    file.giveWay(keeping: Self.reserve)
    if file.isDropped { drop() }
  }

  /// Gives up all that was made.
  public nonisolated func drop() {
    let file = made.withLock { made in
      made.isOver = true
      made.segments = []
      return made.file.take()
    }
    file?.drop()
  }

  /// Makes the segments that can be made of the frames so far.
  ///
  /// - Returns: whether there may be more later.
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

  /// What was made of the clip that `plan` is, in order.
  nonisolated func segments(of plan: ClipPlan) -> [EarlySegment] {
    let look = plan.look
    return made.withLock { $0.segments }
      .filter { $0.look == look && plan.content(of: $0.content.frames) == $0.content }
      .sorted { $0.content.frames.lowerBound < $1.content.frames.lowerBound }
  }

  /// All frames of the master, once it is whole; `nil` where it was never begun.
  func allFrames() -> GrowingFrames? {
    takeFrames()
    return frames
  }

  private nonisolated var isOver: Bool { made.withLock { $0.isOver } }

  private var encoderCount: Int { plan?.encoderCount ?? 1 }

  private func takeFrames() {
    guard let film = frames?.film ?? master.film else { return }
    let more = master.takeFrames()
    if frames == nil { frames = GrowingFrames(film) }
    frames?.add(more)
  }

  /// The clip with the next segment for its only one; `nil` where the frames so far do not tell that.
  private func nextPlan() -> ClipPlan? {
    guard !isOver else { return nil }
    guard let range = nextSegment(), var plan else { return nil }
    next = range.upperBound
    plan.make(only: range)
    return plan
  }

  private func nextSegment() -> Range<Int>? {
    if let range = plan?.timeline.segment(from: next, length: Self.segmentLength) { return range }
    // Each look is at all frames: not too often, where there are many.
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
    let writer = EarlySegmentWriter(to: file) { [self] in made.withLock { $0.isFilming } }
    do throws(OvercrankError) {
      guard let content = plan.content(of: plan.segments[0]) else { return nil }
      let outcome = try await SegmentRenderer(0, of: plan).render(into: writer)
      return EarlySegment(
        content: content, look: plan.look, outcome: outcome, packets: await writer.packets)
    } catch {
      return nil
    }
  }

  /// Keeps a segment; without one, nothing further is made: whoever makes the clip meets what went wrong, and says so.
  private func enter(_ segment: EarlySegment?) {
    made.withLock { made in
      guard let segment else { return made.isOver = true }
      // Where frames are damaged, those around them are shown instead, whose places are not compared.
      if made.file != nil, segment.outcome.firstFailure == nil { made.segments.append(segment) }
    }
  }
}

extension RenderSpec {
  /// What the clip needs all of its film for; `nil` where parts of that will do.
  ///
  /// - Parameters:
  ///   - film: what the film holds; `nil` where that is not known.
  ///   - sensor: what is known of its sensor.
  public func wholeFilmNeed(of film: VideoTrack? = nil, sensor: SensorFacts? = nil) -> WholeFilmNeed? {
    stages.wholeFilmNeed(of: film, sensor: sensor)
  }
}
