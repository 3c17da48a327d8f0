package import AudioModel
internal import CALSA
import Glibc
import SystemPackage
package import Timebase

/// A PCM device that is open for capture, interleaved, in a format of its own.
///
/// The owner of a `snd_pcm_t`. Use from one thread at a time.
package final class CapturePCM {
  /// The device as libasound names it, such as `hw:1,0` or `default`.
  package let name: String
  /// The format of its samples. 24 bits are packed in three bytes, however the device stores them.
  package let format: AudioFormat
  /// The number of samples that the device holds before it loses one.
  package let bufferSamples: Int
  /// Whether it stamps with `CLOCK_MONOTONIC`; if not, ``next(within:_:)`` reads the clock itself.
  package let stampsMonotonic: Bool

  private let handle: OpaquePointer
  private let isPadded: Bool
  private var memory: [UInt8]

  /// The outcome of waiting.
  package enum Outcome: Hashable, Sendable {
    /// This number of samples was lent.
    case samples(Int)
    /// No samples came in the given time.
    case nothing
    /// The device lost samples, or was suspended, and was restarted.
    case restarted
  }

  /// Opens the device `name` with the best format that it has.
  ///
  /// - Parameters:
  ///   - name: ALSA's name of it, such as `hw:1,0`; it must not contain anything that libasound would
  ///     interpret, and must stand for a device or a sound server.
  ///   - buffer: the requested length of its buffer.
  ///   - period: the requested interval of delivery.
  /// - Throws: `ALSAError`.
  package init(
    _ name: String, buffer: Duration = .seconds(1), period: Duration = .milliseconds(10)
  ) throws(ALSAError) {
    Self.beQuiet()
    let name = try PCMName(name)
    let handle = try PCMConfiguration(for: name.text).open(name)
    do throws(ALSAError) {
      let setup = try PCMSetup(handle, name.text, buffer: buffer, period: period)
      self.name = name.text
      self.handle = handle
      format = setup.format
      isPadded = setup.isPadded
      bufferSamples = setup.bufferSamples
      stampsMonotonic = setup.stampsMonotonic
      memory = Array(
        repeating: 0,
        count: setup.bufferSamples * (setup.isPadded ? 4 * setup.format.channels : setup.format.sampleBytes))
    } catch {
      snd_pcm_close(handle)
      throw error
    }
  }

  deinit { snd_pcm_close(handle) }

  /// Returns whether ALSA's configuration of this machine and user defines a device `name`.
  package static func isDefined(_ name: String) -> Bool {
    beQuiet()
    guard let name = try? PCMName(name), let configuration = try? PCMConfiguration(for: name.text) else {
      return false
    }
    return configuration.defines(name)
  }

  /// Returns whether `name` leads to a device or a sound server, which may be busy or forbidden.
  package static func leadsToDevice(_ name: String) -> Bool {
    beQuiet()
    guard let name = try? PCMName(name), let configuration = try? PCMConfiguration(for: name.text) else {
      return false
    }
    return (try? configuration.check(name)) != nil
  }

  /// Keeps libasound's messages off standard error; takes effect once.
  static func beQuiet() { _ = quiet }
  private static let quiet: Void = calsa_be_quiet()

  /// Starts the device: `snd_pcm_start`.
  package func start() throws(ALSAError) { try check(snd_pcm_start(handle), "snd_pcm_start") }

  /// Stops the device at once: `snd_pcm_drop`.
  package func stop() { snd_pcm_drop(handle) }

  /// Waits at most `timeout` for samples and lends those that are available.
  ///
  /// - Parameters:
  ///   - timeout: the longest wait.
  ///   - body: receives their bytes, the number of further samples that the device had heard, and the time of
  ///     that, on `CLOCK_MONOTONIC`.
  /// - Throws: `ALSAError` with `disconnected` once the device is gone.
  package func next(
    within timeout: Duration, _ body: (UnsafeRawBufferPointer, _ waiting: Int, _ time: Instant) -> Void
  ) throws(ALSAError) -> Outcome {
    let waited = snd_pcm_wait(handle, timeout.pollMilliseconds)
    if waited == 0 { return .nothing }
    // For a moment before an unplugged device reports so, waiting for it fails with EIO; a read gets the real
    // error.
    if waited < 0, waited != -EIO { return try recover(waited, "snd_pcm_wait") }
    // Both values are from the driver's last interrupt: a new request would be late by what the hardware has
    // not reported yet.
    var (available, stamp) = (snd_pcm_uframes_t(0), snd_htimestamp_t())
    let told = snd_pcm_htimestamp(handle, &available, &stamp)
    let now = Self.monotonicNow
    let count = memory.withUnsafeMutableBytes { memory in
      let room = min(snd_pcm_uframes_t(max(1, told >= 0 ? available : 1)), snd_pcm_uframes_t(bufferSamples))
      return snd_pcm_readi(handle, memory.baseAddress, room)
    }
    if waited == -EIO, count == 0 || count == -snd_pcm_sframes_t(EAGAIN) {
      throw .call("snd_pcm_wait", on: name, .ioError)
    }
    guard count >= 0 else { return try recover(Int32(clamping: count), "snd_pcm_readi") }
    guard count > 0 else { return .nothing }
    var time = Instant(
      nanoseconds: Int64(stamp.tv_sec).multiplied(clamping: 1_000_000_000)
        .adding(clamping: Int64(stamp.tv_nsec)))
    var waiting = max(0, Int(clamping: available) - count)
    // Some plugins set no timestamp, or one of another clock: then the samples had been heard by now, at the
    // latest.
    if told < 0 || !stampsMonotonic || time > now || now - time > .seconds(5) { (time, waiting) = (now, 0) }
    let samples = count
    if isPadded { pack(samples) }
    memory.withUnsafeBytes { bytes in
      body(UnsafeRawBufferPointer(rebasing: bytes[..<(samples * format.sampleBytes)]), waiting, time)
    }
    return .samples(samples)
  }

  /// Removes the fourth byte of each number.
  private func pack(_ samples: Int) {
    for number in 1..<max(1, samples * format.channels) {
      for byte in 0..<3 { memory[3 * number + byte] = memory[4 * number + byte] }
    }
  }

  /// Restarts the device after an overrun or a suspension.
  private func recover(_ error: Int32, _ call: String) throws(ALSAError) -> Outcome {
    switch -error {
    case EAGAIN, EINTR: return .nothing
    case EPIPE: break
    case ESTRPIPE:
      // The machine was suspended. Not all devices can resume.
      let resumed = snd_pcm_resume(handle)
      if resumed == -EAGAIN { return .nothing }
      if resumed >= 0 { return .restarted }
    default: throw .call(call, on: name, Errno(rawValue: -error))
    }
    try check(snd_pcm_prepare(handle), "snd_pcm_prepare")
    try start()
    return .restarted
  }

  private func check(_ result: Int32, _ call: String) throws(ALSAError) {
    guard result >= 0 else { throw .call(call, on: name, Errno(rawValue: -result)) }
  }

  private static var monotonicNow: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
