/// One JPEG among other bytes, found by walking its markers (ITU T.81, annex B) to its end: neither a thumbnail in its
/// header nor anything in the picture's data can be taken for that.
public enum JPEGWalk: Hashable, Sendable {
  /// It is whole.
  case whole(byteCount: Int, width: Int, height: Int)
  /// The bytes end before it does.
  case unfinished
  /// These bytes begin with no JPEG, or with a damaged one.
  case none

  /// Walks the JPEG that begins with the first of `bytes`.
  public init(_ bytes: Span<UInt8>) {
    self = Self.walk(bytes) ?? .unfinished
  }

  /// `nil` where the bytes are at their end.
  private static func walk(_ bytes: Span<UInt8>) -> JPEGWalk? {
    var place = 0
    var size: (width: Int, height: Int)?
    func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }
    func word(_ index: Int) -> Int? {
      index + 1 < bytes.count ? Int(bytes[index]) << 8 | Int(bytes[index + 1]) : nil
    }
    guard let start = word(0) else { return nil }
    guard start == 0xffd8 else { return JPEGWalk.none }
    place = 2
    while true {
      guard let prefix = byte(place) else { return nil }
      guard prefix == 0xff else { return JPEGWalk.none }
      // Any number of 0xff may stand before a marker.
      while let fill = byte(place), fill == 0xff { place += 1 }
      guard let marker = byte(place) else { return nil }
      place += 1
      switch marker {
      case 0xd9:
        guard let size else { return JPEGWalk.none }
        return .whole(byteCount: place, width: size.width, height: size.height)
      case 0x01, 0xd0...0xd7: continue
      // Stuffing outside of data, or the next picture.
      case 0x00, 0xd8: return JPEGWalk.none
      default: break
      }
      guard let length = word(place) else { return nil }
      guard length >= 2 else { return JPEGWalk.none }
      // SOF0 to SOF15, among which are DHT, JPG and DAC.
      if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
        guard let height = word(place + 3), let width = word(place + 5) else { return nil }
        size = (width, height)
      }
      place += length
      guard marker == 0xda else { continue }
      // The scan's data: in it, 0xff is followed by 0x00 or a restart marker.
      while true {
        guard let data = byte(place) else { return nil }
        if data == 0xff {
          guard let next = byte(place + 1) else { return nil }
          guard next == 0x00 || (0xd0...0xd7).contains(next) else { break }
          place += 1
        }
        place += 1
      }
    }
  }
}
