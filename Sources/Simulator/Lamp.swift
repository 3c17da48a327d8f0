import Glibc
public import Timebase

/// A lamp on alternating current that lights a simulated camera's scene.
///
/// Its light peaks twice in each period of the mains: 100 times a second in most of the world, 120 in the
/// Americas.
public struct Lamp: Hashable, Sendable {
  /// The flicker frequency in hertz.
  public var hertz: Fraction
  /// The amplitude of the flicker relative to the mean brightness, from 0 to ``deepest``.
  public var depth: Double

  /// The maximum depth; a deeper flicker makes pictures too dark to recognise.
  public static let deepest = 0.6
  /// The default depth.
  public static let usualDepth = 0.2
  /// The exposure time of a simulated frame, in seconds.
  public static let exposure = 0.001
  /// The strength of the second harmonic relative to the fundamental.
  private static let harmonic = 0.15
  /// The maximum number of frames in a cycle of scene and light, because each of these is prerendered.
  private static let longestCycle: Int64 = 240

  /// Creates a lamp that flickers at `hertz`.
  public init(hertz: Fraction, depth: Double = usualDepth) {
    self.hertz = hertz
    self.depth = depth
  }

  /// Returns the brightness in each frame of a cycle after which scene and light repeat, relative to the
  /// lamp's maximum: above 0, at most 1.
  ///
  /// If they do not repeat within ``longestCycle`` frames, the frequency is rounded, by at most half a period
  /// in that many frames.
  ///
  /// - Parameter interval: Seconds from frame to frame.
  func brightness(interval: Fraction) -> [Double] {
    let (cycle, turns) = cycle(interval: interval)
    // The exposure averages the light, which attenuates the flicker.
    let open = Self.exposure * hertz.doubleValue
    let swing = depth * Self.softening(open)
    let harmonic = depth * Self.harmonic * Self.softening(2 * open)
    return (0..<cycle).map { frame in
      let phase = 2 * Double.pi * Double(frame * turns % cycle) / Double(cycle)
      return (1 + swing * cos(phase) + harmonic * cos(2 * phase)) / (1 + depth * (1 + Self.harmonic))
    }
  }

  /// Returns the number of frames in a cycle, and of the lamp's periods in it.
  private func cycle(interval: Fraction) -> (frames: Int64, turns: Int64) {
    let steps = Int64(Scene.steps)
    for frames in stride(from: steps, through: Self.longestCycle, by: Int(steps)) {
      let turns = hertz * interval * Fraction(frames)
      if turns.denominator == 1 { return (frames, turns.numerator) }
    }
    return (Self.longestCycle, (hertz * interval * Fraction(Self.longestCycle)).rounded)
  }

  /// Returns the attenuation of a cosine averaged over the part `open` of its period.
  private static func softening(_ open: Double) -> Double {
    open > 0 ? sin(.pi * open) / (.pi * open) : 1
  }
}

/// Lookup tables that apply a brightness to samples.
struct Lighting {
  /// The table for luma, and for red, green and blue.
  let luma: [UInt8]
  /// The table for Cb and Cr.
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

  /// Applies the light to `frame` of `layout` and writes the result to `target`, a frame of the same layout.
  func light(_ frame: UnsafeRawPointer, _ layout: RawLayout, to target: UnsafeMutableRawPointer) {
    for plane in layout.planes {
      let (count, step) = (plane.stride * plane.rows, plane.samples.count)
      let from = (frame + plane.offset).assumingMemoryBound(to: UInt8.self)
      let to = (target + plane.offset).assumingMemoryBound(to: UInt8.self)
      for (first, sample) in plane.samples.enumerated() {
        (sample.channel == 0 ? luma : chroma).withUnsafeBufferPointer { table in
          guard let table = table.baseAddress else { return }
          // A `while` loop, because this runs for every byte of every frame, in debug builds too.
          var index = first
          while index < count {
            to[index] = table[Int(from[index])]
            index += step
          }
        }
      }
    }
  }

  /// Applies the light to `count` values of luma in place.
  func light(_ levels: UnsafeMutablePointer<UInt8>, count: Int) {
    for index in 0..<count { levels[index] = luma[Int(levels[index])] }
  }
}
