import Platform
import CameraModel
import FoundationEssentials
import Timebase

/// The beginning of a journal: all that a take needs besides the frames.
struct JournalHeader: Codable, Hashable {
  /// The facts known before the first frame; `nil` if none were given.
  var metadata: TakeMetadata?
  /// The kernel's code of the frames' pixel format.
  var pixelFormat: UInt32
  var width: Int
  var height: Int
  var acceptedInterval: FrameInterval?
  var clock: FrameClock
  var colorimetry: Colorimetry
  /// The source of audio; `nil` if none is recorded.
  var audio: AudioInput?

  // Journals of earlier versions have the metadata under this key too.
  private enum CodingKeys: String, CodingKey {
    case pixelFormat, width, height, acceptedInterval, clock, colorimetry, audio
    case metadata = "slate"
  }

  init(_ frames: FrameFormat, audio: AudioInput? = nil, metadata: TakeMetadata?) {
    self.audio = audio
    self.metadata = metadata
    pixelFormat = frames.pixelFormat.rawValue
    (width, height) = (frames.width, frames.height)
    acceptedInterval = frames.acceptedInterval
    clock = frames.clock
    colorimetry = frames.colorimetry
  }

  /// The format that the camera agreed to, as far as a master depends on it.
  var frames: FrameFormat {
    FrameFormat(
      PixelFormat(rawValue: pixelFormat), width: width, height: height,
      acceptedInterval: acceptedInterval, clock: clock, colorimetry: colorimetry)
  }

  /// `OVCRANK` and the version of the format. Version 2 records for each frame whether its time is that of
  /// its receipt.
  private static let magic: [UInt8] = Array("OVCRANK2".utf8)
  /// The format of earlier versions, which can be read too.
  private static let formerMagic: [UInt8] = Array("OVCRANK1".utf8)
  /// The maximum bytes of a header.
  static let largest = 1 << 20

  /// Returns the magic bytes, the size and CRC-32 of the rest, and this header as JSON.
  ///
  /// - Throws: `OvercrankError` with code `badData` if a number in it cannot be JSON.
  func encoded() throws(OvercrankError) -> [UInt8] {
    let json: [UInt8]
    do { json = [UInt8](try JSONEncoder().encode(self)) } catch {
      throw OvercrankError(.badData, "The journal's header could not be encoded as JSON: \(error).")
    }
    var bytes = LittleEndianBytes()
    bytes.append(UInt32(json.count))
    bytes.append(Checksum.crc32(json))
    return Self.magic + bytes.all + json
  }

  /// Reads a header, and returns it with the offset of the first entry; `nil` if it is damaged.
  static func read(_ journal: [UInt8]) -> (header: JournalHeader, end: Int)? {
    guard journal.starts(with: magic) || journal.starts(with: formerMagic) else { return nil }
    var reader = LittleEndianReader(journal[magic.count...])
    guard let size = reader.next(UInt32.self), let sum = reader.next(UInt32.self) else { return nil }
    let start = magic.count + 8
    let end = start + Int(size)
    guard end <= journal.count, Checksum.crc32(journal[start..<end]) == sum,
      let header = try? JSONDecoder().decode(JournalHeader.self, from: Data(journal[start..<end]))
    else { return nil }
    return (header, end)
  }
}
