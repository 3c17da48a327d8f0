import Glibc
public import Timebase

/// A lamp on alternating current, which lights what a simulated camera films.
///
/// Its light swings twice in each period of the mains: 100 times a second in most of the world, 120 in the Americas.
public struct Lamp: Hashable, Sendable {
  /// Swings of its light a second.
  public var hertz: Fraction
  /// How far the light swings around its mean, as a part of that, from 0 to ``deepest``.
  public var depth: Double

  /// The light of a lamp that swings deeper is too dark for a picture to be told.
  public static let deepest = 0.6
  /// The depth where none is given.
  public static let usualDepth = 0.2
  /// How long a simulated sensor exposes a frame, in seconds.
  public static let exposure = 0.001
  /// How strong a lamp's second harmonic is beside its swing.
  private static let harmonic = 0.15
  /// The most frames after which picture and light together are what they were: each of these is drawn ahead.
  private static let longestCycle: Int64 = 240

  /// A lamp of so many swings a second.
  public init(hertz: Fraction, depth: Double = usualDepth) {
    self.hertz = hertz
    self.depth = depth
  }

  /// How bright the lamp is in each frame of a cycle after which scene and light repeat, next to its brightest: above 0,
  /// at most 1.
  ///
  /// Where they would not repeat within ``longestCycle`` frames, the lamp is off its frequency by at most half a swing in
  /// so many frames.
  ///
  /// - Parameter interval: Seconds from frame to frame.
  func brightness(interval: Fraction) -> [Double] {
    let (cycle, turns) = cycle(interval: interval)
    // Light is gathered while the shutter is open, which softens its swing.
    let open = Self.exposure * hertz.doubleValue
    let swing = depth * Self.softening(open)
    let harmonic = depth * Self.harmonic * Self.softening(2 * open)
    return (0..<cycle).map { frame in
      let phase = 2 * Double.pi * Double(frame * turns % cycle) / Double(cycle)
      return (1 + swing * cos(phase) + harmonic * cos(2 * phase)) / (1 + depth * (1 + Self.harmonic))
    }
  }

  /// Frames of a cycle, and the lamp's swings in it.
  private func cycle(interval: Fraction) -> (frames: Int64, turns: Int64) {
    let steps = Int64(Scene.steps)
    for frames in stride(from: steps, through: Self.longestCycle, by: Int(steps)) {
      let turns = hertz * interval * Fraction(frames)
      if turns.denominator == 1 { return (frames, turns.numerator) }
    }
    return (Self.longestCycle, (hertz * interval * Fraction(Self.longestCycle)).rounded)
  }

  /// The mean of a cosine over a part `open` of its period, next to its middle.
  private static func softening(_ open: Double) -> Double {
    open > 0 ? sin(.pi * open) / (.pi * open) : 1
  }
}

/// What a lamp of some brightness makes of each value of a sample.
struct Lighting {
  /// For luma, and for red, green and blue.
  let luma: [UInt8]
  /// For Cb and Cr.
  let chroma: [UInt8]

  init(_ brightness: Double, model: ColourModel) {
    let black = model == .limitedRange ? 16.0 : 0
    let lit = { (value: Int, centre: Double) in
      UInt8(clamping: (centre + (Double(value) - centre) * brightness).rounded())
    }
    let luma = (0...255).map { lit($0, black) }
    self.luma = luma
    self.chroma = model == .rgb ? luma : (0...255).map { lit($0, 128) }
  }

  /// Lights `frame` of `layout` into `target`, another frame of it.
  func light(_ frame: UnsafeRawPointer, _ layout: RawLayout, to target: UnsafeMutableRawPointer) {
    for plane in layout.planes {
      let (count, step) = (plane.stride * plane.rows, plane.samples.count)
      let from = (frame + plane.offset).assumingMemoryBound(to: UInt8.self)
      let to = (target + plane.offset).assumingMemoryBound(to: UInt8.self)
      for (first, sample) in plane.samples.enumerated() {
        (sample.channel == 0 ? luma : chroma).withUnsafeBufferPointer { table in
          guard let table = table.baseAddress else { return }
          // Every byte of every frame passes here, in debug builds too.
          var index = first
          while index < count {
            to[index] = table[Int(from[index])]
            index += step
          }
        }
      }
    }
  }

  /// Lights `count` values of luma where they are.
  func light(_ levels: UnsafeMutablePointer<UInt8>, count: Int) {
    for index in 0..<count { levels[index] = luma[Int(levels[index])] }
  }
}
