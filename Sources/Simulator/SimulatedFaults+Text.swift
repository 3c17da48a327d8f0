import CameraModel
import Cameras
public import Timebase

extension SimulatedFaults {
  private enum Key: String, CaseIterable {
    case drop, corrupt, flagged, huffman, jitter, rate, accept, stall, disconnect, fail, flicker, light, rest,
      scene, noise, buffers, clock, phase, ppm, stamp, flash, rows, stream,
      seed

    /// Whether the key may be given several times.
    var repeats: Bool { self == .flash }

    /// A one-line description of the key.
    var help: String {
      switch self {
      case .drop: "drop=FRAMES: these frames are lost before the driver (50, 100-109+200, 2%)"
      case .corrupt: "corrupt=FRAMES: these frames are cut off in the middle"
      case .flagged: "flagged=FRAMES: these frames are whole, but flagged as damaged"
      case .huffman: "huffman=missing: JPEGs have no Huffman tables"
      case .jitter: "jitter=1ms: frames arrive up to this late"
      case .rate: "rate=200: the sensor reaches at most this rate"
      case .accept: "accept=60: the driver accepts at most this rate (60@1920x1080: at one size)"
      case .stall: "stall=2s@100: the sensor stalls before a frame"
      case .disconnect: "disconnect=100: the camera is unplugged before a frame"
      case .fail: "fail=100:2: the driver fails before a frame, and at this many starts after that"
      case .flicker: "flicker=100: the light flickers this often a second (100:0.3: by 30 %)"
      case .light:
        "light=torch: the scene is dark unless this light is on (torch, illuminator; flash: it only flashes)"
      case .rest: "rest=3s: the scene, but not the frame number, is still at first"
      case .scene: "scene=3s: the scene changes this long after the start"
      case .noise: "noise=4: the sensor's noise has this standard deviation, in steps of luma"
      case .buffers: "buffers=4: the driver has this many buffers, 1 to 32"
      case .clock:
        "clock=virtual: time is simulated too: as fast as the machine allows, and a slow machine loses no frames"
      case .phase:
        "phase=2ms: the first frame comes this long after the epoch that all simulated cameras share"
      case .ppm: "ppm=50: the camera's clock runs this much fast, in millionths"
      case .stamp: "stamp=7ms: all timestamps are this much late"
      case .flash: "flash=1s: a flash whitens what is exposed this long after the epoch; may be repeated"
      case .rows: "rows=30us: each row is exposed this long after the one above"
      case .stream: "stream=FILE: modes of compressed streams, such as VP80, send the frames of this file"
      case .seed: "seed=7: another random sequence"
      }
    }
  }

  /// The help text: one line per key.
  public static let help = Key.allCases.map(\.help).joined(separator: "\n")

