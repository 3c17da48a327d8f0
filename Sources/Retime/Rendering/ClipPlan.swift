import CameraModel
import Media
import Platform
import Timebase

/// What a clip is made of: all that is decided before anything is decoded.
struct ClipPlan {
  let source: ClipSource
  let spec: RenderSpec
  /// The part of the source that it shows.
  let part: ClipSpan
  /// Frames per second of the clip.
  let outputRate: FrameRate
  /// How the film's pictures become those of the clip.
  let pictures: PicturePlan
  /// Which part of them each frame of the clip shows; `nil` for all of them.
  let zoomCourse: ZoomCourse?
  /// The stages that change pictures, in their order.
  let changes: [any PreparedStage]
  /// Those that have to wait until a picture is zoomed, or made of two.
  let lateChanges: [any PreparedStage]
  let timing: FilmTiming
  /// How the film's frames become those of ``timing``; `nil` where they are these.
  private(set) var deinterlacing: Deinterlacing?
  let timeline: Timeline
  /// Whether frames were lost in front of each captured one.
  let gaps: [Bool]
  /// The captured frames of each part that is coded by an encoder of its own.
  private(set) var segments: [Range<Int>]
  /// How many encoders are at work at once.
  private(set) var encoderCount: Int
  /// What becomes of the film's audio; `nil` where it has none.
  let audioTreatment: ClipAudio?
  private let audioCourse: AudioCourse?
  let metadata: [String: String]
  /// Whether frames lie on the grid that the camera agreed to, so that those to come move none of them.
  private let isOnNominalGrid: Bool
  /// The frames of a master that is still being written, in place of the file; `nil` for the file.
  private var growing: GrowingFrames?
  /// Where frames are developed; `nil` for everywhere.
  private var threads: IdleThreads?
  /// Captured frames a second, of a clip that plays them all as fast as they were captured; `nil` of others.
  let captureRate: Double?

  /// The most frames for which an MP4's index in front, of 44 bytes a frame, can be given a place.
  private static let mostFrames = 48_000_000
  /// Frames from one keyframe to the next, where nothing else makes one: libx264's own.
  static let keyframeInterval = 250

  /// - Throws: `OvercrankError` of reading the film; `badData` where it has no frame;
  ///   `outOfRange` where it has not what `spec` asks for.
  init(_ source: ClipSource, _ spec: RenderSpec, of part: ClipSpan, in container: Container)
    throws(OvercrankError)
  {
    try spec.check()
    var film = try Demuxer(source.path)
    let track = film.track.completed(byFirstFrameOf: source.path)
    let read = try FilmTiming(of: source, in: film)
    let deinterlacing = try spec.stages[DeinterlacingOptions.self].map { wanted throws(OvercrankError) in
      Deinterlacing(order: try wanted.order(of: track, source.path), timing: read)
    }
    let timing = deinterlacing == nil ? read : read.ofFields()
    try self.init(
      source, spec, part, track, timing, hasAudio: film.hasAudio, creationTime: film.creationTime,
      keepsOrientation: container.keepsOrientation)
    // Others than the first begin in the middle of the film.
    self.deinterlacing = deinterlacing
    guard deinterlacing == nil, segments.count > 1, film.seek(toFrame: 0, of: timeline.capturedFrameCount)
    else {
      segments = [0..<timeline.capturedFrameCount]
      encoderCount = 1
      return
    }
  }

