public import AudioModel
import Platform
public import Timebase

/// A monitor of a session's audio: the newest samples and their levels, at a limited rate, best effort.
///
/// The audio thread fills a mailbox of one slot if it is empty; the client empties it on its own thread.
public final class AudioTap: Sendable {
  private struct State {
    var glimpse: AudioExcerpt?
    var lastLook: Instant?
    var isClosed = false
  }

  private let minimumInterval: Duration
  /// The listener for every sample; `nil` for a mailbox.
  private let hear: (@Sendable (AudioStretch) -> Void)?
  private let state = Monitor(State())

  /// Creates a tap that receives samples at most once every `minimumInterval`.
  public init(minimumInterval: Duration = .milliseconds(50)) {
    self.minimumInterval = minimumInterval
    hear = nil
  }

  /// Creates a tap that calls `hear` with all samples, on the audio thread. It may take some milliseconds, and
  /// must not block.
  init(_ hear: @escaping @Sendable (AudioStretch) -> Void) {
    minimumInterval = .zero
    self.hear = hear
  }

  /// Waits for the next samples; `nil` once the tap is closed.
  ///
  /// Blocks the calling thread.
  public func next() -> AudioExcerpt? {
    state.wait { state in
      if let glimpse = state.glimpse {
        state.glimpse = nil
        return .some(glimpse)
      }
      return state.isClosed ? .some(nil) : nil
    }
  }

  /// Returns the waiting samples without blocking; `nil` if there are none.
  public func poll() -> AudioExcerpt? {
    state.change { state in
      defer { state.glimpse = nil }
      return state.glimpse
    }
  }

  /// Closes the tap.
  public func close() { state.change { $0.isClosed = true } }

  /// Offers samples to the tap, which keeps them if its slot is empty and some are due. Returns whether the
  /// tap is still open.
  func offer(_ stretch: AudioStretch) -> Bool {
    let time = stretch.time
    var isOpen = true
    state.change(waits: false) { state in
      isOpen = !state.isClosed
      guard isOpen, hear == nil, state.glimpse == nil,
        state.lastLook.map({ time - $0 >= minimumInterval }) ?? true
      else { return false }
      state.lastLook = time
      state.glimpse = AudioExcerpt(stretch.bytes, at: time, stretch.format)
      return true
    }
    if isOpen { hear?(stretch) }
    return isOpen
  }
}

/// Samples on their way to the taps.
struct AudioStretch {
  /// The samples, interleaved.
  let bytes: [UInt8]
  /// The format of the samples.
  let format: AudioFormat
  /// The number of the first sample; skipped numbers are lost samples.
  let position: Int64
  /// The time of the first sample, on the session's clock.
  let time: Instant
  /// The device's samples a second, as far as known.
  let rate: Double

  /// Returns the time of a sample, by its number.
  func time(of number: Int64) -> Instant {
    time + .seconds(Double(number.subtracting(clamping: position)) / rate)
  }
}

/// A run of samples that a session recorded.
public struct AudioExcerpt: Hashable, Sendable {
  /// The samples, interleaved.
  public let bytes: [UInt8]
  /// The format of the samples.
  public let format: AudioFormat
  /// The time of the first sample, on the session's clock.
  public let time: Instant
  /// The level of each channel.
  public let levels: [Level]

  /// The level of a channel, where 1 is full scale.
  public struct Level: Hashable, Sendable {
    /// The peak magnitude.
    public var peak: Double
    /// The root mean square.
    public var mean: Double
  }

  init(_ bytes: [UInt8], at time: Instant, _ format: AudioFormat) {
    self.bytes = bytes
    self.time = time
    self.format = format
    var levels = Array(repeating: Level(peak: 0, mean: 0), count: format.channels)
    let size = format.numbers.byteCount
    let count = bytes.count / size
    bytes.withUnsafeBytes { bytes in
      for index in 0..<count {
        let value = format.numbers.value(in: bytes, at: index * size)
        let channel = index % format.channels
        levels[channel].peak = max(levels[channel].peak, value.magnitude)
        levels[channel].mean += value * value
      }
    }
    let samples = Double(max(1, count / format.channels))
    self.levels = levels.map { Level(peak: $0.peak, mean: ($0.mean / samples).squareRoot()) }
  }
}

extension SampleFormat {
  /// Returns the sample at `offset`, from -1 to 1.
  func value(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Double {
    switch self {
    case .s16:
      return Double(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))) / 0x1p15
    case .s24:
      let bits =
        UInt32(bytes[offset]) << 8 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 24
      return Double(Int32(bitPattern: bits)) / 0x1p31
    case .s32:
      return Double(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))) / 0x1p31
    case .float:
      let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      return Double(Float(bitPattern: bits))
    }
  }
}
