import Platform
import Media

/// Reads the frames of a source in one pass, from a given one to the end, and returns those that a clip
/// shows.
///
/// JPEGs and packed pixels are returned undecoded, for decoding on many cores at once; libavcodec does that
/// itself for other codecs.
struct FrameReader: ~Copyable {
  /// A frame of the source on its way to the clip.
  struct Frame: Sendable {
    /// Its index among the captured frames.
    let index: Int
    let content: Content
  }

  enum Content: Sendable {
    /// A JPEG, or pixels to unpack.
    case packet(Packet)
    case picture(Picture)
  }

  private var video: Demuxer?
  /// The frames of a master that is still being written, used instead of `video`.
  private var growing: GrowingFrames?
  private var decoder: VideoDecoder?
  private let timeline: Timeline
  /// The captured frame before which none is returned.
  private let first: Int
  /// The captured frame at which the source was entered.
  private var entry = 0
  private var timing: SourceTiming?
  /// The last frame that was decoded, and the one before those that are decoded anew.
  private var (lastDecoded, resumption) = (-1, -1)
  /// Makes frames from fields; `nil` if frames are returned as they are.
  private var fields: FieldReader?
  private let isIntraOnly: Bool
  /// Whether decoded pictures are identified by their timestamps rather than by their order.
  private let isStamped: Bool
  private var packetCount: Int
  private var places: PacketPlaces?
  private var pictureCount = 0
  private var isAtEnd = false
  /// The last frame that the clip shows; nothing is read after it.
  private let lastShown: Int?
  private var isDone = false
  /// The captured frames by the source's timestamps, for those that the decoder has not returned yet. Several
  /// frames may state the same.
  private var indices: [Int64: [Int]] = [:]
  /// The order of decoded pictures.
  private var order = PictureOrder<Picture>()

  /// Creates a reader of `video`.
  ///
  /// - Parameters:
  ///   - first: the captured frame to start with. The source is entered there or at a keyframe before it.
  ///   - skipped: the number of captured frames that are read but not returned.
  ///   - deinterlacing: the conversion of the source's frames into those of `timeline`, for which reading
  ///     starts at the first frame; `nil` if they are the same.
  /// - Throws: `unsupported` if there is no decoder, `badData` if the source cannot be entered at `first`
  ///   after all.
  init(
    _ video: consuming Demuxer, _ timing: SourceTiming, _ timeline: Timeline, from first: Int = 0,
    skippingTo skipped: Int = 0, deinterlacing: Deinterlacing? = nil
  ) throws(OvercrankError) {
    let timing = deinterlacing?.timing ?? timing
    let packetCount = try Self.enter(&video, at: first, timing, timeline)
    let isDecodedElsewhere = video.track.codec.usesDecodePool && deinterlacing == nil
    let decoder: VideoDecoder? = isDecodedElsewhere ? nil : try VideoDecoder(video.track)
    let isIntraOnly = video.track.codec.isIntraOnly
    self.init(
      video, nil, decoder, timeline, from: max(first, skipped), packetCount: packetCount,
      isIntraOnly: isIntraOnly, isStamped: isIntraOnly || timing.timestamps != nil)
    entry = first
    self.timing = timing
    places = timing.places
    fields = deinterlacing.map { FieldReader($0.order) }
    indices = Self.indices(timing)
  }

  private static func indices(_ timing: SourceTiming) -> [Int64: [Int]] {
    var indices: [Int64: [Int]] = [:]
    for (index, timestamp) in (timing.timestamps ?? []).enumerated() {
      indices[timestamp, default: []].append(index)
    }
    return indices
  }

  /// Moves `video` to captured frame `first`, or to a keyframe before it, and returns the number of packets in
  /// front of it.
  private static func enter(
    _ video: inout Demuxer, at first: Int, _ timing: SourceTiming, _ timeline: Timeline
  ) throws(OvercrankError) -> Int {
    guard first > 0 else { return 0 }
    if video.track.codec.isIntraOnly {
      guard video.seek(toFrame: first, of: timeline.capturedFrameCount) else {
        throw OvercrankError(
          .badData, "\(video.path): changed while it was being read. Try again when it is complete.")
      }
      return first
    }
    guard let keyframe = timing.keyframe(before: first), try video.seek(toKeyframe: keyframe) else {
      throw OvercrankError(.badData, "\(video.path): cannot be entered at frame \(first).")
    }
    // Packets of such sources are not counted.
    return 0
  }

  /// Creates a reader of a master's frames so far.
  ///
  /// - Throws: `unsupported` if there is no decoder.
  init(_ frames: GrowingFrames, _ timeline: Timeline, from first: Int) throws(OvercrankError) {
    let track = frames.track
    let decoder: VideoDecoder? = track.codec.usesDecodePool ? nil : try VideoDecoder(track)
    self.init(
      nil, frames, decoder, timeline, from: first, packetCount: first, isIntraOnly: track.codec.isIntraOnly,
      isStamped: true)
  }

  /// Nothing in it throws: see the initializer of `OutputFile`.
  private init(
    _ video: consuming Demuxer?, _ growing: GrowingFrames?, _ decoder: consuming VideoDecoder?,
    _ timeline: Timeline, from first: Int, packetCount: Int, isIntraOnly: Bool, isStamped: Bool
  ) {
    self.video = video
    self.growing = growing
    self.decoder = decoder
    self.timeline = timeline
    self.first = first
    self.packetCount = packetCount
    self.isIntraOnly = isIntraOnly
    self.isStamped = isStamped
    lastShown = timeline.lastShownFrame
  }

