import CameraModel
import Media
import Platform
import SystemPackage
import Timebase

/// All decisions about a clip that are made before anything is decoded.
struct ClipPlan {
  let source: ClipSource
  let spec: RenderSpec
  /// The part of the source to show.
  let part: ClipSpan
  /// Frames per second of the clip.
  let outputRate: FrameRate
  /// The conversion of the source's pictures into the clip's.
  let pictures: PicturePlan
  /// The part of them that each frame of the clip shows; `nil` for all of them.
  let zoomCourse: ZoomTrack?
  /// The stages that change pictures, in their order.
  let changes: [any PreparedStage]
  /// The stages that must wait until a picture is zoomed or interpolated.
  let lateChanges: [any PreparedStage]
  let timing: SourceTiming
  /// The conversion of the source's frames into those of ``timing``; `nil` if they are the same.
  private(set) var deinterlacing: Deinterlacing?
  let timeline: Timeline
  /// Whether frames were lost in front of each captured one.
  let gaps: [Bool]
  /// The captured frames of each part that has its own encoder.
  private(set) var segments: [Range<Int>]
  /// The number of encoders that run at once.
  private(set) var encoderCount: Int
  /// The cameras that the clip shows together; `nil` for one source.
  let group: PlacedGroup?
  /// The treatment of the source's audio; `nil` if it has none.
  let audioTreatment: ClipAudio?
  private let audioCourse: AudioTimeMap?
  let metadata: [String: String]
  /// Whether frames lie on the grid that the camera agreed to, so that later ones cannot move them.
  private let isOnNominalGrid: Bool
  /// The frames of a master that is still being written; `nil` to read the file.
  private var growing: GrowingFrames?
  /// The threads that process frames; `nil` for any.
  private var threads: IdleThreads?
  private var wantedBlockLength: Int?
  /// The most bytes of its pictures; `nil` for any number.
  private(set) var cap: SizeCap?
  /// The colours of a GIF, once they are chosen.
  var palette: Picture?
  /// Frames captured per second, for a clip that plays all of them in real time; `nil` for others.
  let captureRate: Double?

  /// The most frames for which space can be reserved for an MP4's index in front, at 44 bytes a frame.
  static let mostFrames = 48_000_000
  /// The largest distance between keyframes, in frames: libx264's default.
  static let keyframeInterval = 250

  /// Plans a clip of a complete source.
  ///
  /// - Throws: `OvercrankError` if reading the source fails; `badData` if it has no frame; `outOfRange` if it
  ///   lacks something that `spec` asks for.
  init(_ source: ClipSource, _ spec: RenderSpec, of part: ClipSpan, in container: Container)
    throws(OvercrankError)
  {
    try spec.check()
    guard spec.layout == nil else {
      let group = try GroupPlan(source, spec, of: part)
      try self.init(
        source, group.spec, .whole, group.track, group.timing, hasAudio: false, creationTime: nil,
        keepsOrientation: true, group: group)
      return
    }
    var video = try Demuxer(source.path)
    let opened = try OpenedSource(source, spec, in: video)
    try self.init(
      source, spec, part, opened.track, opened.timing, hasAudio: opened.hasAudio,
      creationTime: opened.creationTime, keepsOrientation: container.keepsOrientation)
    deinterlacing = opened.deinterlacing
    // Segments after the first begin in the middle of the source.
    guard deinterlacing == nil, segments.count > 1, video.seek(toFrame: 0, of: timeline.capturedFrameCount)
    else {
      segments = [0..<timeline.capturedFrameCount]
      encoderCount = 1
      return
    }
  }

