import CameraModel
import Cameras
import FilmJudge
import Foundation
import Retime
import SystemPackage
import Timebase

/// Runs one damaged file through all that would read it. Whatever is thrown is fine; what a crash, a hang or a clip
/// that is not what its report says would mean is told by ``Wrong`` or by the process's end.
struct Examination {
  let seeds: SeedFiles
  /// Where the damaged file is put, and what is made of it.
  let folder: URL

  /// What must not be.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// One round, all of which follows from `seed`; the name of the file that was damaged, and whether it was read.
  func round(_ seed: UInt64) async throws -> (name: String, isRead: Bool) {
    var random = SplitMix(state: seed &* 0x2545_f491_4f6c_dd1d)
    let name = try name(&random)
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let whole = try seeds.bytes(name)
    let bytes =
      name == Self.journal
      ? try putRecording(journal: whole, &random) : Damage.done(to: whole, &random)
    try Data(bytes).write(to: URL(filePath: path("damaged-" + name)))
    return (name, try await isRead(name, bytes, &random))
  }

  static let journal = "cut.journal"
  static let part = "cut.master.mov.part"

  /// What is damaged. Recordings that were cut off are the one kind of which nothing else is left: a quarter of all.
  private func name(_ random: inout SplitMix) throws -> String {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: return Self.journal
    case 4: return Self.part
    default: return try seeds.names().filter { $0 != Self.journal }.randomElement(using: &random) ?? Self.part
    }
  }

  private func isRead(_ name: String, _ bytes: [UInt8], _ random: inout SplitMix) async throws -> Bool {
    do {
      switch FilePath(name).extension {
      case "jpg" where random.next() % 2 == 0: try still(bytes, &random)
      case "jpg": try decode(bytes, &random)
      case "frame": try still(ofFrame: bytes, &random)
      case "journal": try recover()
      case "part": try recover(withoutJournal: bytes, &random)
      case "txt" where name == "ramp.txt": _ = try SpeedCurve(text: String(decoding: bytes, as: UTF8.self))
      case "txt": try choose(bytes)
      case "json" where name.hasSuffix(".take.json"): try await renderTimed(name, bytes, &random)
      case "json": try choose(bytes)
      case "yaml": _ = try Profile(yaml: String(decoding: bytes, as: UTF8.self), named: name)
      default: try await retime(path("damaged-" + name), &random)
      }
      return true
    } catch let error as Wrong {
      throw error
    } catch {
      guard "\(error)".count > 10 else { throw Wrong(description: "an error without words: \(error)") }
      return false
    }
  }

  private func choose(_ bytes: [UInt8]) throws {
    let table = try CameraTable(contents: bytes, named: "damaged")
    _ = ModeChoice.preferences(from: table)
    _ = ModeSheet(table).text(.init(width: 80))
  }
}
