import Platform
import CameraModel

/// The prerendered frames of an uncompressed mode.
///
/// One complete frame is kept; the moving part is kept for each step of the scene and copied over it.
struct RawPicture: ~Copyable {
  /// The size of each frame in bytes.
  let byteCount: Int
  private let frame: FrameMemory
  private let layout: RawLayout
  /// The light in each frame of a cycle; empty for steady light.
  private let lighting: [Lighting]
  /// The frame with light and noise applied.
  private let lit: FrameMemory
  private let conditions: SceneConditions
  private let noise: SensorNoise?
  /// The rows with noise and flashes, below the overlay.
  private let seenRows: Range<Int>
  /// The pixels of the stage for each step, one step after another.
  private let stages: FrameMemory
  private let stageByteCount: Int
  /// The stage's bytes in the frame, by plane.
  private let rectangles: [RawLayout.ByteRectangle]
  private let readout: RawReadout

  /// Prerenders `format`; `nil` if a simulated camera does not support it uncompressed.
  ///
  /// - Throws: `OvercrankError` with `cancelled` if `stop` cancels the drawing.
  init?(
    format: PixelFormat, width: Int, height: Int, conditions: SceneConditions, _ stop: DrawingStop
  ) throws(OvercrankError) {
    guard let layout = RawLayout(format: format, width: width, height: height) else { return nil }
    let scene = try Scene(
      width: width, height: height, isOther: conditions.isOtherScene, model: layout.model, stop)
    let frame = FrameMemory(count: layout.byteCount)
    var canvas = scene.still()
    try layout.pack(canvas, into: frame.base, stop)

    let rectangles = scene.stage.isEmpty ? [] : layout.planes.map { $0.bytes(of: scene.stage) }
    let stageByteCount = rectangles.reduce(0) { $0 + $1.byteCount }
    let stages = FrameMemory(count: Scene.steps * stageByteCount)
    for step in 0..<(scene.stage.isEmpty ? 0 : Scene.steps) {
      try stop.check()
      scene.draw(step: step, on: &canvas)
      layout.pack(canvas, scene.stage, into: frame.base)
      var saved = stages.base + step * stageByteCount
      for rectangle in rectangles {
        rectangle.gather(from: frame.base, to: saved)
        saved += rectangle.byteCount
      }
    }

    // Uses locals until all properties are set: when code reads a partly initialised `self`, the optimised
    // build frees memory that was never allocated.
    let lighting = conditions.brightness.map { Lighting($0, model: layout.model) }
    let noise = conditions.noise > 0 ? SensorNoise(sigma: conditions.noise, seed: conditions.seed) : nil
    let lit = FrameMemory(
      count: lighting.isEmpty && noise == nil && !conditions.hasFlashes ? 1 : layout.byteCount)
    self.lighting = lighting
    self.noise = noise
    self.seenRows = min(scene.readout.height, height)..<height
    self.lit = lit
    self.conditions = conditions
    self.layout = layout
    self.byteCount = layout.byteCount
    self.frame = frame
    self.stages = stages
    self.stageByteCount = stageByteCount
    self.rectangles = rectangles
    self.readout = RawReadout(scene.readout, layout: layout, width: width, height: height)
  }

  /// Composes frame `number` with white in the rows `white`; its bytes are valid until the next call.
  borrowing func compose(_ number: UInt32, white: [Range<Int>]) -> UnsafeRawBufferPointer {
    var saved = stages.base + Int(conditions.course(of: number) % UInt32(Scene.steps)) * stageByteCount
    for rectangle in rectangles {
      rectangle.scatter(saved, to: frame.base)
      saved += rectangle.byteCount
    }
    let isFlashed = conditions.hasFlashes && !white.isEmpty
    guard !lighting.isEmpty || noise != nil || isFlashed else {
      readout.write(number, to: frame.base, nil)
      return UnsafeRawBufferPointer(start: frame.base, count: byteCount)
    }
    let light = lighting.isEmpty ? nil : lighting[Int(number % UInt32(lighting.count))]
    if let light {
      light.light(frame.base, layout, to: lit.base)
    } else {
      lit.base.copyMemory(from: frame.base, byteCount: byteCount)
    }
    if let noise { readout.add(noise, to: lit.base, rows: seenRows, of: number) }
    if isFlashed { for rows in white { layout.whiten(rows.clamped(to: seenRows), of: lit.base) } }
    readout.write(number, to: lit.base, light)
    return UnsafeRawBufferPointer(start: lit.base, count: byteCount)
  }
}

/// A writer of the overlay onto uncompressed frames.
private struct RawReadout: ~Copyable {
  private let readout: FrameCounterOverlay
  /// The pixel rows of each line, clamped to the picture.
  private let lines: [Range<Int>]
  private let levels: FrameMemory
  private let width: Int
  private let stride: Int
  /// The byte offset of the first pixel's brightness, the bytes from one pixel to the next, and whether the
  /// brightness fills three channels.
  private let offset: Int
  private let step: Int
  private let isRGB: Bool

  init(_ readout: FrameCounterOverlay, layout: RawLayout, width: Int, height: Int) {
    self.readout = readout
    self.lines = readout.lines.map { $0.clamped(to: 0..<height) }
    self.levels = FrameMemory(count: readout.blocksPerLine)
    self.width = width
    // Every layout has the brightness in its first plane; the overlay's ground is grey, so the chroma stays
    // unchanged.
    let plane = layout.planes[0]
    self.stride = plane.stride
    self.offset = layout.model == .rgb ? 0 : plane.samples.firstIndex { $0.channel == 0 } ?? 0
    self.step = plane.samples.count / plane.across
    self.isRGB = layout.model == .rgb
  }

  borrowing func write(_ number: UInt32, to frame: UnsafeMutableRawPointer, _ lighting: Lighting?) {
    let levels = self.levels.base.assumingMemoryBound(to: UInt8.self)
    for line in lines.indices {
      readout.fill(line: line, number: number, into: levels)
      let rows = lines[line]
      let first = frame + rows.lowerBound * stride
      // The lamp does not light the strip.
      writeRow(
        levels, to: (first + offset).assumingMemoryBound(to: UInt8.self), line > 0 ? lighting : nil)
      for row in 1..<rows.count {
        (first + row * stride).copyMemory(from: first, byteCount: stride)
      }
    }
  }

  /// Adds noise to the brightness of `rows` of frame `number`.
  borrowing func add(
    _ noise: SensorNoise, to frame: UnsafeMutableRawPointer, rows: Range<Int>, of number: UInt32
  ) {
    for row in rows {
      let line = (frame + row * stride + offset).assumingMemoryBound(to: UInt8.self)
      noise.add(toRow: row, of: number, line, count: width, step: step, samples: isRGB ? 3 : 1)
    }
  }

  private borrowing func writeRow(
    _ levels: UnsafePointer<UInt8>, to row: UnsafeMutablePointer<UInt8>, _ lighting: Lighting?
  ) {
    for block in 0..<readout.blocksPerLine {
      let own = isRGB ? ColourModel.rgb.grey(luma: levels[block]).first : levels[block]
      let level = lighting?.luma[Int(own)] ?? own
      let first = block * FrameCounterOverlay.blockSize
      for pixel in first..<min(first + FrameCounterOverlay.blockSize, width) {
        let target = row + pixel * step
        target[0] = level
        if isRGB {
          target[1] = level
          target[2] = level
        }
      }
    }
  }
}