  /// Plans the clip of a master that is still being written, from its frames so far, as the finished one will
  /// have it.
  ///
  /// - Throws: `OvercrankError`, also if the frames are too few to tell.
  init(
    _ frames: GrowingFrames, _ spec: RenderSpec, of part: ClipSpan, turn: PictureTurn?, sensor: SensorFacts?,
    on threads: IdleThreads?
  ) throws(OvercrankError) {
    try spec.check()
    guard spec.wholeSourceNeed(of: frames.track, sensor: sensor) == nil else {
      throw OvercrankError(.unsupported, "\(frames.video.path): such a clip needs the complete recording.")
    }
    let timing = SourceTiming(frames.timing, frames.video.nominalInterval)
    var source = ClipSource(
      frames.video.path, timing: timing.frames, nominalInterval: frames.video.nominalInterval, turn: turn)
    source.sensor = sensor
    // Masters are stored upright, which all containers keep.
    try self.init(
      source, spec, part, frames.track, timing, hasAudio: false, creationTime: nil, keepsOrientation: true)
    guard self.spec.speed == nil || isOnNominalGrid else {
      throw OvercrankError(
        .badData, "\(source.path): its frames are not at the rate that the camera accepted.")
    }
    growing = frames
    self.threads = threads
  }

  /// Plans the clip of one camera of a group, which is composed with those of the others.
  ///
  /// - Parameters:
  ///   - timeline: the frames that it shows, each at the same moment as the others.
  ///   - form: the layout and the colours that all of them have.
  ///   - poolCount: the number of pools of frames that share the cores.
  init(
    _ opened: OpenedSource, _ spec: RenderSpec, of part: ClipSpan, _ timeline: Timeline,
    in form: (layout: PixelLayout, color: ColorDescription), poolCount: Int
  ) throws(OvercrankError) {
    try self.init(
      opened.source, spec, part, opened.track, opened.timing, hasAudio: opened.hasAudio,
      creationTime: opened.creationTime, keepsOrientation: false, timeline: timeline, form: form)
    deinterlacing = opened.deinterlacing
    segments = [0..<timeline.capturedFrameCount]
    encoderCount = poolCount
  }

