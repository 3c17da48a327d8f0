import CameraModel
import Cameras
import FrameJudge
import Foundation
import Retime
import SystemPackage
import Timebase

/// Runs one damaged file through everything that would read it. Any error is fine; ``Wrong``, a crash or a
/// hang is a finding.
struct Examination {
  let seeds: SeedFiles
  /// The folder of the damaged file and of everything made from it.
  let folder: URL

  /// A result that must not occur.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Runs the round that `seed` determines. Returns the name of the damaged file, and whether it was read.
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

  /// Returns the file to damage. A quarter are interrupted recordings, which have no other copy.
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
      guard "\(error)".count > 10 else { throw Wrong(description: "an error without a message: \(error)") }
      return false
    }
  }

  private func choose(_ bytes: [UInt8]) throws {
    let table = try CameraTable(contents: bytes, named: "damaged")
    _ = ModeChoice.preferences(from: table)
    _ = ModeSheet(table).text(.init(width: 80))
  }
}