  /// Reads `KEY=VALUE` pairs joined by commas, each key but `flash` at most once; an empty text means no
  /// faults.
  ///
  /// | pair | effect |
  /// |---|---|
  /// | `drop=FRAMES` | the frames are lost before the driver: gaps in the sequence |
  /// | `corrupt=FRAMES` | the frames are truncated in the middle; the driver does not flag them |
  /// | `flagged=FRAMES` | the frames are complete, but flagged as damaged |
  /// | `huffman=missing` | JPEGs have no Huffman tables |
  /// | `jitter=DURATION` | frames are late by up to this much |
  /// | `rate=RATE` | the sensor's highest rate |
  /// | `accept=RATES` | the highest rate that the driver accepts: `60`, or `60@1920x1080+30@1280x720` |
  /// | `stall=DURATION@FRAME` | the sensor pauses before the frame |
  /// | `disconnect=FRAME` | the camera is unplugged before the frame |
  /// | `fail=FRAME` | the driver fails before the frame; `100:2` fails at the next two starts too |
  /// | `flicker=HERTZ` | the light flickers at this frequency, by 20 % around its mean; `100:0.3` by 30 % |
  /// | `light=KIND` | the scene is dark while the camera's light is off: a `torch` or an `illuminator`; a `flash` cannot stay on |
  /// | `rest=DURATION` | the scene, but not its number, is still at first, to the pixel |
  /// | `scene=DURATION` | the camera shows another scene after this time |
  /// | `noise=SIGMA` | the standard deviation of the sensor's noise, in steps of luma |
  /// | `buffers=N` | the number of the driver's buffers, 1 to 32 |
  /// | `clock=virtual` | time is virtual: frames come as fast as they are taken, with real-time timestamps |
  /// | `phase=DURATION` | the time from the common epoch to the first frame |
  /// | `ppm=DEVIATION` | how fast the camera's clock runs, in millionths, from -10000 to 10000 |
  /// | `stamp=DURATION` | the error of all timestamps; may be negative |
  /// | `flash=DURATION` | a flash at this time after the epoch; may be repeated |
  /// | `rows=DURATION` | the line time of the rolling shutter |
  /// | `stream=FILE` | modes of compressed streams send the frames of this file, again and again |
  /// | `seed=N` | another random sequence |
  ///
  /// FRAMES are numbers, ranges and shares joined by `+`: `50`, `100-109+200`, `2%`. `accept` overrides what
  /// the driver claims; with a size, it applies only to that size. After `fail`, the camera stays connected.
  public init(text: String) throws(QuantityError) {
    self.init()
    var seen: Set<Key> = []
    for pair in text.split(separator: ",", omittingEmptySubsequences: false) where !text.isEmpty {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let key = Key(rawValue: String(parts[0])) else {
        let keys = Key.allCases.map(\.rawValue)
        let meant = keys.near(String(parts[0])).first.map { " (did you mean \($0)=?)" } ?? ""
        throw QuantityError(
          String(pair),
          expected: "a fault of a simulated camera\(meant); the faults are "
            + keys.map { $0 + "=" }.joined(separator: ", "))
      }
      guard seen.insert(key).inserted || key.repeats else {
        throw QuantityError(String(pair), expected: "allowed: \(key.rawValue)= can be given only once")
      }
      do throws(QuantityError) {
        try set(key, to: String(parts[1]))
      } catch {
        throw QuantityError(String(pair), expected: "a fault: \(key.rawValue)= takes \(error.expectation)")
      }
    }
  }

  private mutating func set(_ key: Key, to value: String) throws(QuantityError) {
    switch key {
    case .drop: dropped = try FrameSelection(text: value)
    case .corrupt: corrupt = try FrameSelection(text: value)
    case .flagged: flagged = try FrameSelection(text: value)
    case .huffman:
      guard value == "missing" else { throw QuantityError(value, expected: "the word missing") }
      huffmanTables = false
    case .jitter: jitter = try Duration(text: value)
    case .rate: rate = try FrameRate(text: value)
    case .accept:
      accepted = try value.split(separator: "+", omittingEmptySubsequences: false).map(Self.accepted)
    case .stall: stall = try Self.stall(value)
    case .disconnect: disconnect = try Self.frame(value)
    case .fail: failure = try Self.failure(value)
    case .flicker: lamp = try Self.lamp(value)
    case .light:
      guard let kind = CameraLight(rawValue: value) else {
        throw QuantityError(
          value, expected: "one of the words " + CameraLight.allCases.map(\.rawValue).joined(separator: ", "))
      }
      light = kind
    case .rest: rest = try Duration(text: value)
    case .scene: sceneDuration = try Duration(text: value)
    case .noise:
      guard let sigma = Double(value), (0...SceneConditions.mostNoise).contains(sigma) else {
        throw QuantityError(
          value, expected: "steps of luma, from 0 to \(Int(SceneConditions.mostNoise)), such as 4 or 2.5")
      }
      noise = sigma
    case .buffers:
      guard let count = Int(value), (1...Self.mostBuffers).contains(count) else {
        throw QuantityError(value, expected: "a number of buffers from 1 to \(Self.mostBuffers)")
      }
      bufferCount = count
    case .clock:
      guard value == "virtual" else { throw QuantityError(value, expected: "the word virtual") }
      isInVirtualTime = true
    case .phase: phase = try Duration(text: value)
    case .ppm:
      guard let deviation = Self.signed(value, { Fraction(text: $0) }, negated: { Fraction(0) - $0 }),
        deviation.magnitude <= Self.largestDeviation
      else {
        throw QuantityError(
          value,
          expected: "the millionths by which the clock is fast, from -10000 to 10000, such as 50 or -12.5")
      }
      clockDeviation = deviation
    case .stamp:
      guard let error = Self.signed(value, { try? Duration(text: $0) }, negated: { .zero - $0 }) else {
        throw QuantityError(value, expected: "a duration, such as 7ms or -7ms")
      }
      stampError = error
    case .flash:
      guard flashes.count < Self.mostFlashes else {
        throw QuantityError(value, expected: "one of at most \(Self.mostFlashes) flashes")
      }
      flashes.append(try Duration(text: value))
    case .rows: lineTime = try Duration(text: value)
    case .stream:
      guard !value.isEmpty else { throw QuantityError(value, expected: "a file of frames") }
      recording = value
    case .seed:
      guard let number = UInt64(value) else { throw QuantityError(value, expected: "a whole number") }
      seed = number
    }
  }

