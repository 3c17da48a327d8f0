internal import CLibAV
package import SystemPackage

/// What only the first frames of a file tell of its track.
extension VideoTrack {
  /// Which field of a frame was filmed first by what is in `packet`; `nil` where that has no fields, or the file itself
  /// says which.
  func fieldOrder(byFirst packet: Packet) -> FieldOrder? {
    guard fieldOrder == nil, codec != .mjpeg else { return nil }
    // libavcodec weaves the first JPEG into the lower lines where the container calls the codec MJPG, as AVI does, into
    // the upper ones elsewhere, and says nothing of it. What JPEGs say of themselves (AVI1) is not to be relied on, so it
    // is left out there too.
    if codec.id == AV_CODEC_ID_MJPEG {
      guard JPEGHeader(of: packet)?.isField(ofRows: height) == true else { return nil }
      return parameters?.values.codec_tag == CodecTag.value(of: "MJPG") ? .bottom : .top
    }
    guard let picture = picture(of: [packet]), picture.frame.pointee.interlaced_frame != 0 else { return nil }
    return picture.frame.pointee.top_field_first != 0 ? .top : .bottom
  }

  /// This track, with what its HDR was graded for by the first frame of the file at `path`, if only that tells it, as
  /// transport streams and elementary ones have it.
  package func completed(byFirstFrameOf path: FilePath) -> VideoTrack {
    guard color.transfer.isHDR, light == nil, codec.layout == nil, codec != .mjpeg,
      var film = try? Demuxer(path)
    else { return self }
    var packets: [Packet] = []
    while packets.count < Self.mostPackets, let packet = try? film.nextPacket() { packets.append(packet) }
    var track = self
    track.light = picture(of: packets).flatMap(LightMetadata.init(of:))
    return track
  }

  /// Behind so many packets, a decoder gives the first picture.
  private static let mostPackets = 16

  /// The first picture of `packets`; `nil` where they cannot be decoded.
  private func picture(of packets: [Packet]) -> Picture? {
    guard var decoder = try? VideoDecoder(self) else { return nil }
    for packet in packets {
      try? decoder.send(packet)
      if let picture = try? decoder.nextPicture() { return picture }
    }
    try? decoder.finish()
    return try? decoder.nextPicture()
  }
}

extension CodecParameters {
  /// The codec of frames like that in `packet`, where they are JPEGs that only libavcodec decodes: lossless ones, those in
  /// colours that no camera sends, and two of a field each in a packet, as old grabbers wrote them; else `nil`.
  func codec(byFirst packet: Packet) -> VideoCodec? {
    guard values.codec_id == AV_CODEC_ID_MJPEG else { return nil }
    // Of a damaged one nothing can be said.
    guard let header = JPEGHeader(of: packet) else { return nil }
    let isOrdinary =
      header.hasUsualProcess && !header.isField(ofRows: Int(values.height))
      && packet.withBytes(JPEGDecoder.knowsColors)
    return isOrdinary ? nil : .other("mjpeg")
  }
}

/// What the frame header of a JPEG says.
private struct JPEGHeader {
  /// Whether it is of the kinds that cameras send: baseline, extended sequential or progressive.
  let hasUsualProcess: Bool
  private let rows: Int

  /// Reads the JPEG that `packet` begins with; `nil` where its header cannot be read.
  init?(of packet: Packet) {
    let head = packet.withBytes { Array($0.prefix(1 << 16)) }
    guard let frame = JPEGMarkers.header(of: head).first(where: { $0.marker.isFrame }),
      let rows = JPEGMarkers.word(in: head.span, at: frame.payload.lowerBound + 1)
    else { return nil }
    hasUsualProcess = (0xc0...0xc2).contains(frame.marker.rawValue)
    self.rows = rows
  }

  /// Whether it is a field of a picture with so many rows: libavcodec goes by three quarters of them.
  func isField(ofRows height: Int) -> Bool { rows > 0 && rows < height * 3 / 4 }
}