  /// The clip of a master that is still being written, by its frames so far, as the finished one will have it.
  ///
  /// - Throws: `OvercrankError`, also where those are too few to tell.
  init(
    _ frames: GrowingFrames, _ spec: RenderSpec, of part: ClipSpan, turn: PictureTurn?, sensor: SensorFacts?,
    on threads: IdleThreads?
  ) throws(OvercrankError) {
    try spec.check()
    guard spec.wholeFilmNeed(of: frames.track, sensor: sensor) == nil else {
      throw OvercrankError(.unsupported, "\(frames.film.path): all of it is needed to make such a clip.")
    }
    let timing = FilmTiming(frames.timing, frames.film.nominalInterval)
    var source = ClipSource(
      frames.film.path, timing: timing.frames, nominalInterval: frames.film.nominalInterval, turn: turn)
    source.sensor = sensor
    // Masters lie upright, which all containers keep.
    try self.init(
      source, spec, part, frames.track, timing, hasAudio: false, creationTime: nil, keepsOrientation: true)
    guard spec.speed == nil || isOnNominalGrid else {
      throw OvercrankError(
        .badData, "\(source.path): its frames do not keep the pace that the camera agreed to.")
    }
    growing = frames
    self.threads = threads
  }

  private init(
    _ source: ClipSource, _ spec: RenderSpec, _ part: ClipSpan, _ track: VideoTrack, _ timing: FilmTiming,
    hasAudio: Bool, creationTime: String?, keepsOrientation: Bool
  ) throws(OvercrankError) {
    let cadence = timing.cadence
    let outputRate =
      spec.outputRate ?? .usual(forFramesEvery: cadence.unbrokenInterval, at: spec.speed)
    let timeline = Timeline(
      cadence, speed: spec.speed, outputRate: outputRate, fill: spec.fill, span: part)
    guard timeline.capturedFrameCount > 0 else {
      throw OvercrankError(.badData, "\(source.path): has no frame in it.")
    }
    try part.check(source.path, lasting: timeline.capturedDuration)
    guard timeline.outputFrameCount <= Self.mostFrames else {
      throw OvercrankError(
        .outOfRange,
        "\(source.path): at this speed the clip would have \(timeline.outputFrameCount) frames, and no file holds more "
          + "than \(Self.mostFrames). Play it faster, or take a part of it.",
        remedy: .choosePart)
    }
    let pictures = try PicturePlan(
      track, from: source, spec.stages, spec.codec, keepsOrientation: keepsOrientation)
    zoomCourse = pictures.zoom(ClipMoments(timing, spec, of: part, outputRate: outputRate))
    let film = try spec.stages.changing(overlays: false).map { stage throws(OvercrankError) in
      try stage.prepare(for: pictures, timing)
    }
    let overlays = try spec.stages.changing(overlays: true).map { stage throws(OvercrankError) in
      try stage.prepare(for: pictures, timing)
    }
    changes = film + overlays
    lateChanges = zoomCourse != nil || spec.fill.isInterpolated ? overlays : []
    self.pictures = pictures
    let encoderCount = pictures.encoderCount(of: spec.codec)
    // Frames made from motion cost more than a keyframe: short clips of them are worth all cores too.
    let fair = (timeline.outputFrameCount + encoderCount - 1) / max(1, encoderCount)
    let interval = spec.fill == .flow ? min(Self.keyframeInterval, max(24, fair)) : Self.keyframeInterval
    let segments = timeline.segments(encoderCount: encoderCount, keyframeInterval: interval)
    self.segments = segments
    self.encoderCount = encoderCount
    isOnNominalGrid = cadence.gridInterval != nil && cadence.gridInterval == cadence.nominalInterval
    let course = hasAudio ? Self.audioCourse(spec, part, timing, timeline, source.timingPace) : nil
    let usual = course.map { ClipAudio.usual(by: $0, duration: timeline.duration) } ?? .drop
    audioTreatment = hasAudio ? course.flatMap { _ in spec.audio } ?? usual : nil
    audioCourse = course
    // Nobody is told how fast a film was captured that nobody knows of.
    let isPaceKnown = source.timing != nil || source.captureRate != nil
    var metadata = ["comment": spec.comment(usual: isPaceKnown ? timeline.speed : nil)]
    metadata["creation_time"] = source.capturedAt ?? creationTime
    self.metadata = metadata
    self.source = source
    self.spec = spec
    self.part = part
    self.outputRate = outputRate
    self.timing = timing
    self.timeline = timeline
    captureRate = isPaceKnown ? Self.captureRate(cadence, timeline, spec, outputRate) : nil
    self.gaps = cadence.gaps
  }