  private init(
    _ source: ClipSource, _ spec: RenderSpec, _ part: ClipSpan, _ track: VideoTrack, _ timing: SourceTiming,
    hasAudio: Bool, creationTime: String?, keepsOrientation: Bool, group: GroupPlan? = nil,
    timeline placed: Timeline? = nil, form: (layout: PixelLayout, color: ColorDescription)? = nil
  ) throws(OvercrankError) {
    let cadence = timing.cadence
    let usualRate = FrameRate.usual(forFramesEvery: cadence.unbrokenInterval, at: spec.speed)
    let outputRate =
      spec.outputRate ?? spec.codec.usualLimits.map { usualRate.limited(to: $0.rate) } ?? usualRate
    var spec = spec
    // A rate below the usual one leaves frames out, and makes no clip longer.
    if spec.speed == nil, spec.outputRate == nil, outputRate != usualRate {
      spec.speed = Speed(Timeline.speedOfEveryFrameOnce(cadence, usualRate).short).map { SpeedCurve($0) }
    }
    let timeline =
      placed
      ?? Timeline(cadence, speed: spec.speed, outputRate: outputRate, fill: spec.fill, span: part)
    guard timeline.capturedFrameCount > 0 else {
      throw OvercrankError.noFrames(source.path)
    }
    if placed == nil { try part.check(source.name, lasting: timeline.capturedDuration) }
    let frameCount = spec.frameCount(of: timeline)
    guard frameCount <= Self.mostFrames else {
      throw OvercrankError(
        .outOfRange,
        "\(source.name): at this speed the clip would have \(frameCount) frames, but no file "
          + "can hold more than \(Self.mostFrames). Choose a higher speed, or a part of it.",
        remedy: .choosePart)
    }
    let pictures = try PicturePlan(
      track, from: source, spec.stages, spec.codec, keepsOrientation: keepsOrientation, in: form)
    zoomCourse = pictures.zoom(ClipMoments(timing, spec, of: part, outputRate: outputRate))
    let video = try pictures.stages.changing(overlays: false).map { stage throws(OvercrankError) in
      try stage.prepare(for: pictures, timing)
    }
    let overlays = try pictures.stages.changing(overlays: true).map { stage throws(OvercrankError) in
      try stage.prepare(for: pictures, timing)
    }
    changes = video + overlays
    lateChanges = zoomCourse != nil || spec.fill.isInterpolated ? overlays : []
    self.pictures = pictures
    let encoderCount = pictures.encoderCount(of: spec.codec)
    // Motion interpolation costs more than a keyframe, so even short clips of it are split among all cores.
    let fair = (timeline.outputFrameCount + encoderCount - 1) / max(1, encoderCount)
    let interval =
      (group?.fill ?? spec.fill) == .flow ? min(Self.keyframeInterval, max(24, fair)) : Self.keyframeInterval
    let segments = timeline.segments(encoderCount: encoderCount, keyframeInterval: interval)
    self.segments = segments
    self.encoderCount = encoderCount
    let placedGroup = try group?.placed(in: pictures, encoderCount: encoderCount)
    self.group = placedGroup
    isOnNominalGrid = cadence.gridInterval != nil && cadence.gridInterval == cadence.nominalInterval
    let course =
      hasAudio && !spec.codec.isAnimation
      ? Self.audioCourse(spec, part, timing, timeline, source.timingPace) : nil
    // Words and music are seldom wanted backwards.
    let isForward = spec.stages[PlaybackOrder.self] == nil
    let usual =
      isForward ? course.map { ClipAudio.usual(by: $0, duration: timeline.duration) } ?? .drop : .drop
    audioTreatment =
      placedGroup?.audioTreatment ?? (hasAudio ? course.flatMap { _ in spec.audio } ?? usual : nil)
    audioCourse = course
    // The clip states no speed if the source's capture rate is unknown.
    let isPaceKnown = source.timing != nil || source.captureRate != nil
    var metadata = ["comment": group?.comment ?? spec.comment(usual: isPaceKnown ? timeline.speed : nil)]
    metadata["creation_time"] = source.capturedAt ?? creationTime
    self.metadata = metadata
    self.source = source
    self.spec = spec
    self.part = part
    self.outputRate = outputRate
    self.timing = timing
    self.timeline = timeline
    captureRate = isPaceKnown && group == nil ? Self.captureRate(cadence, timeline, spec, outputRate) : nil
    self.gaps = cadence.gaps
  }

  private static func captureRate(
    _ cadence: CaptureCadence, _ timeline: Timeline, _ spec: RenderSpec, _ outputRate: FrameRate
  ) -> Double? {
    // A camera of 240 fps may deliver 239.9, and its clip still has 240.
    let (stray, one) = (Fraction(1, 100), Fraction(1))
    guard spec.speed == nil || spec.speed?.constant != nil, (timeline.speed - one).magnitude <= stray,
      let rate = cadence.interval.flatMap({ $0 > Fraction(0) ? $0.reciprocal : nil }),
      outputRate.framesPerSecond >= rate * (one - stray)
    else { return nil }
    return rate.doubleValue
  }

  /// Returns the course of the audio; `nil` if every frame is shown once, at a speed out of the range of
  /// `Speed`.
  private static func audioCourse(
    _ spec: RenderSpec, _ part: ClipSpan, _ timing: SourceTiming, _ timeline: Timeline, _ pace: Fraction
  ) -> AudioTimeMap? {
    // The audio follows the source's own speed.
    guard let speed = spec.speed ?? Speed(timeline.speed).map({ SpeedCurve($0) }),
      let curve = speed.relative(to: pace)
    else { return nil }
    let lost = spec.fill == .skip ? timing.cadence.lostTimes : []
    return AudioTimeMap(
      curve, part.relative(to: pace),
      without: lost.map { $0.lowerBound.relative(to: pace)..<$0.upperBound.relative(to: pace) })
  }

