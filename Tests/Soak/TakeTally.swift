import FrameJudge
import Foundation
import Media
import SystemPackage
import Takes

/// The sums over takes; each take is checked against the numbers in its master's own pixels.
struct TakeTally {
  private(set) var takes = 0
  private(set) var written: Int64 = 0
  private(set) var lost: Int64 = 0

  /// - Throws: ``Wrong`` if frames are missing from both master and ledger, or do not match the take.
  mutating func check(_ take: Take, master: FilePath, of camera: String) throws {
    func expect(_ isSo: Bool, _ words: String) throws {
      guard isSo else { throw Wrong("\(camera), \(master): \(words)") }
    }
    let counts = take.frames
    try expect(
      counts.sent == counts.written + counts.lost.total, "\(counts.sent) frames sent are not \(counts)")
    try expect(take.sequences.count == Int(counts.written), "a sequence for each frame")
    let ledger = take.losses.flatMap { Array($0.sequence..<$0.sequence + $0.count) }
    try expect(ledger.count == Int(counts.lost.total), "the ledger has \(ledger.count) frames")
    let all = Set(ledger).union(take.sequences)
    try expect(
      all.count == Int(counts.sent) && Int64(all.count) == (all.max() ?? -1) - (all.min() ?? 0) + 1,
      "numbers between the first and the last are missing, or stand twice")
    var demuxer = try Demuxer(master)
    var decoder = try JPEGDecoder()
    var place = 0
    var sequences = take.sequences.makeIterator()
    while let packet = try demuxer.nextPacket() {
      guard let told = sequences.next() else { throw Wrong("\(master): more frames than the take tells of") }
      let number = try packet.withBytes { bytes in
        if bytes.count == 256 * 16 {
          return StripVideo.number { bytes[4 * 256 + $0 * 8 + 4] }
        }
        return try decoder.decode(bytes).withRow(4, plane: 0) { luma in
          StripVideo.number { luma[$0 * 8 + 4] }
        }
      }
      try expect(
        number.map(Int64.init) == told,
        "frame \(place) shows \(number.map { "\($0)" } ?? "no number"), the take says \(told)"
      )
      place += 1
    }
    try expect(place == take.sequences.count, "\(place) frames in the file, \(counts.written) in the take")
    takes += 1
    written += counts.written
    lost += counts.lost.total
  }
}