  /// Returns the next frame that the clip shows; `nil` at the end. Damaged ones are skipped.
  ///
  /// - Throws: `inputOutput` if the disk failed.
  mutating func next() throws(OvercrankError) -> Frame? {
    guard !isDone, let frame = fields == nil ? try nextShown() : try nextField() else { return nil }
    isDone = frame.index == lastShown
    return frame
  }

  /// Returns the next frame that is made from a field.
  private mutating func nextField() throws(OvercrankError) -> Frame? {
    var isFed = true
    while true {
      while let frame = fields?.next() {
        if frame.index < timeline.capturedFrameCount, frame.index >= first, timeline.isShown(frame.index) {
          return frame
        }
      }
      guard isFed else { return nil }
      let frame = try nextShown()
      isFed = frame != nil
      try fields?.add(frame)
    }
  }

  private mutating func nextShown() throws(OvercrankError) -> Frame? {
    guard decoder != nil else {
      return try nextPacket().map { Frame(index: $0.index, content: .packet($0.packet)) }
    }
    while true {
      if let frame = try nextDecoded() { return frame }
      guard !isAtEnd else { return nil }
      try feedDecoder()
    }
  }

  /// Returns the next packet to decode, with its index among the packets.
  private mutating func nextPacket() throws(OvercrankError) -> (index: Int, packet: Packet)? {
    while let packet = try readPacket() {
      if packet.isHidden, isIntraOnly { continue }
      let index =
        places?.place(ofPacketAt: packet.presentationTimestamp, from: packetCount) ?? packetCount
      packetCount = index + 1
      if !isIntraOnly || isShown(index) { return (index, packet) }
    }
    return nil
  }

  /// Returns the next packet; `nil` at the end, or if the source is cut off.
  private mutating func readPacket() throws(OvercrankError) -> Packet? {
    if let growing { return try growing.packet(packetCount) }
    do {
      return try video?.nextPacket()
    } catch {
      try error.unlessBadData()
      return nil
    }
  }

  private mutating func feedDecoder() throws(OvercrankError) {
    do {
      guard let (index, packet) = try nextPacket() else {
        isAtEnd = true
        try decoder?.finish()
        return
      }
      if isIntraOnly, let timestamp = packet.presentationTimestamp {
        indices[timestamp, default: []].append(index)
      }
      try decoder?.send(packet)
    } catch {
      // The clip holds the frame before; libavcodec continues with the next packet.
      try error.unlessBadData()
      _ = try decodesAnew()
    }
  }

  /// Decodes what follows the last frame again, with one thread, if several would make something else of the damage in
  /// each run. Returns whether it does.
  private mutating func decodesAnew() throws(OvercrankError) -> Bool {
    guard decoder?.isUncertain == true, !isIntraOnly, let path = video?.path, let timing else { return false }
    var video = try Demuxer(path)
    // What takes the place of missing parts depends on where decoding began.
    packetCount = try Self.enter(&video, at: entry, timing, timeline)
    decoder = try VideoDecoder(video.track, isImmediate: true)
    self.video = consume video
    indices = Self.indices(timing)
    order = PictureOrder()
    (pictureCount, isAtEnd, resumption) = (0, false, lastDecoded)
    return true
  }

  private mutating func nextDecoded() throws(OvercrankError) -> Frame? {
    while true {
      do {
        guard let (index, picture) = try nextInOrder() else { return nil }
        guard index > resumption else { continue }
        lastDecoded = max(lastDecoded, index)
        if isShown(index), !picture.isDamaged { return Frame(index: index, content: .picture(picture)) }
      } catch {
        try error.unlessBadData()
        _ = try decodesAnew()
      }
    }
  }

  private mutating func nextInOrder() throws(OvercrankError) -> (index: Int, picture: Picture)? {
    while let picture = try decoder?.nextPicture() {
      if try decodesAnew() { continue }
      guard let index = index(of: picture) else { continue }
      guard isStamped, !isIntraOnly else { return (index, picture) }
      if let next = order.add(picture, index) { return next }
    }
    return isAtEnd ? order.last() : nil
  }

  private mutating func index(of picture: Picture) -> Int? {
    guard isStamped else {
      pictureCount += 1
      return pictureCount - 1
    }
    guard let timestamp = picture.timestamp, let waiting = indices.removeValue(forKey: timestamp) else {
      return nil
    }
    if waiting.count > 1 { indices[timestamp] = Array(waiting.dropFirst()) }
    return waiting.first
  }

  private func isShown(_ index: Int) -> Bool {
    // Deinterlacing needs all frames around a field.
    fields != nil || index < timeline.capturedFrameCount && index >= first && timeline.isShown(index)
  }
}

extension VideoCodec {
  /// Whether its packets go undecoded to the decode pool.
  var usesDecodePool: Bool {
    if case .packed = self { return true }
    return self == .mjpeg
  }
}

extension OvercrankError {
  /// Throws this error unless its code is `badData`, which a clip tolerates.
  func unlessBadData() throws(OvercrankError) {
    if code != .badData { throw self }
  }
}