  /// The order of the clip's frames; `nil` for that in which they were captured.
  var order: PlaybackOrder? { spec.stages[PlaybackOrder.self] }

  /// The number of frames in the clip.
  var outputFrameCount: Int { spec.frameCount(of: timeline) }

  /// The length of the clip in seconds.
  var duration: Fraction { timeline.duration(ofFrames: outputFrameCount) }

  private var passes: [Bool] { order?.passes ?? [false] }

  /// The number of segments in the clip. On the way back, it has the same ones again, but for an animation, which is
  /// the work of one encoder.
  var segmentCount: Int { spec.codec.isAnimation ? 1 : passes.count * segments.count }

  /// Returns the captured frames that a segment shows one after the other, and whether they play backwards.
  func runs(of segment: Int) -> [(frames: Range<Int>, isReversed: Bool)] {
    guard !spec.codec.isAnimation else { return passes.map { (segments[0], $0) } }
    let (pass, place) = segment.quotientAndRemainder(dividingBy: segments.count)
    return [(segments[passes[pass] ? segments.count - 1 - place : place], passes[pass])]
  }

  /// The most frames of the clip that are held in memory to be encoded backwards: together some 25 MB.
  ///
  /// Where frames depend on others, each block is decoded from a keyframe before it, so fewer and larger ones
  /// are faster: together some 100 MB.
  var blockLength: Int {
    get {
      let isEntered = pictures.video.codec.isIntraOnly && deinterlacing == nil
      let pixels = (isEntered ? 16 : 64) << 20
      return wantedBlockLength
        ?? max(4, pixels / max(1, encoderCount * pictures.size.width * pictures.size.height))
    }
    set { wantedBlockLength = newValue }
  }

  /// Splits the captured frames of a segment into blocks whose frames of the clip fit into memory, apart from
  /// one that is shown for long.
  func blocks(of frames: Range<Int>) -> [Range<Int>] { timeline.blocks(of: frames, length: blockLength) }

  /// Splits the clip at the places of a block, so that the frames at each part of them fit into memory.
  func windows(of block: Range<Int>) -> [Range<Int>] {
    let start = timeline.outputFrames(showing: block.lowerBound).lowerBound
    let end = timeline.outputFrames(showing: block.upperBound - 1).upperBound
    let inner = stride(from: start + 2 * blockLength, to: end, by: 2 * blockLength)
    let bounds = [0] + inner + [Int.max]
    return zip(bounds, bounds.dropFirst()).map { $0..<$1 }
  }

  /// Returns the clip's audio; `nil` if it has none, or none that libavcodec decodes.
  ///
  /// - Parameter folder: where samples that are to be played backwards are kept.
  func audio(turnedIn folder: FilePath) throws(OvercrankError) -> SlowedAudio? {
    guard let audioTreatment, audioTreatment != .drop else { return nil }
    let heard = group.map { $0.audible?.plan } ?? self
    return try heard?.audio(turned: turn(in: folder))
  }

  private func audio(turned turn: AudioTurn?) throws(OvercrankError) -> SlowedAudio? {
    guard let audioCourse, let audioTreatment else { return nil }
    return try audioTreatment.slowed(
      source, from: timing.start, by: audioCourse, duration: timeline.duration, turned: turn)
  }

  /// Returns the way in which the audio runs backwards; `nil` in a clip that runs forwards.
  private func turn(in folder: FilePath) -> AudioTurn? {
    let path = source.name
    return order.map { order in
      let (start, mirror) = order.audioTurn(of: timeline.outputFrameCount)
      return AudioTurn(
        start: timeline.duration(ofFrames: 1) * start, mirror: timeline.duration(ofFrames: mirror),
        duration: duration, folder: folder
      ) { () throws(OvercrankError) in try path.checkCancellation() }
    }
  }