  private static func captureRate(
    _ cadence: CaptureCadence, _ timeline: Timeline, _ spec: RenderSpec, _ outputRate: FrameRate
  ) -> Double? {
    // A camera of 240 fps may send 239.9, and its clip still has 240.
    let (stray, one) = (Fraction(1, 100), Fraction(1))
    guard spec.speed == nil || spec.speed?.constant != nil, (timeline.speed - one).magnitude <= stray,
      let rate = cadence.interval.flatMap({ $0 > Fraction(0) ? $0.reciprocal : nil }),
      outputRate.framesPerSecond >= rate * (one - stray)
    else { return nil }
    return rate.doubleValue
  }

  /// What is heard when; `nil` where every frame is shown once at a speed beyond all that speeds can be.
  private static func audioCourse(
    _ spec: RenderSpec, _ part: ClipSpan, _ timing: FilmTiming, _ timeline: Timeline, _ pace: Fraction
  ) -> AudioCourse? {
    // Audio plays as fast as the film does.
    guard let speed = spec.speed ?? Speed(timeline.speed).map({ SpeedCurve($0) }),
      let curve = speed.relative(to: pace)
    else { return nil }
    let lost = spec.fill == .skip ? timing.cadence.lostTimes : []
    return AudioCourse(
      curve, part.relative(to: pace),
      without: lost.map { $0.lowerBound.relative(to: pace)..<$0.upperBound.relative(to: pace) })
  }

  /// The audio of the clip; `nil` where it has none, or none that libavcodec decodes.
  func audio() throws(OvercrankError) -> SlowedAudio? {
    guard let audioCourse, let audioTreatment else { return nil }
    return try audioTreatment.slowed(
      source, from: timing.start, by: audioCourse, duration: timeline.duration)
  }

  /// An encoder of the clip's pictures.
  func encoder() throws(OvercrankError) -> VideoEncoder {
    try VideoEncoder(
      spec.codec, layout: pictures.layout, width: pictures.size.width, height: pictures.size.height,
      rate: outputRate, color: pictures.color, isChromaLeft: pictures.isChromaLeft,
      fieldOrder: pictures.keptFieldOrder, light: pictures.film.light,
      pixelAspectRatio: pictures.pixelAspectRatio, preset: spec.preset,
      quality: spec.quality ?? spec.codec.usualQuality, encoderCount: encoderCount)
  }

  /// Whether frames between two captured ones are prepared while those before them are coded. Segments that are made at
  /// once keep all cores busy as it is.
  var looksAhead: Bool { spec.fill == .flow && segments.count == 1 && growing == nil }

  /// A decodePool for the film's frames from `first` on.
  func decodePool(from first: Int) throws(OvercrankError) -> DecodePool {
    let reader =
      if let growing {
        try FrameReader(growing, timeline, from: first)
      } else {
        try FrameReader(
          Demuxer(source.path), timing, timeline, from: first, deinterlacing: deinterlacing)
      }
    return try DecodePool(
      reader, pixelCount: pictures.processingPixelCount, decodePoolCount: encoderCount, on: threads
    ) { () throws(OvercrankError) in
      try pictures.processor(lateChanges.isEmpty ? changes : Array(changes.dropLast(lateChanges.count)))
    }
  }
}

extension ClipPlan {
  /// Makes nothing but the segment of these captured frames.
  mutating func make(only frames: Range<Int>) { segments = [frames] }

  /// Leaves segments as they are that were made already, and parts the rest anew.
  ///
  /// - Parameters:
  ///   - made: their captured frames, in order.
  ///   - frames: all frames of the master, for a file that can only be read from its start.
  /// - Returns: whether the rest can be made alone.
  /// - Throws: `OvercrankError` of reading the film.
  mutating func leave(_ made: [Range<Int>], frames: GrowingFrames?) throws(OvercrankError) -> Bool {
    var film = try Demuxer(source.path)
    if !film.seek(toFrame: 0, of: timeline.capturedFrameCount) {
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
