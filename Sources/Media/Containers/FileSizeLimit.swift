import Platform
internal import CLibAV
internal import Glibc
import SystemPackage

/// How many bytes a file may have once it is finished, its index included.
///
/// What an index takes depends on the container, on libav's version, and on all frames together: MOV joins equal
/// durations to one entry, and doubles its offsets from 4 GiB on. So it is not reckoned. Where the file might come to
/// its limit, the packets are written once more, without their content and to nowhere, and what comes out is counted.
/// In between an upper bound is enough; so even a file of a million frames is counted only a few times.
struct FileSizeLimit {
  private let limit: Int64
  private let header: MuxerHeader
  private let path: FilePath
  private var packets: [WrittenPacket] = []
  /// The largest packet, in bytes.
  private var largest = 0
  /// The size of all frames, as long as they have one.
  private var equalSize: Int?
  private var hasEqualSizes = true
  /// The size of the finished file with so many packets, as counted.
  private var counted: (size: Int64, packetCount: Int)?
  /// What the packets after those may add to it at most.
  private var growth: Int64 = 0

  /// - Parameter path: what errors name.
  init(_ limit: Int64, of header: MuxerHeader, path: FilePath) {
    self.limit = limit
    self.header = header
    self.path = path
  }

  /// Whether the file would stay within its limit with the frame `packet`, and `audio` behind it, as its last.
  ///
  /// - Parameter reserve: how many bytes of the limit are kept free.
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
    // Without the audio it is smaller by that at least.
    counted = (size - Int64(audio?.byteCount ?? 0), packets.count + 1)
    growth = 0
    return true
  }

  /// Takes note of a packet that was written.
  mutating func enter(_ packet: WrittenPacket) {
    if !packet.isAudio {
      hasEqualSizes = hasEqualSizes && packet.byteCount == equalSize ?? packet.byteCount
      equalSize = equalSize ?? packet.byteCount
    }
    largest = max(largest, packet.byteCount)
    packets.append(packet)
    if let counted, packets.count > counted.packetCount { growth += Self.mostBytes(of: packet) }
  }

  /// Whether the frame `packet` changes nothing of how the index tells of the packets before it, in a file of up to
  /// `size` bytes. MOV tells the size of each frame from the first on that differs, and wider offsets from the first on
  /// that needs one.
  private func keepsForm(_ packet: WrittenPacket, upTo size: Int64) -> Bool {
    guard let counted, let equalSize else { return false }
    return (!hasEqualSizes || packet.byteCount == equalSize)
      && (counted.size > Int64(UInt32.max)) == (size > Int64(UInt32.max))
  }

  /// What a packet adds to a file at most.
  private static func mostBytes(of packet: WrittenPacket) -> Int64 {
    Int64(packet.byteCount + Muxer.frameOverhead + Container.indexSize(frameCount: 1))
  }

  /// The size of the finished file with `rest` behind its packets.
  private func count(adding rest: [WrittenPacket]) throws(OvercrankError) -> Int64 {
    // Only the first bytes are ever looked at: memory that nobody writes to costs nothing.
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
    // A rate takes as many bytes as any other.
    return output.size + Int64(header.captureRateBox(1, in: output).count)
  }
}

/// What a container's size depends on of a packet that was written.
struct WrittenPacket {
  let isAudio: Bool
  let isKeyframe: Bool
  private var size: Int32
  private let presented: Int64
  private let decoded: Int64
  private let duration: Int64
  /// The first bytes: NUT leaves out of small packets what many begin with.
  private let head: UInt64

  /// A packet of video, with its times in the muxer's ticks.
  init(
    _ bytes: UnsafeRawBufferPointer, presented: Int64, decoded: Int64, duration: Int64,
    isKeyframe: Bool = true
  ) {
    self.init(bytes, isAudio: false, presented, decoded, duration, isKeyframe: isKeyframe)
  }

  /// A packet of audio, with its times in samples.
  init(audio packet: Packet) {
    let values = packet.pointer.pointee
    self = packet.withBytes {
      WrittenPacket(
        $0, isAudio: true, values.pts, values.dts, values.duration, isKeyframe: packet.isKeyframe)
    }
  }

  /// Samples, with their times in samples.
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
    // More than this, the muxer refuses.
    size = Int32(clamping: bytes.count)
    var head: UInt64 = 0
    withUnsafeMutableBytes(of: &head) { $0.copyBytes(from: bytes.prefix(8)) }
    self.head = head
  }

  var byteCount: Int { Int(size) }

  /// So many samples, which nobody has yet.
  init(silence count: Int, bytes: Int, first: Int64) {
    self.init(samples: UnsafeRawBufferPointer(start: nil, count: 0), first: first, count: count)
    size = Int32(clamping: bytes)
  }

  /// The same with so many bytes, which nobody has.
  func resized(to size: Int32) -> WrittenPacket {
    var packet = self
    packet.size = size
    return packet
  }

  /// Makes `packet` one of this size and time, whose bytes lie in `content`.
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
