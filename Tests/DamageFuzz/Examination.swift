import Cameras
import Capture
import FilmJudge
import Foundation
import Media
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

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  /// One round, all of which follows from `seed`; the name of the file that was damaged, and whether it was read.
  func round(_ seed: UInt64) async throws -> (name: String, isRead: Bool) {
    var random = SplitMix(state: seed &* 0x2545_f491_4f6c_dd1d)
    let names = try seeds.names()
    let name = names[Int.random(in: 0..<names.count, using: &random)]
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let whole = try seeds.bytes(name)
    var bytes = Damage.done(to: whole, &random)
    if name == "cut.journal" {
      bytes = try recording(journal: whole, damaged: bytes, &random)
    }
    try Data(bytes).write(to: URL(filePath: path("damaged-" + name)))
    return (name, try await isRead(name, bytes, &random))
  }

  private func isRead(_ name: String, _ bytes: [UInt8], _ random: inout SplitMix) async throws -> Bool {
    do {
      switch FilePath(name).extension {
      case "jpg": try decode(bytes, &random)
      case "journal": try recover()
      case "txt" where name == "ramp.txt": _ = try SpeedCurve(text: String(decoding: bytes, as: UTF8.self))
      case "txt": try choose(bytes)
      case "json" where name.hasSuffix(".take.json"): try await renderTimed(bytes)
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

  private func decode(_ bytes: [UInt8], _ random: inout SplitMix) throws {
    let reduction = [1, 1, 2, 4, 8].randomElement(using: &random) ?? 1
    var decoder = try JPEGDecoder(reduction: reduction)
    // Memory of exactly that size: a byte too far is one of somebody else's.
    let exact = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { exact.deallocate() }
    exact.copyBytes(from: bytes)
    let picture = try decoder.decode(UnsafeRawBufferPointer(exact))
    try touch(picture)
  }

  /// Reads every sample of `picture`.
  private func touch(_ picture: Picture) throws {
    guard let planes = picture.layout.planes(width: picture.width, height: picture.height) else {
      throw Wrong(
        description: "a picture of \(picture.width)x\(picture.height) \(picture.layout) has no planes")
    }
    var sum = 0
    for (index, plane) in planes.enumerated() {
      for row in 0..<plane.rows {
        picture.withRow(row, plane: index) { row in
          for column in row.indices { sum &+= Int(row[column]) }
        }
      }
    }
    guard sum >= 0 else { throw Wrong(description: "impossible samples") }
  }

  private func choose(_ bytes: [UInt8]) throws {
    let table = try CameraTable(contents: bytes, named: "damaged")
    _ = ModeChoice(preferredFrom: table)
    _ = ModeSheet(table).text(.init(width: 80))
  }

  private func retime(_ film: String, _ random: inout SplitMix) async throws {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let output = path("copy.mkv")
      _ = try await CopyRetimer(FilePath(film), speed: SpeedCurve(speed)).copy(
        to: OutputFile(FilePath(output)), container: .mkv)
    case 1:
      let changed = path("changed")
      try FileManager.default.copyItem(atPath: film, toPath: changed)
      try InPlaceRetimer(FilePath(changed), speed: speed).retime()
    default:
      try await render(ClipSource(FilePath(film)), Bool.random(using: &random) ? .skip : .hold)
    }
  }

  private let speed = Speed(Fraction(1, 4)) ?? .normal

  /// The take is damaged, the master is not.
  private func renderTimed(_ take: [UInt8]) async throws {
    let master = path("take.master.mov")
    try Data(try seeds.bytes("take.master.mov")).write(to: URL(filePath: master))
    guard let beside = TakeFiles.take(besideMaster: master) else {
      throw Wrong(description: "no place for a take")
    }
    try Data(take).write(to: URL(filePath: beside))
    guard let take = try Take.read(from: beside) else { throw Wrong(description: "a take was not found") }
    try await render(ClipSource(FilePath(master), take: take), .hold)
  }

  /// Makes a clip, of the first second alone where times are damaged so that it would last for days.
  private func render(_ source: ClipSource, _ fill: Fill) async throws {
    let output = path("clip.mp4")
    let film = try Demuxer(source.path)
    let isLarge = film.track.width * film.track.height > 1 << 18
    let options = ClipOptions(
      speed: SpeedCurve(speed), fill: fill, span: ClipSpan(end: 1_000_000_000),
      scale: isLarge ? .size(width: 64, height: 32) : nil, preset: .ultrafast)
    let report: ClipReport
    do {
      report = try await ClipRenderer(source, options: options).render(to: OutputFile(FilePath(output)))
    } catch {
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasPrefix("clip")
      }
      guard left.isEmpty else { throw Wrong(description: "after \"\(error)\" \(left) was left") }
      throw error
    }
    let count = try packetCount(output)
    guard count == report.outputFrames else {
      throw Wrong(description: "the clip has \(count) frames, its report tells of \(report.outputFrames)")
    }
  }

  private func packetCount(_ film: String) throws -> Int {
    var demuxer: Demuxer
    do throws(MediaError) { demuxer = try Demuxer(FilePath(film)) } catch {
      throw Wrong(description: "what was made cannot be read: \(error)")
    }
    var count = 0
    do throws(MediaError) { while try demuxer.nextPacket() != nil { count += 1 } } catch {
      throw Wrong(description: "what was made cannot be read to its end: \(error)")
    }
    return count
  }

  /// Puts a recording that was cut off into the folder: the damage is in its journal or in its part.
  private func recording(
    journal: [UInt8], damaged: [UInt8], _ random: inout SplitMix
  ) throws -> [UInt8] {
    let part = try seeds.bytes("cut.master.mov.part")
    let isInPart = random.next() % 3 == 0
    let journal =
      isInPart ? journal : random.next() % 2 == 0 ? damaged : JournalDamage.signed(journal, &random)
    try Data(journal).write(to: URL(filePath: path("cut.master.mov.part.journal")))
    try Data(isInPart ? Damage.done(to: part, &random) : part).write(
      to: URL(filePath: path("cut.master.mov.part")))
    return journal
  }

  private func recover() throws {
    let recovered = try CutOffMaster(path("cut.master.mov")).recover(replacing: false)
    let count = try packetCount(path("cut.master.mov"))
    guard count == Int(recovered.frames.written) else {
      throw Wrong(
        description: "\(count) frames were recovered, its report tells of \(recovered.frames.written)")
    }
  }
}

/// Damage to the entries of a journal whose check sums are right all the same.
enum JournalDamage {
  private static let entrySize = 40

  static func signed(_ journal: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = journal
    // The size of the header, lowest byte first, behind eight letters; then its check sum.
    let header = 16 + bytes[8..<12].reversed().reduce(0) { $0 << 8 | Int($1) }
    let entries = (bytes.count - header) / entrySize
    guard entries > 0 else { return bytes }
    for _ in 0...Int.random(in: 0...3, using: &random) {
      let start = header + entrySize * Int.random(in: 0..<entries, using: &random)
      let field = start + Int.random(in: 4..<36, using: &random)
      let isExtreme = Bool.random(using: &random)
      for place in field..<min(field + 8, start + 36) where isExtreme || place == field {
        bytes[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
      }
      let sum = crc32(bytes[start..<start + 36])
      for byte in 0..<4 { bytes[start + 36 + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * byte)) }
    }
    return bytes
  }

  /// As zlib has it.
  private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = 0xffff_ffff
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
    }
    return ~sum
  }
}
