import Media
import Platform
import SystemPackage

/// The frames of a mode of a compressed stream: those of a file, from its first to its last, again and again.
final class RecordedPicture {
  private let bytes: FrameMemory
  private let places: [Range<Int>]

  /// The maximum size in bytes of all frames together, which are kept in memory.
  private static let mostBytes = 1 << 28

  /// Reads the frames.
  ///
  /// - Throws: `OvercrankError` with `badData` if the file's frames are not those of such a mode, and the errors of
  ///   reading it.
  init(_ path: String, as stream: StreamFormat, width: Int, height: Int) throws(OvercrankError) {
    var video = try Demuxer(FilePath(path))
    guard (video.track.width, video.track.height) == (width, height) else {
      throw Self.unsuitable(
        path,
        "its frames are \(video.track.width)x\(video.track.height), and the mode has \(width)x\(height)",
        stream)
    }
    guard video.track.codec == stream.codec else {
      throw Self.unsuitable(path, "its codec is \(video.track.codec)", stream)
    }
    var content: [UInt8] = []
    var places: [Range<Int>] = []
    while let packet = try video.nextPacket() {
      if places.isEmpty {
        guard packet.withBytes(stream.role) == .entry else {
          throw Self.unsuitable(
            path, "its first frame is not a key frame that contains all that a decoder needs", stream)
        }
      }
      let start = content.count
      packet.withBytes { content += $0 }
      guard content.count <= Self.mostBytes else {
        throw Self.unsuitable(path, "it has more than \(Self.mostBytes >> 20) MiB", stream)
      }
      places.append(start..<content.count)
    }
    guard !places.isEmpty else { throw Self.unsuitable(path, "it has no frames", stream) }
    bytes = FrameMemory(count: content.count)
    UnsafeMutableRawBufferPointer(start: bytes.base, count: content.count).copyBytes(from: content)
    self.places = places
  }

  private static func unsuitable(_ path: String, _ reason: String, _ stream: StreamFormat) -> OvercrankError {
    OvercrankError(
      .badData,
      "\(path): cannot be sent by a simulated camera as \(stream.fourcc): \(reason). Encode a file for this mode."
    )
  }

  var largestByteCount: Int { places.map(\.count).max() ?? 0 }

  /// Returns frame `number`.
  func compose(_ number: UInt32) -> UnsafeRawBufferPointer {
    let place = places[Int(number) % places.count]
    return UnsafeRawBufferPointer(start: bytes.base + place.lowerBound, count: place.count)
  }
}
