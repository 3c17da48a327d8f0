import Media
import SystemPackage
import Timebase

/// Encodes pictures into the file of a clip, at one steady rate and with the index in front.
struct ClipWriter: ~Copyable {
  private var encoder: VideoEncoder
  private var muxer: Muxer
  private var sound: SlowedSound?
  /// Sound that waits for the picture to get there.
  private var nextSound: Packet?
  private let ticksPerSecond: Int64
  private let ticksPerFrame: Int64
  private let timeline: Timeline
  private let source: FilePath
  private let progress: (@Sendable (ClipProgress) -> Void)?
  private var blender = PictureBlender()
  private var lastPicture: Picture?
  /// How many frames of the clip have been given to the encoder.
  private var frameCount = 0

  /// Players expect ticks much finer than frames; a rate's numerator times this is its timescale where it fits.
  private static let fineness: Int64 = 1000

  init(
    to file: consuming OutputFile, container: Container, of source: FilePath, film: VideoTrack,
    _ geometry: ClipGeometry, color: ColorDescription, options: ClipOptions, _ timeline: Timeline,
    sound: consuming SlowedSound?, metadata: [String: String],
    progress: (@Sendable (ClipProgress) -> Void)?
  ) throws(MediaError) {
    let rate = options.outputRate.framesPerSecond
    let fineness = rate.numerator < 10_000 ? Self.fineness : 1
    let kind = options.codec
    let encoder = try VideoEncoder(
      kind, layout: kind.layout(for: film), width: geometry.width, height: geometry.height,
      rate: options.outputRate, color: color, pixelAspectRatio: geometry.pixelAspectRatio,
      preset: options.preset, quality: options.quality ?? kind.usualQuality)
    let track = encoder.track.turned(like: film)
    let muxer = try Muxer(
      to: file, container: container, video: track, sound: sound?.track,
      timescale: Int32(rate.numerator * fineness),
      index: .front(frameCount: timeline.outputFrameCount), metadata: metadata)
    self.nextSound = try sound?.nextPacket()
    self.sound = sound
    self.ticksPerSecond = rate.numerator * fineness
    self.encoder = encoder
    self.muxer = muxer
    self.timeline = timeline
    self.source = source
    self.progress = progress
    self.ticksPerFrame = rate.denominator * fineness
  }

  /// Shows `picture` of captured frame `index` from where the timeline has it, and on the frames before it that nothing
  /// was shown on the picture before, or its fading into this one.
  ///
  /// The first picture fills all frames before it. The frames on which this one fades wait for the next.
  mutating func show(_ picture: Picture, of index: Int) throws(MediaError) {
    let frames = timeline.outputFrames(showing: index)
    while frameCount < frames.lowerBound {
      let share = timeline.share(ofNextIn: frameCount)
      if let lastPicture, share > 0, timeline[frameCount] == index - 1 {
        try add(try blender.blend(lastPicture, picture, share: share))
      } else {
        try add(lastPicture ?? picture)
      }
    }
    while frameCount < frames.upperBound, timeline.share(ofNextIn: frameCount) == 0 { try add(picture) }
    lastPicture = picture
  }

  /// Holds the last picture to the end of the clip, and gives the clip its name.
  ///
  /// - Returns: `false`, and leaves no clip, where there was no picture at all.
  consuming func finish() throws(MediaError) -> Bool {
    guard let lastPicture else { return false }
    while frameCount < timeline.outputFrameCount { try add(lastPicture) }
    try encoder.finish()
    try writePackets()
    try writeSound(until: .max)
    try muxer.finish()
    return true
  }

  private mutating func add(_ picture: Picture) throws(MediaError) {
    // One frame may be held for hours, where a film's times have a gap.
    try source.checkCancellation()
    try encoder.send(picture, timestamp: Int64(frameCount))
    frameCount += 1
    try writePackets()
    progress?(ClipProgress(done: frameCount, total: timeline.outputFrameCount))
  }

  private mutating func writePackets() throws(MediaError) {
    while let packet = try encoder.nextPacket() {
      guard let presented = packet.presentationTimestamp else {
        throw MediaError(.unsupported, "the encoder gave a packet without a time.")
      }
      let decoded = packet.decodeTimestamp ?? presented
      let ticks = ticksPerFrame
      try packet.withBytes { bytes throws(MediaError) in
        try muxer.write(
          bytes, presented: presented * ticks, decoded: decoded * ticks, duration: ticks,
          isKeyframe: packet.isKeyframe)
      }
      try writeSound(until: decoded * ticks)
    }
  }

  /// Writes what is heard up to `end`, in ticks of the picture.
  private mutating func writeSound(until end: Int64) throws(MediaError) {
    while let packet = nextSound {
      let sample = Int128(packet.presentationTimestamp ?? 0)
      guard end == .max || sample * Int128(ticksPerSecond) <= Int128(end) * Int128(SlowedSound.rate) else {
        return
      }
      try muxer.writeSound(packet)
      nextSound = try sound?.nextPacket()
    }
  }
}
