import Media
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
  private var lastPicture: Picture?
  /// How many frames of the clip have been given to the encoder.
  private(set) var frameCount = 0

  /// Players expect ticks much finer than frames; a rate's numerator times this is its timescale where it fits.
  private static let fineness: Int64 = 1000

  init(
    to file: consuming OutputFile, container: Container, film: VideoTrack, width: Int, height: Int,
    color: ColorDescription, options: ClipOptions, sound: consuming SlowedSound?, frameCount: Int
  ) throws(MediaError) {
    let rate = options.outputRate.framesPerSecond
    let fineness = rate.numerator < 10_000 ? Self.fineness : 1
    let encoder = try VideoEncoder(
      width: width, height: height, rate: options.outputRate, color: color,
      pixelAspectRatio: film.pixelAspectRatio, preset: options.preset, quality: options.quality)
    let track = encoder.track.turned(like: film)
    let muxer = try Muxer(
      to: file, container: container, video: track, sound: sound?.track,
      timescale: Int32(rate.numerator * fineness),
      index: .front(frameCount: frameCount))
    self.nextSound = try sound?.nextPacket()
    self.sound = sound
    self.ticksPerSecond = rate.numerator * fineness
    self.encoder = encoder
    self.muxer = muxer
    self.ticksPerFrame = rate.denominator * fineness
  }

  /// Shows `picture` on `frames` of the clip, and on those before it that nothing was shown on the picture before.
  ///
  /// The first picture fills all frames before it.
  mutating func show(_ picture: Picture, on frames: Range<Int>) throws(MediaError) {
    try hold(lastPicture ?? picture, until: frames.lowerBound)
    try hold(picture, until: frames.upperBound)
    lastPicture = picture
  }

  /// Holds the last picture until the clip has `frameCount` frames, and gives the clip its name.
  ///
  /// - Returns: `false`, and leaves no clip, where there was no picture at all.
  consuming func finish(frameCount: Int) throws(MediaError) -> Bool {
    guard let lastPicture else { return false }
    try hold(lastPicture, until: frameCount)
    try encoder.finish()
    try writePackets()
    try writeSound(until: .max)
    try muxer.finish()
    return true
  }

  private mutating func hold(_ picture: Picture, until end: Int) throws(MediaError) {
    while frameCount < end {
      try encoder.send(picture, timestamp: Int64(frameCount))
      frameCount += 1
      try writePackets()
    }
  }

  private mutating func writePackets() throws(MediaError) {
    while let packet = try encoder.nextPacket() {
      guard let presented = packet.presentationTimestamp, let decoded = packet.decodeTimestamp else {
        throw MediaError(.unsupported, "libx264 gave a packet without a time.")
      }
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
