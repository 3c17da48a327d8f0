import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Media

@Suite("Damage of a picture") struct DamageWatchTests {
  let folder: TemporaryFolder
  private let color = ColorDescription(primaries: .bt709, transfer: .srgb, matrix: .bt601, range: .limited)

  init() throws { folder = try TemporaryFolder() }

  /// Returns packets of H.264 whose pictures are noise, so that each has data in all its parts.
  private func packets(_ count: Int) throws -> (VideoTrack, [Packet]) {
    var encoder = try VideoEncoder(
      width: 64, height: 48, rate: FrameRate(whole: 30), color: color, preset: .medium, quality: 20)
    var random = SplitMix(state: 7)
    var pool = PicturePool()
    var packets: [Packet] = []
    for index in 0...count {
      if index < count {
        let picture = try pool.picture(layout: .yuv420p, width: 64, height: 48, color: color)
        for plane in 0..<3 {
          let base = try #require(picture.planeBases[plane])
          let rows = plane == 0 ? 48 : 24
          for place in 0..<rows * Int(picture.planeStrides[plane]) {
            base[place] = UInt8(truncatingIfNeeded: random.next())
          }
        }
        try encoder.send(picture, timestamp: Int64(index))
      } else {
        try encoder.finish()
      }
      while let packet = try encoder.nextPacket() { packets.append(packet) }
    }
    return (encoder.track, packets)
  }

  /// Returns `packet` with the end of its slice replaced by filler data.
  private func cut(_ packet: Packet) throws -> Packet {
    let time = try #require(packet.presentationTimestamp)
    return try Packet(
      byteCount: packet.byteCount, presented: time, decoded: packet.decodeTimestamp ?? time,
      isKeyframe: packet.isKeyframe
    ) { bytes in
      packet.withBytes { bytes.copyMemory(from: $0) }
      let half = bytes.count / 2
      for place in half..<bytes.count { bytes[place] = 0xff }
      for (offset, byte) in [0, 0, 0, 1, 12].enumerated() { bytes[half + offset] = UInt8(byte) }
      bytes[bytes.count - 1] = 0x80
    }
  }

  /// Returns the times of all pictures, and of the damaged ones.
  private func times(
    _ track: VideoTrack, _ packets: [Packet], isImmediate: Bool = false
  ) throws -> (all: [Int64], damaged: [Int64]) {
    var decoder = try VideoDecoder(track, isImmediate: isImmediate)
    var times: (all: [Int64], damaged: [Int64]) = ([], [])
    for index in 0...packets.count {
      if index < packets.count { try decoder.send(packets[index]) } else { try decoder.finish() }
      while let picture = try decoder.nextPicture() {
        let time = try #require(picture.timestamp)
        times.all.append(time)
        if picture.isDamaged { times.damaged.append(time) }
      }
    }
    return times
  }

  /// libavcodec's own mark is missing in a third of the runs.
  @Test("is found in each run, also where several threads decode H.264")
  func threads() throws {
    let (track, whole) = try packets(24)
    var packets = whole
    for index in [5, 6, 17] { packets[index] = try cut(packets[index]) }
    let damaged = try [5, 6, 17].map { try #require(whole[$0].presentationTimestamp) }.sorted()
    for run in 0..<12 {
      let times = try times(track, packets, isImmediate: run == 0)
      #expect(times.all == (0..<24).map(Int64.init))
      #expect(times.damaged == damaged, "run \(run)")
    }
    #expect(try times(track, whole).damaged.isEmpty)
  }

  @Test("is that of all pictures behind a gap that depend on missing ones")
  func gap() throws {
    func packet(_ time: Int64, isKeyframe: Bool = false) throws -> Packet {
      try Packet(byteCount: 1, presented: time, decoded: time, isKeyframe: isKeyframe) { $0[0] = 0 }
    }
    var dependents = DependentPackets()
    func included(_ packets: [Packet]) -> [Bool] { packets.map { dependents.includes($0) } }
    #expect(try included([packet(0, isKeyframe: true), packet(1)]) == [false, false])
    dependents.begin()
    #expect(try included([packet(5), packet(6), packet(9, isKeyframe: true)]) == [true, true, false])
    // Pictures that are shown before a keyframe may depend on those before it.
    #expect(try included([packet(7), packet(8), packet(12), packet(11)]) == [true, true, false, false])

    let (track, packets) = try packets(24)
    for packet in packets[7..<10] { packet.isBehindGap = true }
    let times = try times(track, packets)
    #expect(times.all.count == 24)
    #expect(times.damaged == packets[7..<10].compactMap(\.presentationTimestamp).sorted())
  }

  @Test("of a GIF is found, which libavcodec does not mark")
  func gif() throws {
    // 128 colours, so that codes of 8 bits are bytes: 0x80 begins the pixels, and 0x81 ends them.
    let head = Array("GIF89a".utf8) + [4, 0, 4, 0, 0xf6, 0, 0]
    var bytes = head + (0..<384).map { UInt8($0 / 3) }
    for pixels in [16, 6, 16] {
      bytes += [0x21, 0xf9, 4, 0, 4, 0, 0, 0, 0x2c, 0, 0, 0, 0, 4, 0, 4, 0, 0, 7, UInt8(pixels + 2), 0x80]
      bytes += (0..<pixels).map(UInt8.init) + [0x81, 0]
    }
    bytes.append(0x3b)
    let path = folder.path("a.gif")
    try Data(bytes).write(to: URL(filePath: path))
    var video = try Demuxer(FilePath(path))
    var packets: [Packet] = []
    while let packet = try video.nextPacket() { packets.append(packet) }
    let times = try times(video.track, packets)
    #expect(times.all.count == 3 && times.damaged == [times.all[1]])
  }
}
