import FrameJudge
import Foundation
import SystemPackage
import Takes
import Timebase

extension Examination {
  /// Puts an interrupted recording into the folder, with damage in its journal or in its part.
  ///
  /// - Returns: the journal.
  func putRecording(journal: [UInt8], _ random: inout SplitMix) throws -> [UInt8] {
    var part = try seeds.bytes(Self.part)
    var journal = journal
    switch Int.random(in: 0..<8, using: &random) {
    case 0: journal = Damage.done(to: journal, &random)
    case 1, 2: journal = JournalDamage.toEntries(of: journal, &random)
    case 3, 4: journal = JournalDamage.toFields(of: journal, &random)
    case 5: journal = JournalDamage.toHead(of: journal, &random)
    case 6: part = Damage.done(to: part, &random)
    default: part.removeLast(Int.random(in: 0...part.count, using: &random))
    }
    try Data(journal).write(to: URL(filePath: path(Self.part + ".journal")))
    try Data(part).write(to: URL(filePath: path(Self.part)))
    return journal
  }

  func recover() throws {
    let recovered = try CutOffMaster(FilePath(path("cut.master.mov"))).recover(replacing: false)
    try compare(Int64(recovered.frames.written))
  }

  /// Recovers a damaged part without its journal.
  func recover(withoutJournal part: [UInt8], _ random: inout SplitMix) throws {
    try Data(part).write(to: URL(filePath: path(Self.part)))
    let text = ["240", "30", "120000/1001", "1000000", "1/1000"].randomElement(using: &random) ?? "240"
    guard let unindexed = try UnindexedMaster(FilePath(path("cut.master.mov"))) else {
      throw Wrong(description: "there is a journal beside a part without one")
    }
    let recovered = try unindexed.recover(at: FrameRate(text: text), replacing: false)
    try compare(recovered.frames)
  }

  private func compare(_ told: Int64) throws {
    let count = try packetCount(path("cut.master.mov"))
    guard count == told else {
      throw Wrong(description: "\(count) frames were recovered, and the report states \(told)")
    }
  }
}
