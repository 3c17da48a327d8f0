import CameraModel
import Media
import Platform
import SystemPackage
import Timebase

/// A clip of all cameras of a group, planned as that of a source whose frames are composed of theirs: one for each
/// frame of the clip.
struct GroupPlan {
  /// A camera before its place in the picture is known.
  private struct Camera {
    let opened: OpenedSource
    let timeline: Timeline
    /// The time from its first frame to the clip's zero.
    let lead: Duration
  }

  /// The track of the composed pictures in their natural size.
  let track: VideoTrack
  /// The times of the composed frames.
  let timing: SourceTiming
  /// The settings for the composed pictures: those of the clip that are not for each camera.
  let spec: RenderSpec
  /// The pictures shown where a camera has no frame.
  var fill: Fill { wanted.fill }
  /// The natural size of the pictures if it exceeds the usual one, to which they are scaled; otherwise `nil`.
  let largerSize: ClipReport.Size?
  /// The comment in the clip's file.
  let comment: String

  /// The clip's settings.
  private let wanted: RenderSpec
  private let part: ClipSpan
  /// The speed by time from the common start.
  private let curve: SpeedCurve
  private let cameras: [Camera]
  private let common: CommonTime
  private let geometry: LayoutGeometry

  /// The longest side of a clip of usual size, in pixels; larger ones play in few places.
  private static let usualSide = 3840
  /// The most frames, for each of which some hundred bytes are in memory.
  private static let mostFrames = 5_000_000

  /// Plans a clip of `source` and its companions.
  ///
  /// - Throws: `OvercrankError` if reading them fails; `badData` if they have no time in common; `outOfRange` if the
  ///   layout has no place for them.
  init(_ source: ClipSource, _ spec: RenderSpec, of part: ClipSpan) throws(OvercrankError) {
    let part = part.heldToVideos
    let opened = try source.cameras.map { camera throws(OvercrankError) in
      do throws(OvercrankError) {
        return (
          source: try OpenedSource(camera.source, spec, in: Demuxer(camera.source.path)), place: camera.place
        )
      } catch {
        throw OvercrankError(
          error.code, "\(source.name): \(error.description)", remedy: error.remedy, cause: error.cause,
          subject: error.subject)
      }
    }
    let placed = opened.map { camera in
      CommonTime.Camera(
        camera.source.timing.frames, nominalInterval: camera.source.timing.cadence.nominalInterval,
        lastInterval: camera.source.timing.cadence.lastInterval, at: camera.place)
    }
    guard let common = CommonTime(of: placed) else {
      throw OvercrankError(
        .badData,
        "\(source.name): there is no time in which all \(opened.count) cameras of its group have frames. Align them "
          + "again, or make a group of those that recorded together.")
    }
    try part.check(source.name, lasting: common.duration)
    let (rate, curve) = try Self.pace(of: opened.map(\.source.timing), placed, spec, source.name)
    let count = common.frameCount(curve, rate: rate, of: part)
    guard count <= Self.mostFrames else {
      throw OvercrankError(
        .outOfRange,
        "\(source.name): at this speed the clip would have \(count) frames, and one of several cameras can have "
          + "\(Self.mostFrames). Choose a higher speed, or a part of it.", remedy: .choosePart)
    }
    cameras = zip(opened, placed).map { opened, camera in
      Camera(
        opened: opened.source,
        timeline: Timeline(
          camera, in: common, speed: curve, outputRate: rate, fill: spec.fill, span: part, frameCount: count),
        lead: common.lead(of: camera))
    }
    let stages = Self.ownStages(of: spec)
    geometry = try LayoutGeometry(
      spec.layout ?? .side,
      of: opened.map { camera throws(OvercrankError) in try Self.shape(of: camera.source, stages) })
    let interval = rate.interval
    timing = SourceTiming(
      (0..<count).map { number in
        FrameTiming(
          sequence: Int64(number),
          timestamp: Instant(nanoseconds: (interval * Fraction(1_000_000_000)).scaling(Int64(number))))
      }, interval)
    track = Self.track(of: opened.map(\.source), spec, stages, geometry.size)
    let size = geometry.size
    self.spec = Self.sharedSpec(spec, rate: rate, size: size)
    let isScaled = spec.stages[ClipScale.self] == nil && self.spec.stages[ClipScale.self] != nil
    largerSize = isScaled ? ClipReport.Size(width: size.width, height: size.height) : nil
    comment = spec.comment(usual: curve.constant?.factor)
    (wanted, self.part, self.curve, self.common) = (spec, part, curve, common)
  }

  /// Returns the rate and the speed of the clip. Without a speed, every frame of the fastest camera is shown once.
  private static func pace(
    of timings: [SourceTiming], _ cameras: [CommonTime.Camera], _ spec: RenderSpec, _ name: FilePath
  ) throws(OvercrankError) -> (FrameRate, SpeedCurve) {
    let intervals = timings.compactMap(\.cadence.unbrokenInterval).filter { $0 > Fraction(0) }
    let usual = FrameRate.usual(forFramesEvery: intervals.min(), at: spec.speed)
    let rate = spec.outputRate ?? spec.codec.usualLimits.map { usual.limited(to: $0.rate) } ?? usual
    if let speed = spec.speed { return (rate, speed) }
    guard let fastest = cameras.compactMap(\.cadence.unbrokenInterval).filter({ $0 > Fraction(0) }).min()
    else {
      throw OvercrankError(
        .outOfRange,
        "\(name): the rate of its cameras is unknown, because none has two frames. Choose a speed.")
    }
    // A rate below the usual one leaves frames out, and makes no clip longer.
    let shown = spec.outputRate ?? usual
    let factor = (fastest * shown.framesPerSecond).short
    guard let speed = Speed(factor) else {
      let isSlow = factor < Speed.slowest
      let times = (isSlow ? factor.reciprocal : factor).decimal(places: 2)
      let most = (isSlow ? Speed.slowest.reciprocal : Speed.fastest).decimal(places: 2)
      throw OvercrankError(
        .outOfRange,
        "\(name): at \(shown.text) frames per second, a clip that shows every captured frame once would play \(times) "
          + "times \(isSlow ? "slower" : "faster") than real time, and \(most) times is the most. Choose a speed, or a "
          + "\(isSlow ? "higher" : "lower") rate.")
    }
    return (rate, SpeedCurve(speed))
  }

