public import Timebase

/// How a picture is read from the sensor, as far as anyone says: all `nil` where nothing is known.
public struct Readout: Hashable, Sendable {
  /// Whether pixels of the sensor are added together; `nil` where it is not known.
  @Nullable public var isBinned: Bool?
  /// How many pixels are added across and down.
  @Nullable public var binning: [Int]?
  /// The part of the sensor that is seen: x, y, width, height.
  @Nullable public var crop: [Int]?
  /// How much of the sensor's width and height is seen, in per cent; `nil` where crop or native size is not known.
  @Nullable public var fieldOfView: [Double]?
  /// Whether the picture is resized after it was read; `nil` where it is not known.
  @Nullable public var isScaled: Bool?
  /// How binning and crop are known: `driver`, `profile`, `inferred`; `nil` where they are not.
  @Nullable public var evidence: String?

  /// Nothing known, but for what is given.
  public init(
    isBinned: Bool? = nil, binning: [Int]? = nil, crop: [Int]? = nil, fieldOfView: [Double]? = nil,
    isScaled: Bool? = nil, evidence: String? = nil
  ) {
    self.isBinned = isBinned
    self.binning = binning
    self.crop = crop
    self.fieldOfView = fieldOfView
    self.isScaled = isScaled
    self.evidence = evidence
  }
}

extension Readout: Codable {
  // The keys stand among those of the mode or row that holds the readout.
  enum CodingKeys: String, CodingKey {
    case binning, crop, evidence
    case isBinned = "binned"
    case fieldOfView = "fov_percent"
    case isScaled = "scaled"
  }
}

extension Readout {
  /// The readout in words for people; empty where nothing is known.
  public var facts: [String] {
    var words: [String] = []
    if isBinned == true {
      words.append(binning.map { "binned \($0.map(String.init).joined(separator: "x"))" } ?? "binned")
    }
    if isScaled == true { words.append("scaled") }
    if let fieldOfView, fieldOfView.count == 2 {
      let isWhole = fieldOfView.allSatisfy { $0 >= 100 }
      words.append(isWhole ? "full view" : "sees \(fieldOfView[0]) % x \(fieldOfView[1]) %")
    }
    if evidence == Evidence.inferred, let last = words.popLast() { words.append("\(last) (a guess)") }
    return words
  }
}

/// How binning and crop are known, from the surest to the least sure.
package enum Evidence {
  package static let driver = "driver"
  package static let profile = "profile"
  package static let inferred = "inferred"
}
