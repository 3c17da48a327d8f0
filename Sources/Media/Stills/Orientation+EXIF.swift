import Platform
import SystemPackage

extension Orientation {
  /// Creates the orientation that the EXIF data of the JPEG at `path` state; upright if there are none.
  init(ofJPEG path: FilePath) {
    guard let file = try? InputFile(path),
      let range = JPEGApplicationData.range(of: JPEGApplicationData.exif, in: file),
      let exif = try? file.bytes(at: range.lowerBound, count: min(range.count, Self.mostBytes))
    else {
      self = .upright
      return
    }
    self = Self.stated(inEXIF: exif) ?? .upright
  }

  /// The bytes of the largest EXIF data: those of a JPEG segment.
  private static let mostBytes = 1 << 16

  /// Returns the orientation in the first directory of EXIF data, of either byte order; `nil` if none is stated.
  static func stated(inEXIF exif: [UInt8]) -> Orientation? {
    let isBigEndian = exif.starts(with: "MM".utf8)
    guard isBigEndian || exif.starts(with: "II".utf8) else { return nil }
    func number(at place: Int, _ count: Int) -> Int? {
      guard place >= 0, count <= exif.count - place else { return nil }
      let bytes = exif[place..<place + count]
      return Int(
        clamping: isBigEndian
          ? Array(bytes).bigEndian(at: 0, count: count) : Array(bytes).littleEndian(at: 0, count: count))
    }
    guard let start = number(at: 4, 4), start <= exif.count, let count = number(at: start, 2) else {
      return nil
    }
    for index in 0..<count {
      let place = start + 2 + 12 * index
      guard let tag = number(at: place, 2) else { return nil }
      if tag == 0x0112 { return number(at: place + 8, 2).flatMap(Orientation.init(exif:)) }
    }
    return nil
  }

  /// Creates the orientation of a number in EXIF, which states where the first row and the first column are shown;
  /// `nil` if it is not one from 1 to 8.
  init?(exif number: Int) {
    guard (1...8).contains(number) else { return nil }
    self.init()
    isTurned = number > 4
    isMirroredAcross = [2, 3, 6, 7].contains(number)
    isMirroredDown = [3, 4, 7, 8].contains(number)
  }
}
