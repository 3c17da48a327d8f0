import Platform
import Media

/// The precoded rows of a Motion JPEG mode.
///
/// Every row of 8 pixels is coded as a separate picture. Its entropy-coded data is then one restart interval
/// of the whole frame, because a restart resets the coder as the start of a picture does. A still row is
/// coded once; a row that crosses the stage is coded once for each step of the scene. In varying light, every
/// row is coded for each frame of the cycle in which scene and light repeat. With noise, the scene at rest is
/// coded several times, and each row of a frame is picked from these at random; the moving scene has
/// different noise in each step.
struct CodedRows {
  /// The height of a row in pixels.
  static let rowHeight = 8
  /// The number of noisy variants of the scene at rest: in steady light, and for each level of varying light.
  private static let noisyVariants = (steady: 24, each: 4)

  /// The bytes of a frame before its first row.
  private(set) var header: [UInt8] = []
  /// The bytes of a row's JPEG before its entropy-coded data.
  private let rowHeader: [UInt8]
  /// The place of the height in it.
  private let heightPlace: Int?
  /// The pixel rows of the picture.
  private let height: Int
  /// The coder of the overlay's rows, with the same tables.
  let coder: FlatBlockCoder
  /// The number of rows in a frame.
  let count: Int
  /// The coded rows, one after another.
  private(set) var bytes: [UInt8] = []
  private let conditions: SceneConditions
  private let noise: SensorNoise?
  /// The number of frames after which all rows repeat.
  private let steps: Int
  /// The number of variants of the scene at rest in each light.
  private let variants: Int
  /// The offset of the entropy-coded data in each row's JPEG; the rows' headers differ in the height, not in
  /// length.
  private let scanStart: Int
  /// The ranges of the rows in ``bytes``: here the scene at rest, by light and variant; below, the moving
  /// scene by step.
  private var restingPlaces: [Range<Int>] = []
  private var places: [Range<Int>] = []

  /// Codes `scene` in frames of this size, with or without Huffman tables in the header. `lighting` holds the
  /// light of each frame of a cycle; empty for steady light.
  init(
    _ scene: Scene, width: Int, height: Int, quality: Int, huffmanTables: Bool, conditions: SceneConditions,
    lighting: [Lighting], _ stop: DrawingStop
  ) throws(OvercrankError) {
    var canvas = scene.still()
    let noise = conditions.noise > 0 ? SensorNoise(sigma: conditions.noise, seed: conditions.seed) : nil
    var source = try RowSource(width: width, height: height, quality: quality, noise: noise, stop)
    try source.take(canvas)
    try source.prepare(nil, picture: 0)
    guard let first = BaselineJPEG(try source.encode(row: 0)), let coder = FlatBlockCoder(first) else {
      throw OvercrankError(
        .unsupported, "TurboJPEG did not write the expected baseline JPEGs of one scan")
    }
    let encoded = try source.encode(row: 0)
    rowHeader = Array(encoded[..<first.scan.startIndex])
    // The height follows the marker, the length and the sample precision.
    heightPlace = JPEGMarkers.header(of: encoded).first { $0.marker == .baselineFrame }
      .map { $0.payload.lowerBound + 1 }
    self.height = height
    self.coder = coder
    self.conditions = conditions
    self.noise = noise
    self.steps = lighting.isEmpty ? Scene.steps : lighting.count
    self.count = (height + Self.rowHeight - 1) / Self.rowHeight
    self.scanStart = first.scan.startIndex
    variants =
      noise == nil ? 1 : lighting.isEmpty ? Self.noisyVariants.steady : Self.noisyVariants.each
    self.header = Self.header(first, width: width, height: height, huffmanTables: huffmanTables)

    let still = try codeAll(&source)
    var picture: UInt32 = 1
    scene.draw(step: 0, on: &canvas)
    source.take(canvas, scene.stage)
    for light in 0..<(conditions.restingFrames > 0 ? max(1, lighting.count) : 0) {
      for _ in 0..<variants {
        try source.prepare(lighting.isEmpty ? nil : lighting[light], picture: picture)
        restingPlaces += try codeAll(&source)
        picture += 1
      }
    }
    for step in 0..<steps {
      scene.draw(step: step % Scene.steps, on: &canvas)
      source.take(canvas, scene.stage)
      let light = conditions.lightIndex(ofCourse: step)
      try source.prepare(lighting.isEmpty ? nil : lighting[light], picture: picture)
      picture += 1
      for row in 0..<count {
        let pixels = row * Self.rowHeight..<(row + 1) * Self.rowHeight
        let changes = !lighting.isEmpty || noise != nil || scene.stage.rows.overlaps(pixels)
        places.append(changes ? append(try source.encode(row: row)) : still[row])
      }
    }
  }

  /// Returns the range in ``bytes`` of a row of frame `number`.
  func place(row: Int, of number: UInt32) -> Range<Int> {
    guard conditions.rests(in: number) else {
      return places[Int(conditions.course(of: number) % UInt32(steps)) * count + row]
    }
    let light = conditions.brightness.isEmpty ? 0 : Int(number % UInt32(conditions.brightness.count))
    let variant = noise.map { Int($0.choice(row, of: number) % UInt64(variants)) } ?? 0
    return restingPlaces[(light * variants + variant) * count + row]
  }

