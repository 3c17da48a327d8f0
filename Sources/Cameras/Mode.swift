public import Timebase
public import V4L2

/// One pixel format at one frame size and one frame interval: what a camera is asked to film in.
public struct Mode: Hashable, Sendable {
  /// The pixel format's four characters.
  public var fourcc: String
  /// Pixels across.
  public var width: UInt32
  /// Pixels down.
  public var height: UInt32
  /// Seconds per frame, in the driver's terms where it lists this interval.
  public var interval: FrameInterval
  /// Whether pixels of the sensor are added together; `nil` where it is not known.
  public var isBinned: Bool?
  /// How many pixels are added across and down.
  public var binning: [Int]?
  /// The part of the sensor that is seen: x, y, width, height.
  public var crop: [Int]?
  /// How much of the sensor's width and height is seen, in per cent; `nil` where it is not known.
  public var fieldOfView: [Double]?
  /// Whether the picture is resized after it was read from the sensor; `nil` where it is not known.
  public var isScaled: Bool?
  /// `full` or `limited`; `nil` where it is not known.
  public var range: String?
  /// How binning and crop are known.
  public var evidence: String?

  /// A mode, with what is known of it.
  public init(
    fourcc: String, width: UInt32, height: UInt32, interval: FrameInterval, isBinned: Bool? = nil,
    binning: [Int]? = nil, crop: [Int]? = nil, fieldOfView: [Double]? = nil, isScaled: Bool? = nil,
    range: String? = nil, evidence: String? = nil
  ) {
    self.fourcc = fourcc
    self.width = width
    self.height = height
    self.interval = interval
    self.isBinned = isBinned
    self.binning = binning
    self.crop = crop
    self.fieldOfView = fieldOfView
    self.isScaled = isScaled
    self.range = range
    self.evidence = evidence
  }

  /// The pixel format; `nil` where the four characters are no code.
  public var pixelFormat: PixelFormat? { PixelFormat(fourcc: fourcc) }
  /// Frames per second; `nil` where a term of the interval is zero.
  public var rate: FrameRate? { interval.rate }
}

extension Mode: Codable {
  enum CodingKeys: String, CodingKey {
    case fourcc, width, height, interval, fps, binned, binning, crop, scaled, range, evidence
    case fieldOfView = "fov_percent"
  }

  /// Reads a mode; `fps` follows from the interval and is passed over.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      fourcc: try keys.decode(String.self, forKey: .fourcc),
      width: try keys.decode(UInt32.self, forKey: .width),
      height: try keys.decode(UInt32.self, forKey: .height),
      interval: try keys.decode(FrameInterval.self, forKey: .interval),
      isBinned: try keys.decodeIfPresent(Bool.self, forKey: .binned),
      binning: try keys.decodeIfPresent([Int].self, forKey: .binning),
      crop: try keys.decodeIfPresent([Int].self, forKey: .crop),
      fieldOfView: try keys.decodeIfPresent([Double].self, forKey: .fieldOfView),
      isScaled: try keys.decodeIfPresent(Bool.self, forKey: .scaled),
      range: try keys.decodeIfPresent(String.self, forKey: .range),
      evidence: try keys.decodeIfPresent(String.self, forKey: .evidence))
  }

  /// Writes the mode; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(fourcc, forKey: .fourcc)
    try keys.encode(width, forKey: .width)
    try keys.encode(height, forKey: .height)
    try keys.encode(interval, forKey: .interval)
    try keys.encode(rate?.framesPerSecond.doubleValue, forKey: .fps)
    try keys.encode(isBinned, forKey: .binned)
    try keys.encode(binning, forKey: .binning)
    try keys.encode(crop, forKey: .crop)
    try keys.encode(fieldOfView, forKey: .fieldOfView)
    try keys.encode(isScaled, forKey: .scaled)
    try keys.encode(range, forKey: .range)
    try keys.encode(evidence, forKey: .evidence)
  }
}

extension Mode: CustomStringConvertible {
  /// `1280x720 MJPG at 240 fps`, with binning and range where they are known.
  public var description: String {
    let words = "\(width)x\(height) \(fourcc.trimmedOfSpaces) at \(rate?.description ?? "no known") fps"
    let facts = ModeRow.words(
      isBinned: isBinned, binning: binning, fieldOfView: fieldOfView, isScaled: isScaled, evidence: evidence)
    return ([words] + facts + [range.map { "\($0) range" }].compactMap { $0 }).joined(separator: ", ")
  }
}

extension String {
  fileprivate var trimmedOfSpaces: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
