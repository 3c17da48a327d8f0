package import Platform
internal import CPixels
package import SystemPackage

/// A sampler of a raw source's frames: a few of them, as squares with the mean of each colour.
package struct RawSampler: ~Copyable {
  /// A square of a frame, in fractions of the sensor's range.
  package struct Square: Sendable {
    /// The mean of its red samples; for a sensor without colours, only `green` is valid.
    package let red: Double
    /// The mean of its green samples.
    package let green: Double
    /// The mean of its blue samples.
    package let blue: Double
    /// The value of its brightest sample.
    package let brightest: Double
  }

  private var video: Demuxer
  private var decoder: VideoDecoder?
  private var unpacker: PixelUnpacker?

  /// Creates a sampler of the raw source at `path`.
  ///
  /// - Throws: `OvercrankError` if it cannot be read.
  /// - Precondition: its track is raw: see ``VideoTrack/isRaw``.
  package init(_ path: FilePath) throws(OvercrankError) {
    let video = try Demuxer(path)
    let track = video.track
    precondition(track.isRaw, "only raw video has a sensor's samples")
    if case .packed(let packing) = track.codec {
      let unpacker = try PixelUnpacker(
        packing, width: track.width, height: track.height, color: track.pictureColor)
      self.init(video, nil, unpacker)
    } else {
      self.init(video, try VideoDecoder(track), nil)
    }
  }

  /// Nothing in it throws: see the initializer of `OutputFile`.
  private init(
    _ video: consuming Demuxer, _ decoder: consuming VideoDecoder?, _ unpacker: consuming PixelUnpacker?
  ) {
    self.video = video
    self.decoder = decoder
    self.unpacker = unpacker
  }

  /// Returns the squares of the frame at or after `part` of the source's length, from 0 to 1, or of the next
  /// one if the file cannot be entered there; `nil` at the end, or if that frame is damaged.
  package mutating func squares(at part: Double) throws(OvercrankError) -> [Square]? {
    _ = video.approach(part)
    do {
      guard let packet = try video.nextPacket(), let picture = try picture(packet) else { return nil }
      return Self.squares(of: picture)
    } catch {
      if error.code == .badData { return nil }
      throw error
    }
  }

  private mutating func picture(_ packet: Packet) throws(OvercrankError) -> Picture? {
    if unpacker != nil {
      return try packet.withBytes { bytes throws(OvercrankError) in try unpacker?.unpack(bytes) }
    }
    try decoder?.send(packet)
    var last: Picture?
    while let picture = try decoder?.nextPicture() { last = picture }
    return last
  }

  private static func squares(of picture: Picture) -> [Square]? {
    let layout = picture.layout
    guard layout.isRaw, let base = picture.planeBases[0] else { return nil }
    let (width, height) = (picture.width, picture.height)
    // The mean of that many samples averages out noise but keeps details.
    let size = min(width, height) >= 256 ? 16 : 4
    let count = (width / size) * (height / size)
    guard count > 0 else { return nil }
    var plane = cpixels_plane(
      base: base, stride: Int(picture.planeStrides[0]), width: Int32(clamping: width),
      height: Int32(clamping: height), bits: layout.sensorBits)
    let place = layout.redPlace ?? (-1, -1)
    let blocks = [cpixels_block](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let blocks = buffer.baseAddress {
        cpixels_blocks(&plane, Int32(place.column), Int32(place.row), Int32(size), blocks)
        initialized = count
      }
    }
    return blocks.map {
      Square(
        red: Double($0.mean.0) / 65535, green: Double($0.mean.1) / 65535, blue: Double($0.mean.2) / 65535,
        brightest: Double($0.most) / 65535)
    }
  }
}
