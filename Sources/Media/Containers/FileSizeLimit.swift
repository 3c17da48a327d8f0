import Platform
internal import CLibAV
internal import Glibc
import SystemPackage

/// A limit on the bytes of a finished file, its index included.
///
/// The size of an index depends on the container, on libav's version, and on all frames together: MOV merges
/// equal durations into one entry, and doubles its offsets from 4 GiB on. It is therefore not calculated. If
/// the file might approach its limit, the packets are written again, without their content and to nowhere,
/// and the output is counted. Between counts, an upper bound is enough, so even a file of a million frames is
/// counted only a few times.
struct FileSizeLimit {
  private let limit: Int64
  private let header: MuxerHeader
  private let path: FilePath
  private var packets: [WrittenPacket] = []
  /// The size of the largest packet, in bytes.
  private var largest = 0
  /// The common size of all frames, as long as they have one.
  private var equalSize: Int?
  private var hasEqualSizes = true
  /// The counted size of the finished file with this many packets.
  private var counted: (size: Int64, packetCount: Int)?
  /// The most bytes that later packets may add to it.
  private var growth: Int64 = 0

  /// - Parameter path: the path named in errors.
  init(_ limit: Int64, of header: MuxerHeader, path: FilePath) {
    self.limit = limit
    self.header = header
    self.path = path
  }

  /// Returns whether the file would stay within its limit if the frame `packet`, followed by `audio`, were
  /// its last.
  ///
  /// - Parameter reserve: the number of bytes to keep free below the limit.
  mutating func holds(
    _ packet: WrittenPacket, followedBy audio: WrittenPacket? = nil, reserve: Int64 = 0
  ) throws(OvercrankError) -> Bool {
    let limit = limit - reserve
    let rest = [packet] + (audio.map { [$0] } ?? [])
    let most = rest.reduce(growth) { $0 + Self.mostBytes(of: $1) }
    if let counted, counted.packetCount <= packets.count,
      keepsForm(packet, upTo: counted.size + most),
      counted.size + most <= limit
    {
      return true
    }
    let size = try count(adding: rest)
    guard size <= limit else { return false }
    // Without the audio, the file is smaller by at least the audio's bytes.
    counted = (size - Int64(audio?.byteCount ?? 0), packets.count + 1)
    growth = 0
    return true
  }

  /// Records a packet that was written.
  mutating func enter(_ packet: WrittenPacket) {
    if !packet.isAudio {
      hasEqualSizes = hasEqualSizes && packet.byteCount == equalSize ?? packet.byteCount
      equalSize = equalSize ?? packet.byteCount
    }
    largest = max(largest, packet.byteCount)
    packets.append(packet)
    if let counted, packets.count > counted.packetCount { growth += Self.mostBytes(of: packet) }
  }

  /// Returns whether the frame `packet` leaves the index entries of earlier packets unchanged, in a file of
  /// up to `size` bytes. MOV lists the size of every frame once one differs, and wider offsets once one needs
  /// them.
  private func keepsForm(_ packet: WrittenPacket, upTo size: Int64) -> Bool {
    guard let counted, let equalSize else { return false }
    return (!hasEqualSizes || packet.byteCount == equalSize)
      && (counted.size > Int64(UInt32.max)) == (size > Int64(UInt32.max))
  }

  /// Returns the most bytes that a packet can add to a file.
  private static func mostBytes(of packet: WrittenPacket) -> Int64 {
    Int64(packet.byteCount + Muxer.frameOverhead + Container.indexSize(frameCount: 1))
  }

  /// Returns the size of the finished file with `rest` after its packets.
  private func count(adding rest: [WrittenPacket]) throws(OvercrankError) -> Int64 {
    // Only the first bytes are ever read: memory that is never written costs nothing.
    let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
    let largest = rest.reduce(largest) { max($0, $1.byteCount) }
    guard let content = calloc(largest + padding, 1) else {
      throw OvercrankError.outOfMemory(path)
    }
    defer { free(content) }
    let output = try OutputContext(nil, header.container, path: path)
    let streams = try header.write(to: output)
    let packet = try Packet()
    for place in 0..<packets.count + rest.count {
      let written = place < packets.count ? packets[place] : rest[place - packets.count]
      guard let stream = written.isAudio ? streams.audio : streams.video else { continue }
      written.fill(packet.pointer, with: content)
      packet.pointer.pointee.stream_index = stream.pointee.index
      let timescale = written.isAudio ? header.audio?.rate ?? Int32(SlowedAudio.rate) : header.timescale
      av_packet_rescale_ts(packet.pointer, clibav_rational(1, timescale), stream.pointee.time_base)
      defer { packet.pointer.pointee.data = nil }
      try output.write(packet)
    }
    try output.writeTrailer()
    // The box has the same size for every rate.
    return output.size + Int64(header.captureRateBox(1, in: output).count)
  }
}

/// The properties of a written packet on which a container's size depends.
struct WrittenPacket {
  let isAudio: Bool
  let isKeyframe: Bool
  var size: Int32
  private let presented: Int64
  private let decoded: Int64
  private let duration: Int64
  /// The first bytes: NUT omits common beginnings of small packets.
  private let head: UInt64

  /// Creates a packet of video, with its times in the muxer's ticks.
  init(
    _ bytes: UnsafeRawBufferPointer, presented: Int64, decoded: Int64, duration: Int64,
    isKeyframe: Bool = true
  ) {
    self.init(bytes, isAudio: false, presented, decoded, duration, isKeyframe: isKeyframe)
  }

  /// Creates a packet of audio, with its times in samples.
  init(audio packet: Packet) {
    let values = packet.pointer.pointee
    self = packet.withBytes {
      WrittenPacket(
        $0, isAudio: true, values.pts, values.dts, values.duration, isKeyframe: packet.isKeyframe)
    }
  }

  /// Creates a packet of PCM, with its times in samples.
  init(samples: UnsafeRawBufferPointer, first: Int64, count: Int) {
    self.init(samples, isAudio: true, first, first, Int64(count), isKeyframe: true)
  }

  private init(
    _ bytes: UnsafeRawBufferPointer, isAudio: Bool, _ presented: Int64, _ decoded: Int64, _ duration: Int64,
    isKeyframe: Bool
  ) {
    self.isAudio = isAudio
    self.isKeyframe = isKeyframe
    self.presented = presented
    self.decoded = decoded
    self.duration = duration
    // The muxer refuses larger packets.
    size = Int32(clamping: bytes.count)
    var head: UInt64 = 0
    withUnsafeMutableBytes(of: &head) { $0.copyBytes(from: bytes.prefix(8)) }
    self.head = head
  }

  var byteCount: Int { Int(size) }

  /// Creates a packet of this many samples, without their content.
  init(silence count: Int, bytes: Int, first: Int64) {
    self.init(samples: UnsafeRawBufferPointer(start: nil, count: 0), first: first, count: count)
    size = Int32(clamping: bytes)
  }

  /// Fills `packet` with this size and these times, and lets it point to `content`.
  func fill(_ packet: UnsafeMutablePointer<AVPacket>, with content: UnsafeMutableRawPointer) {
    content.storeBytes(of: head, as: UInt64.self)
    packet.pointee.data = content.assumingMemoryBound(to: UInt8.self)
    packet.pointee.size = size
    packet.pointee.pts = presented
    packet.pointee.dts = decoded
    packet.pointee.duration = duration
    packet.pointee.flags = isKeyframe ? AV_PKT_FLAG_KEY : 0
  }
}