  /// Returns the JPEG of a row of frame `number` as a separate picture.
  func jpeg(row: Int, of number: UInt32) -> [UInt8] {
    var jpeg = rowHeader
    let rows = min(Self.rowHeight, height - row * Self.rowHeight)
    if let heightPlace {
      jpeg[heightPlace] = UInt8(rows >> 8)
      jpeg[heightPlace + 1] = UInt8(rows & 0xff)
    }
    return jpeg + bytes[place(row: row, of: number)] + [0xff, JPEGMarkers.Marker.endOfImage.rawValue]
  }

  /// The entropy-coded data of `jpeg`, a row coded as a separate picture.
  func scan(of jpeg: [UInt8]) -> Range<Int> { min(scanStart, jpeg.count - 2)..<jpeg.count - 2 }

  /// Returns the largest size of a row in bytes.
  func largestByteCount(row: Int) -> Int {
    var largest = 0
    for index in stride(from: row, to: places.count, by: count) {
      largest = max(largest, places[index].count)
    }
    for index in stride(from: row, to: restingPlaces.count, by: count) {
      largest = max(largest, restingPlaces[index].count)
    }
    return largest
  }

  private mutating func codeAll(_ source: inout RowSource) throws(OvercrankError) -> [Range<Int>] {
    var places: [Range<Int>] = []
    for row in 0..<count { places.append(append(try source.encode(row: row))) }
    return places
  }

  /// Appends a row's entropy-coded data to ``bytes`` and returns its range.
  private mutating func append(_ jpeg: [UInt8]) -> Range<Int> {
    let scan = jpeg[scanStart..<jpeg.count - 2]
    bytes.append(contentsOf: scan)
    return bytes.count - scan.count..<bytes.count
  }

  private static func header(
    _ row: BaselineJPEG, width: Int, height: Int, huffmanTables: Bool
  ) -> [UInt8] {
    let units = (width + 15) / 16
    var bytes: [UInt8] = [0xff, JPEGMarkers.Marker.startOfImage.rawValue]
    for var segment in row.segments {
      switch segment.marker {
      case .huffmanTables where !huffmanTables:
        continue
      case .baselineFrame:
        // The height follows the sample precision.
        segment.payload[1] = UInt8(height >> 8)
        segment.payload[2] = UInt8(height & 0xff)
      case .startOfScan:
        let interval = [UInt8(units >> 8), UInt8(units & 0xff)]
        bytes += BaselineJPEG.Segment(marker: .restartInterval, payload: interval).bytes
      default:
        break
      }
      bytes += segment.bytes
    }
    return bytes
  }
}

/// A planar picture whose rows are encoded one by one.
private struct RowSource: ~Copyable {
  private let width: Int
  private let height: Int
  private let layout: RawLayout
  private let planes: FrameMemory
  /// The planes with light and noise applied.
  private let prepared: FrameMemory
  private let noise: SensorNoise?
  private let encoder: JPEGEncoder
  private let stop: DrawingStop

  init(
    width: Int, height: Int, quality: Int, noise: SensorNoise?, _ stop: DrawingStop
  ) throws(OvercrankError) {
    self.encoder = try JPEGEncoder(quality: quality)
    self.stop = stop
    self.width = width
    self.height = height
    self.noise = noise
    self.layout = RawLayout(planar422Width: width, height: height)
    self.planes = FrameMemory(count: layout.byteCount)
    self.prepared = FrameMemory(count: layout.byteCount)
  }

  borrowing func take(_ canvas: Canvas) throws(OvercrankError) {
    try layout.pack(canvas, into: planes.base, stop)
  }

  borrowing func take(_ canvas: Canvas, _ area: Area) {
    if !area.isEmpty { layout.pack(canvas, area, into: planes.base) }
  }

  /// Applies the light, and noise that depends on the picture's number.
  borrowing func prepare(_ lighting: Lighting?, picture: UInt32) throws(OvercrankError) {
    try stop.check()
    if let lighting {
      lighting.light(planes.base, layout, to: prepared.base)
    } else {
      prepared.base.copyMemory(from: planes.base, byteCount: layout.byteCount)
    }
    guard let noise else { return }
    for row in 0..<height {
      try stop.check()
      let line = prepared.base + layout.planes[0].offset + row * layout.planes[0].stride
      noise.add(
        toRow: row, of: picture, line.assumingMemoryBound(to: UInt8.self), count: width, step: 1, samples: 1)
    }
  }

  /// Encodes a row as a separate picture.
  borrowing func encode(row: Int) throws(OvercrankError) -> [UInt8] {
    try stop.check()
    let top = row * CodedRows.rowHeight
    let rows = top..<min(top + CodedRows.rowHeight, height)
    let samples = layout.planes.map { plane in
      let first = prepared.base + plane.offset + rows.lowerBound * plane.stride
      return UnsafeBufferPointer(
        start: first.assumingMemoryBound(to: UInt8.self), count: rows.count * plane.stride)
    }
    return try encoder.encode(
      luma: samples[0].span, blue: samples[1].span, red: samples[2].span, width: width, height: rows.count)
  }
}