  /// The largest deviation of a clock, in millionths; crystals are a hundred times better.
  private static let largestDeviation = Fraction(10_000)
  /// The maximum number of flashes, since each is looked at for each frame.
  private static let mostFlashes = 1000

  /// Reads a number that a minus sign may precede.
  private static func signed<Value>(
    _ text: String, _ read: (String) -> Value?, negated: (Value) -> Value
  ) -> Value? {
    text.hasPrefix("-") ? read(String(text.dropFirst())).map(negated) : read(text)
  }

  private static func accepted(_ text: Substring) throws(QuantityError) -> AcceptedRate {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard let rate = parts.first.flatMap({ try? FrameRate(text: String($0)) }) else {
      throw QuantityError(String(text), expected: "rates, such as 60 or 60@1920x1080+30@1280x720")
    }
    guard parts.count > 1 else { return AcceptedRate(rate: rate) }
    let sides = parts[1].split(separator: "x", omittingEmptySubsequences: false).map { UInt32($0) }
    guard parts.count == 2, sides.count == 2, let width = sides[0], let height = sides[1] else {
      throw QuantityError(String(text), expected: "rates, such as 60 or 60@1920x1080+30@1280x720")
    }
    return AcceptedRate(rate: rate, size: Dimensions(width: width, height: height))
  }

  private static func stall(_ text: String) throws(QuantityError) -> Stall {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw QuantityError(text, expected: "a duration and a frame, such as 2s@100")
    }
    let duration = try Duration(text: String(parts[0]))
    return Stall(frame: try frame(String(parts[1])), duration: duration)
  }

  private static func failure(_ text: String) throws(QuantityError) -> DriverFailure {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let frame = parts.first.flatMap({ UInt32($0) }),
      let restarts = parts.count == 2 ? UInt16(parts[1]) : 0, parts.count <= 2
    else {
      throw QuantityError(
        text, expected: "a frame and the number of starts that fail after it, such as 100 or 100:2")
    }
    return DriverFailure(frame: Int64(frame), restarts: Int(restarts))
  }

  private static func lamp(_ text: String) throws(QuantityError) -> Lamp {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let hertz = parts.first.flatMap { Fraction(text: String($0)) }
    let depth = parts.count == 2 ? Double(parts[1]) : Lamp.usualDepth
    guard parts.count <= 2, let hertz, let depth, hertz > Fraction(0), hertz <= Fraction(1000),
      (0...Lamp.deepest).contains(depth)
    else {
      throw QuantityError(
        text,
        expected:
          "the light's flickers per second, up to 1000, and their depth, up to \(Lamp.deepest), such as 100 "
          + "or 100:0.3")
    }
    return Lamp(hertz: hertz, depth: depth)
  }

  private static func frame(_ text: String) throws(QuantityError) -> Int64 {
    guard let number = UInt32(text) else { throw QuantityError(text, expected: "the number of a frame") }
    return Int64(number)
  }
}