  /// Returns the stages that each camera's pictures go through by themselves.
  private static func ownStages(of spec: RenderSpec) -> PictureStages {
    var stages = spec.stages.shared(false)
    // The pictures share one range. This stage concerns only a higher one.
    stages[ToneMapping.self] = .sdr
    return stages
  }

  /// Returns the settings for the composed pictures.
  private static func sharedSpec(
    _ spec: RenderSpec, rate: FrameRate, size: (width: Int, height: Int)
  ) -> RenderSpec {
    var shared = spec
    shared.speed = nil
    shared.outputRate = rate
    shared.fill = .hold
    shared.audio = nil
    shared.layout = nil
    // Each camera's pictures are turned by themselves.
    shared.stages = spec.stages.shared(true).with(PictureTurn.none)
    let longest = max(size.width, size.height)
    if longest > usualSide, spec.stages[ClipScale.self] == nil, spec.codec.usualLimits == nil {
      shared.stages[ClipScale.self] = size.width >= size.height ? .width(usualSide) : .height(usualSide)
    }
    return shared
  }

  /// Returns the size of a camera's pictures in square pixels.
  private static func shape(
    of camera: OpenedSource, _ stages: PictureStages
  ) throws(OvercrankError) -> LayoutGeometry.Shape {
    let turn = stages[PictureTurn.self] ?? camera.source.turn ?? .none
    let orientation = camera.track.orientation.followed(by: Orientation(turn))
    let geometry = try ClipGeometry(of: camera.track, stages.moving, orientation: orientation)
    let pixel = geometry.pixelAspectRatio ?? Fraction(1)
    let (width, height) = (Fraction(Int64(geometry.width)) * pixel, Fraction(Int64(geometry.height)))
    return orientation.isTurned
      ? LayoutGeometry.Shape(width: height, height: width)
      : LayoutGeometry.Shape(width: width, height: height)
  }

  /// Returns the track of the composed pictures: in the richest layout that a camera's own clip would have, and in
  /// the colours of the first camera's.
  private static func track(
    of cameras: [OpenedSource], _ spec: RenderSpec, _ stages: PictureStages, _ size: (width: Int, height: Int)
  ) -> VideoTrack {
    var layout = PixelLayout.yuv420p
    var color: ColorDescription?
    var most = 0
    for camera in cameras {
      var video = camera.track
      if video.pictureColor.transfer.isHDR { video = ToneMapping.mapped(video) }
      let isDeveloped = stages[DevelopmentOptions.self]?.applies(to: video) ?? false
      if isDeveloped { (video.color.primaries, video.color.transfer) = (.bt709, .srgb) }
      let own = spec.codec.layout(for: video, isDeveloped: isDeveloped)
      let bytes = own.byteCount(width: 64, height: 64) ?? 0
      if bytes > most { (layout, most) = (own, bytes) }
      color = color ?? spec.codec.color(for: video, height: size.height)
    }
    return VideoTrack(
      codec: .raw(layout), width: size.width, height: size.height, color: color ?? .unspecified)
  }

  /// Returns the group with each camera's place in `pictures`, those of the clip.
  ///
  /// - Parameter encoderCount: the number of encoders, each of which needs frames of all cameras.
  func placed(in pictures: PicturePlan, encoderCount: Int) throws(OvercrankError) -> PlacedGroup {
    let (width, height) = pictures.size
    let parts = geometry.parts(width: width, height: height)
    var cells: [PlacedGroup.Cell] = []
    for (camera, part) in zip(cameras, parts) {
      var own = wanted
      own.layout = nil
      own.outputRate = spec.outputRate
      own.speed = curve.delayed(by: camera.lead)
      own.stages = Self.ownStages(of: wanted).with(ClipScale.size(width: part.width, height: part.height))
      let span = ClipSpan(start: self.part.start + camera.lead, end: self.part.end.map { $0 + camera.lead })
      cells.append(
        PlacedGroup.Cell(
          plan: try ClipPlan(
            camera.opened, own, of: span, camera.timeline, in: (pictures.layout, pictures.color),
            poolCount: encoderCount * cameras.count),
          part: part))
    }
    return PlacedGroup(
      cells: cells, spec: wanted, part: part, duration: common.duration, curve: curve, largerSize: largerSize)
  }
}

extension SpeedCurve {
  /// Returns the curve with all times later; one that would then be too long, as it is.
  fileprivate func delayed(by time: Duration) -> SpeedCurve {
    let points = points.map { Point(time: $0.time + time, speed: $0.speed, isEased: $0.isEased) }
    let freezes = freezes.map { Freeze(time: $0.time + time, duration: $0.duration) }
    return constant == nil ? (try? SpeedCurve(points: points, freezes: freezes)) ?? self : self
  }
}
