import Platform
internal import CLibAV
internal import Platform
internal import SystemPackage

/// A later recording of a chained Ogg file. If the file has several tracks, libav reads only the first
/// recording.
final class OggLink {
  let format: UnsafeMutablePointer<AVFormatContext>
  /// The offset at which it begins in the file.
  let start: Int64
  /// Its tracks: the number and the time base of the same track in the first recording.
  private var tracks: [Int32: (number: Int32, ticks: AVRational)] = [:]

  /// Opens the recording after the one that begins at `previous`; `nil` if there is none.
  ///
  /// - Parameter first: the first recording; all of its tracks that are not skipped are read.
  /// - Throws: `badData` if its pictures are of another kind.
  init?(
    in path: FilePath, after previous: Int64, like first: UnsafeMutablePointer<AVFormatContext>
  ) throws(OvercrankError) {
    guard let start = Self.start(in: path, after: previous) else { return nil }
    var opened: UnsafeMutablePointer<AVFormatContext>?
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "protocol_whitelist", "subfile,file", 0)
    let name = "subfile,,start,\(start),end,0,,:file:\(path)"
    guard avformat_open_input(&opened, name, av_find_input_format("ogg"), &options) >= 0, let opened else {
      return nil
    }
    self.format = opened
    self.start = start
    guard avformat_find_stream_info(opened, nil) >= 0 else { return nil }
    for number in 0..<Int32(clamping: first.pointee.nb_streams) {
      guard let stream = first.pointee.streams[Int(number)], stream.pointee.discard == AVDISCARD_DEFAULT,
        let before = stream.pointee.codecpar,
        case let found = av_find_best_stream(opened, before.pointee.codec_type, -1, -1, nil, 0), found >= 0,
        let after = opened.pointee.streams[Int(found)]?.pointee.codecpar
      else { continue }
      if before.pointee.codec_type == AVMEDIA_TYPE_VIDEO, !Self.areAlike(before.pointee, after.pointee) {
        throw Self.otherPictures(path)
      }
      tracks[found] = (number, stream.pointee.time_base)
    }
  }

  deinit {
    var format: UnsafeMutablePointer<AVFormatContext>? = format
    avformat_close_input(&format)
  }

  /// Gives a packet of this recording the number and time base of its track in the first. Returns `false` if
  /// the first has no such track.
  func adopt(_ packet: Packet) -> Bool {
    guard let track = tracks[packet.pointer.pointee.stream_index],
      let stream = format.pointee.streams[Int(packet.pointer.pointee.stream_index)]
    else { return false }
    packet.pointer.pointee.stream_index = track.number
    av_packet_rescale_ts(packet.pointer, stream.pointee.time_base, track.ticks)
    return true
  }

  static func otherPictures(_ path: FilePath) -> OvercrankError {
    OvercrankError(
      .badData,
      "\(path): continues with frames of another size or codec. Split it, and convert the parts one by one.")
  }

  /// Returns whether one decoder can decode the pictures of both.
  private static func areAlike(_ one: AVCodecParameters, _ other: AVCodecParameters) -> Bool {
    guard one.codec_id == other.codec_id, one.width == other.width, one.height == other.height else {
      return false
    }
    guard one.codec_id == AV_CODEC_ID_THEORA else { return true }
    let (before, after) = (headers(one), headers(other))
    // The middle header names the program that wrote it, and may differ.
    return before.count == 3 && after.count == 3 && before[0] == after[0] && before[2] == after[2]
  }

  /// Splits the headers of Theora as libav stores them, each after its length.
  private static func headers(_ parameters: AVCodecParameters) -> [[UInt8]] {
    let bytes = Array(
      UnsafeRawBufferPointer(start: parameters.extradata, count: Int(max(0, parameters.extradata_size))))
    var headers: [[UInt8]] = []
    var rest = bytes[...]
    while rest.count >= 2, case let length = Int(rest.bigEndian(at: 0, count: 2)), rest.count >= 2 + length {
      headers.append(Array(rest.dropFirst(2).prefix(length)))
      rest = rest.dropFirst(2 + length)
    }
    return headers
  }

  /// Returns the offset of the recording after the one at `previous`: RFC 3533, 4.
  private static func start(in path: FilePath, after previous: Int64) -> Int64? {
    do throws(OvercrankError) {
      let file = try InputFile(path)
      var offset = previous
      var isBehindFirstPages = false
      for _ in 0..<DeclaredSize.mostParts where offset < file.size {
        let head = try file.bytes(at: offset, count: 27 + 255)
        guard head.count > 27, head.starts(with: "OggS".utf8), head.count >= 27 + Int(head[26]) else {
          return nil
        }
        let isFirstPage = head[5] & 2 != 0
        if isFirstPage, isBehindFirstPages { return offset }
        isBehindFirstPages = isBehindFirstPages || !isFirstPage
        let table = head[27..<27 + Int(head[26])]
        offset += Int64(27 + table.count) + table.reduce(0) { $0 + Int64($1) }
      }
    } catch {}
    return nil
  }
}
