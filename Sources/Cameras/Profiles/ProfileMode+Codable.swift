import CameraModel

extension Profile.Mode: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case sizes, formats, rates, continuous
    case isBinned = "binned"
    case binning, crop
    case isScaled = "scaled"
    case range, source, note
  }

  /// Reads a mode and checks that it is valid.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    sizes = try keys.sizes(.sizes)
    formats = try keys.list(.formats)
    rates = try keys.list(.rates)
    continuous = try keys.list(.continuous)
    isBinned = try keys.decodeIfPresent(Bool.self, forKey: .isBinned)
    binning = try keys.terms(.binning, count: 2, in: 1...64, such: "[2, 2]")
    crop = try keys.terms(.crop, count: 4, in: 0...100_000, such: "[0, 0, 1920, 1080]")
    isScaled = try keys.decodeIfPresent(Bool.self, forKey: .isScaled)
    range = try keys.textIfPresent(.range)
    source = try keys.textIfPresent(.source)
    note = try keys.textIfPresent(.note)
    if let stranger = formats.first(where: { PixelFormat(fourcc: $0) == nil }) {
      throw keys.wrong(.formats, "\"\(stranger)\" is not a pixel format, such as MJPG")
    }
    if !continuous.isEmpty, continuous.count != 2 || continuous[0].rate > continuous[1].rate {
      throw keys.wrong(.continuous, "this must be the slowest and the fastest rate, such as [3, 60]")
    }
    if binning != nil, isBinned != true {
      throw keys.wrong(.binning, "only a mode with \"binned: true\" can have a factor")
    }
    if let crop, crop[2] == 0 || crop[3] == 0 { throw keys.wrong(.crop, "\(crop) is empty") }
    if let range, !["full", "limited"].contains(range) {
      throw keys.wrong(.range, "\"\(range)\" is neither full nor limited")
    }
  }
}