  /// Creates an encoder of the clip's pictures.
  func encoder() throws(OvercrankError) -> VideoEncoder {
    try VideoEncoder(
      spec.codec, layout: pictures.layout, width: pictures.size.width, height: pictures.size.height,
      rate: outputRate, color: pictures.color, isChromaLeft: pictures.isChromaLeft,
      fieldOrder: pictures.retainedFieldOrder, light: pictures.light,
      pixelAspectRatio: pictures.pixelAspectRatio, preset: spec.preset,
      quality: spec.quality ?? spec.codec.usualQuality, cap: cap, palette: palette,
      encoderCount: encoderCount)
  }

  /// Whether frames between two captured ones are prepared while those before them are encoded. Segments
  /// rendered in parallel already keep all cores busy.
  var looksAhead: Bool { spec.fill == .flow && segments.count == 1 && growing == nil }

  /// Creates a pool of the source's frames from `first` on.
  func framePool(from first: Int) throws(OvercrankError) -> any FramePool {
    if group != nil { return try LayoutPool(self, from: first) }
    return try DecodePool(
      reader(from: first), pixelCount: pictures.processingPixelCount, decodePoolCount: encoderCount,
      on: threads
    ) { () throws(OvercrankError) in try processor() }
  }

  /// Returns a processor of the source's frames, with the stages that need not wait.
  func processor() throws(OvercrankError) -> FrameProcessor {
    try pictures.processor(lateChanges.isEmpty ? changes : Array(changes.dropLast(lateChanges.count)))
  }
}

extension ClipPlan {
  /// Returns a reader of the captured frames from `first` on. If the source cannot be entered there, all frames
  /// before it are read too.
  private func reader(from first: Int) throws(OvercrankError) -> FrameReader {
    if let growing { return try FrameReader(growing, timeline, from: first) }
    if first > 0, deinterlacing == nil {
      do throws(OvercrankError) {
        return try FrameReader(Demuxer(source.path), timing, timeline, from: first)
      } catch { try error.unlessBadData() }
    }
    return try FrameReader(
      Demuxer(source.path), timing, timeline, skippingTo: first, deinterlacing: deinterlacing)
  }

  /// Makes a single encoder keep to the size that the clip may have.
  ///
  /// - Parameter fixed: the bytes of its file that are not frames.
  mutating func keepToCap(besides fixed: Int64) {
    guard let limit = spec.largestSize else { return }
    let rest = Double(limit) * 0.97 - Double(fixed)
    cap = SizeCap(bytes: max(1, Int64(rest)), duration: duration)
    segments = [0..<timeline.capturedFrameCount]
    encoderCount = 1
  }

  /// Restricts the clip to the segment of these captured frames.
  mutating func make(only frames: Range<Int>) { segments = [frames] }

  /// Keeps the segments that were already made, and splits the rest anew.
  ///
  /// - Parameters:
  ///   - made: their captured frames, in order.
  ///   - frames: all frames of the master, for a file that can be read only from its start.
  /// - Returns: whether the rest can be made alone.
  /// - Throws: `OvercrankError` if reading the source fails.
  mutating func leave(_ made: [Range<Int>], frames: GrowingFrames?) throws(OvercrankError) -> Bool {
    var video = try Demuxer(source.path)
    if !video.seek(toFrame: 0, of: timeline.capturedFrameCount) {
      guard let frames, frames.count == timeline.capturedFrameCount else { return false }
      growing = frames
    }
    encoderCount = pictures.encoderCount(of: spec.codec)
    var parts: [Range<Int>] = []
    for range in made + [timeline.capturedFrameCount..<timeline.capturedFrameCount] {
      let rest = (parts.last?.upperBound ?? 0)..<range.lowerBound
      if !rest.isEmpty {
        parts += timeline.segments(
          of: rest, encoderCount: encoderCount, keyframeInterval: Self.keyframeInterval)
      }
      if !range.isEmpty { parts.append(range) }
    }
    segments = parts
    return true
  }
}
