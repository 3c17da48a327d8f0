internal import CLibAV
package import Platform
package import SystemPackage

/// Properties of a track that only the first frames of a file reveal.
extension VideoTrack {
  /// Returns the field that was captured first, by the frame in `packet`; `nil` if the frame has no fields,
  /// or the file itself states the order.
  func fieldOrder(byFirst packet: Packet) -> FieldOrder? {
    guard fieldOrder == nil, codec != .mjpeg else { return nil }
    // libavcodec weaves the first JPEG into the lower lines if the container calls the codec MJPG, as AVI
    // does, and into the upper ones otherwise, without reporting it. The order stated in JPEGs (AVI1) is
    // unreliable, and ignored there too.
    if codec.id == AV_CODEC_ID_MJPEG {
      guard JPEGHeader(of: packet)?.isField(ofRows: height) == true else { return nil }
      return parameters?.values.codec_tag == CodecTag.value(of: "MJPG") ? .bottom : .top
    }
    guard let picture = picture(of: [packet]), clibav_has_fields(picture.frame) else { return nil }
    return clibav_is_top_first(picture.frame) ? .top : .bottom
  }

  /// Returns this track, with the grading of its HDR from the first frame of the file at `path` if only that
  /// states it, as in transport and elementary streams.
  package func completed(byFirstFrameOf path: FilePath) -> VideoTrack {
    guard color.transfer.isHDR, light == nil, codec.layout == nil, codec != .mjpeg,
      var video = try? Demuxer(path)
    else { return self }
    var packets: [Packet] = []
    while packets.count < Self.mostPackets, let packet = try? video.nextPacket() { packets.append(packet) }
    var track = self
    track.light = picture(of: packets).flatMap(LightMetadata.init(of:))
    return track
  }

  /// Checks that the still or the animation at `path` has a frame that can be decoded: most such files do not state their
  /// length, and damage of their headers shows only in their pixels. Other sources pass.
  ///
  /// - Throws: `badData`.
  package func checkIsDecodable(_ path: FilePath, frameCount: Int) throws(OvercrankError) {
    guard case .other(let name) = codec, frameCount == 1 || ["apng", "gif"].contains(name),
      var decoder = try? VideoDecoder(self, isImmediate: true)
    else { return }
    var video = try Demuxer(path)
    var packet: Packet?
    repeat {
      packet = try? video.nextPacket()
      do throws(OvercrankError) {
        if let packet { try decoder.send(packet) } else { try decoder.finish() }
        while let picture = try decoder.nextPicture() { if !picture.isDamaged { return } }
      } catch {
        guard error.code == .badData else { throw error }
      }
    } while packet != nil
    throw OvercrankError.noDecodableFrame(path)
  }

  /// The number of packets after which a decoder returns the first picture.
  private static let mostPackets = 16

  /// Returns the first picture of `packets`; `nil` if they cannot be decoded.
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
  /// Returns the codec of frames like that in `packet` if they are JPEGs that only libavcodec decodes:
  /// lossless ones, ones in colours that no camera sends, and two fields in one packet, as old grabbers wrote
  /// them; otherwise `nil`.
  func codec(byFirst packet: Packet) -> VideoCodec? {
    guard values.codec_id == AV_CODEC_ID_MJPEG else { return nil }
    // A damaged one reveals nothing.
    guard let header = JPEGHeader(of: packet) else { return nil }
    let isOrdinary =
      header.hasUsualProcess && !header.isField(ofRows: Int(values.height))
      && packet.withBytes(JPEGDecoder.knowsColors)
    return isOrdinary ? nil : .other("mjpeg")
  }
}

/// The frame header of a JPEG.
private struct JPEGHeader {
  /// Whether its process is one that cameras use: baseline, extended sequential or progressive.
  let hasUsualProcess: Bool
  private let rows: Int

  /// Reads the JPEG at the start of `packet`; `nil` if its header cannot be read.
  init?(of packet: Packet) {
    let head = packet.withBytes { Array($0.prefix(1 << 16)) }
    guard let frame = JPEGMarkers.header(of: head).first(where: { $0.marker.isFrame }),
      let rows = JPEGMarkers.word(in: head.span, at: frame.payload.lowerBound + 1)
    else { return nil }
    hasUsualProcess = (0xc0...0xc2).contains(frame.marker.rawValue)
    self.rows = rows
  }

  /// Returns whether it is a field of a picture with this number of rows: libavcodec's limit is three
  /// quarters of them.
  func isField(ofRows height: Int) -> Bool { rows > 0 && rows < height * 3 / 4 }
}
