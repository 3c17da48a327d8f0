public import Timebase

/// The way in which a picture is read from the sensor, as far as it is known; each property is `nil` if
/// unknown.
public struct Readout: Hashable, Sendable {
  /// Whether pixels of the sensor are combined; `nil` if unknown.
  @Nullable public var isBinned: Bool?
  /// The number of pixels combined across and down.
  @Nullable public var binning: [Int]?
  /// The visible part of the sensor: x, y, width, height.
  @Nullable public var crop: [Int]?
  /// The visible part of the sensor's width and height, in per cent; `nil` if crop or native size is unknown.
  @Nullable public var fieldOfView: [Double]?
  /// Whether the picture is scaled after it was read; `nil` if unknown.
  @Nullable public var isScaled: Bool?
  /// The source of binning and crop: `driver`, `profile`, `inferred`; `nil` if they are unknown.
  @Nullable public var evidence: String?

  /// Creates a readout; by default, nothing is known.
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
  // The keys are encoded among those of the mode or row that holds the readout.
  enum CodingKeys: String, CodingKey {
    case binning, crop, evidence
    case isBinned = "binned"
    case fieldOfView = "fov_percent"
    case isScaled = "scaled"
  }
}

extension Readout {
  /// The readout in words; empty if nothing is known.
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

/// The source of binning and crop, from the most to the least reliable.
package enum Evidence {
  package static let driver = "driver"
  package static let profile = "profile"
  package static let inferred = "inferred"
}
