import AudioModel
import Glibc
import Timebase

/// The audio that a simulated microphone hears, in its device's format.
struct ClickSound {
  /// The interval between clicks in frames: frames whose number is a multiple of this click.
  static let interval: Int64 = 120
  /// The duration of a click.
  static let duration = Duration.milliseconds(5)
  /// The frequency of a click in hertz.
  private static let pitch = 2000.0
  /// The peak level of a click, -6 dBFS, and the RMS level of the noise, -60 dBFS.
  private static let (clickLevel, noiseLevel) = (pow(10, -6.0 / 20), pow(10, -60.0 / 20))

  private let format: AudioFormat
  /// A second of noise, which repeats.
  private let noise: [UInt8]
  private let click: [UInt8]

  init(_ format: AudioFormat) {
    self.format = format
    let random = FrameNoise(seed: 0, stream: 5)
    // A uniform distribution from -a to a has an RMS level of a / sqrt(3).
    let reach = Self.noiseLevel * 3.0.squareRoot()
    var noise: [UInt8] = []
    for number in 0..<format.rate * format.channels {
      let chance = Double(random.value(of: Int64(number)) >> 11) / Double(1 << 53)
      Self.append((2 * chance - 1) * reach, format.numbers, to: &noise)
    }
    self.noise = noise
    var click: [UInt8] = []
    for number in 0..<format.sampleCount(in: Self.duration) {
      let value = Self.clickLevel * sin(2 * .pi * Self.pitch * Double(number) / Double(format.rate))
      for _ in 0..<format.channels { Self.append(value, format.numbers, to: &click) }
    }
    self.click = click
  }

  private static func append(_ value: Double, _ format: SampleFormat, to bytes: inout [UInt8]) {
    func append(_ number: some FixedWidthInteger, _ count: Int) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0.prefix(count)) }
    }
    switch format {
    case .s16: append(Int16(clamping: (value * 0x1p15).rounded()), 2)
    case .s24: append(Int32(clamping: (value * 0x1p23).rounded()), 3)
    case .s32: append(Int32(clamping: (value * 0x1p31).rounded()), 4)
    case .float: append(Float(value).bitPattern, 4)
    }
  }

  /// Replaces `bytes` with the noise of `samples`.
  func noise(_ samples: Range<Int64>, into bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    var place = Int(samples.lowerBound % Int64(format.rate)) * format.sampleBytes
    var rest = samples.count * format.sampleBytes
    while rest > 0 {
      let piece = min(rest, noise.count - place)
      bytes.append(contentsOf: noise[place..<place + piece])
      rest -= piece
      place = 0
    }
  }

  /// Copies the part of the click starting at sample `start` that overlaps `samples` into `bytes`, which hold
  /// these samples.
  func click(from start: Int64, _ samples: Range<Int64>, into bytes: inout [UInt8]) {
    let end = start.adding(clamping: Int64(click.count / format.sampleBytes))
    let from = max(start, samples.lowerBound)
    let to = min(end, samples.upperBound)
    guard from < to else { return }
    let size = format.sampleBytes
    let source = Int(from - start) * size..<Int(to - start) * size
    let place = Int(from - samples.lowerBound) * size
    bytes.replaceSubrange(place..<place + source.count, with: click[source])
  }
}
