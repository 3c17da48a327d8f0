import Timebase

extension CameraTable: Codable {
  enum CodingKeys: String, CodingKey {
    case id, card, driver, bus, mplane, sensor, native, graph, profile, modes, warnings
    case vendorProduct = "vendor_product"
  }

  /// Decodes the table's JSON form; unknown keys are ignored.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try keys.decodeIfPresent(String.self, forKey: .id),
      card: try keys.decodeIfPresent(String.self, forKey: .card),
      driver: try keys.decodeIfPresent(String.self, forKey: .driver),
      bus: try keys.decodeIfPresent(String.self, forKey: .bus),
      vendorProduct: try keys.decodeIfPresent(String.self, forKey: .vendorProduct),
      isMultiplanar: try keys.decodeIfPresent(Bool.self, forKey: .mplane),
      rows: try keys.decode([ModeRow].self, forKey: .modes),
      warnings: try keys.decodeIfPresent([String].self, forKey: .warnings) ?? [])
    sensor = try keys.decodeIfPresent(String.self, forKey: .sensor)
    native = try keys.dimensions(.native)
    mounting = try CameraMounting(from: decoder)
    graph = try keys.decodeIfPresent(MediaGraph.self, forKey: .graph)
    profile = try keys.decodeIfPresent(String.self, forKey: .profile)
  }

  /// Encodes the table's JSON form; unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(id, forKey: .id)
    try keys.encode(card, forKey: .card)
    try keys.encode(driver, forKey: .driver)
    try keys.encode(bus, forKey: .bus)
    try keys.encode(vendorProduct, forKey: .vendorProduct)
    try keys.encode(isMultiplanar, forKey: .mplane)
    try keys.encode(sensor, forKey: .sensor)
    try keys.encode(native, forKey: .native)
    try mounting.encode(to: encoder)
    try keys.encode(graph, forKey: .graph)
    try keys.encode(profile, forKey: .profile)
    try keys.encode(rows, forKey: .modes)
    try keys.encode(warnings, forKey: .warnings)
  }
}

extension ModeRow: Codable {
  enum CodingKeys: String, CodingKey {
    case fourcc, width, height, intervals, stepwise, continuous, sampled, measured, range
    case sizeStepwise = "size_stepwise"
    case sizeContinuous = "size_continuous"
  }

  private struct SizeRange: Codable {
    var min: Dimensions
    var max: Dimensions
    var step: Dimensions?
  }

  /// Decodes a row.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    let size: FrameSize
    if let range = try keys.decodeIfPresent(SizeRange.self, forKey: .sizeStepwise) {
      size = .stepwise(
        min: range.min, max: range.max, step: range.step ?? Dimensions(width: 1, height: 1))
    } else if let range = try keys.decodeIfPresent(SizeRange.self, forKey: .sizeContinuous) {
      size = .continuous(min: range.min, max: range.max)
    } else {
      size = .discrete(
        width: try keys.decode(UInt32.self, forKey: .width),
        height: try keys.decode(UInt32.self, forKey: .height))
    }
    self.init(
      fourcc: try keys.decode(String.self, forKey: .fourcc), size: size,
      intervals: try keys.decodeIfPresent([FrameInterval].self, forKey: .intervals) ?? [],
      stepwise: try keys.decodeIfPresent(IntervalRange.self, forKey: .stepwise),
      continuous: try keys.decodeIfPresent(IntervalRange.self, forKey: .continuous))
    isSampled = try keys.decodeIfPresent(Bool.self, forKey: .sampled) ?? false
    readout = try Readout(from: decoder)
    range = try keys.decodeIfPresent(String.self, forKey: .range)
  }

  /// Encodes a row.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(fourcc, forKey: .fourcc)
    switch size {
    case .discrete(let width, let height):
      try keys.encode(width, forKey: .width)
      try keys.encode(height, forKey: .height)
    case .stepwise(let min, let max, let step):
      try keys.encode(SizeRange(min: min, max: max, step: step), forKey: .sizeStepwise)
    case .continuous(let min, let max):
      try keys.encode(SizeRange(min: min, max: max), forKey: .sizeContinuous)
    }
    try keys.encode(intervals, forKey: .intervals)
    try keys.encodeIfPresent(stepwise, forKey: .stepwise)
    try keys.encodeIfPresent(continuous, forKey: .continuous)
    if isSampled { try keys.encode(true, forKey: .sampled) }
    if !measured.isEmpty { try keys.encode(measured, forKey: .measured) }
    try keys.encode(range, forKey: .range)
    try readout.encode(to: encoder)
  }
}
