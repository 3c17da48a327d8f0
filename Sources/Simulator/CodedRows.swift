import Media

/// The rows of a Motion JPEG mode, coded ahead.
///
/// Every row of 8 pixels is coded as a picture of its own: its entropy-coded data is then one restart interval
/// of the whole frame, as a restart sets the coder back to where a picture begins. A row that stands still is
/// coded once, one that the stage is in once for each step of the scene. In a light that swings, all are coded for each
/// frame of the cycle in which scene and light repeat.
struct CodedRows {
  /// The pixels in a row's height.
  static let rowHeight = 8

  /// Everything in a frame before its first row.
  private(set) var header: [UInt8] = []
  /// What codes rows of the readout as these rows are coded.
  let coder: FlatBlockCoder
  /// After how many frames all rows are what they were.
  let steps: Int
  /// How many rows make a frame.
  let count: Int
  /// The coded rows, one behind another.
  private(set) var bytes: [UInt8] = []
  /// Where the data begins in each row's JPEG: their headers differ in the height, not in length.
  private let scanStart: Int
  /// Where each row lies in ``bytes``, step by step.
  private var places: [Range<Int>]

  /// Codes `scene` in frames of this size, with Huffman tables in the header or without, in a light of its own for each
  /// frame of a cycle, or a steady one.
  init(
    _ scene: Scene, width: Int, height: Int, quality: Int, huffmanTables: Bool, lighting: [Lighting] = []
  ) throws(MediaError) {
    var canvas = scene.still()
    var source = try RowSource(width: width, height: height, quality: quality)
    source.take(canvas, Area(columns: 0..<width, rows: 0..<height))
    guard let first = BaselineJPEG(try source.encode(row: 0)), let coder = FlatBlockCoder(first) else {
      throw MediaError(
        .unsupported, "TurboJPEG's JPEGs are not the baseline ones of one scan that were expected")
    }
    self.coder = coder
    self.steps = lighting.isEmpty ? Scene.steps : lighting.count
    self.count = (height + Self.rowHeight - 1) / Self.rowHeight
    self.scanStart = first.scan.startIndex
    self.places = []
    self.header = Self.header(first, width: width, height: height, huffmanTables: huffmanTables)

    for row in 0..<count { places.append(append(try source.encode(row: row))) }
    let still = places
    places = []
    for step in 0..<steps {
      scene.draw(step: step % Scene.steps, on: &canvas)
      source.take(canvas, scene.stage)
      if !lighting.isEmpty { source.light(lighting[step]) }
      for row in 0..<count {
        let pixels = row * Self.rowHeight..<(row + 1) * Self.rowHeight
        let changes = !lighting.isEmpty || scene.stage.rows.overlaps(pixels)
        places.append(changes ? append(try source.encode(row: row)) : still[row])
      }
    }
  }

  /// Where in ``bytes`` a row lies as it is at a step.
  func place(row: Int, step: Int) -> Range<Int> { places[step * count + row] }

  /// Keeps a row's entropy-coded data and gives its place.
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
        // Behind the sample precision stands the height.
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
  /// The planes in the light there is.
  private let lit: FrameMemory
  private var isLit = false
  private let encoder: JPEGEncoder

  init(width: Int, height: Int, quality: Int) throws(MediaError) {
    self.encoder = try JPEGEncoder(quality: quality)
    self.width = width
    self.height = height
    self.layout = RawLayout(planar422Width: width, height: height)
    self.planes = FrameMemory(count: layout.byteCount)
    self.lit = FrameMemory(count: layout.byteCount)
  }

  borrowing func take(_ canvas: Canvas, _ area: Area) {
    if !area.isEmpty { layout.pack(canvas, area, into: planes.base) }
  }

  mutating func light(_ lighting: Lighting) {
    lighting.light(planes.base, layout, to: lit.base)
    isLit = true
  }

  /// Encodes a row as a picture of its own.
  borrowing func encode(row: Int) throws(MediaError) -> [UInt8] {
    let top = row * CodedRows.rowHeight
    let rows = top..<min(top + CodedRows.rowHeight, height)
    let base = isLit ? lit.base : planes.base
    let samples = layout.planes.map { plane in
      let first = base + plane.offset + rows.lowerBound * plane.stride
      return UnsafeBufferPointer(
        start: first.assumingMemoryBound(to: UInt8.self), count: rows.count * plane.stride)
    }
    return try encoder.encode(
      luma: samples[0].span, blue: samples[1].span, red: samples[2].span, width: width, height: rows.count)
  }
}
