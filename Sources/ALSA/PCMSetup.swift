import AudioModel
internal import CALSA
import SystemPackage
import Timebase

/// The settings of a device for capture: `snd_pcm_hw_params` and `snd_pcm_sw_params`.
struct PCMSetup {
  let format: AudioFormat
  /// Whether 24 bits come in four bytes.
  let isPadded: Bool
  let bufferSamples: Int
  let stampsMonotonic: Bool

  private struct Numbers {
    var alsa: snd_pcm_format_t
    var format: SampleFormat
    var isPadded = false
  }

  /// The formats, the finest first: a device with only 16 bits offers no more, and plugins convert without
  /// loss.
  private static let numbers = [
    Numbers(alsa: SND_PCM_FORMAT_S32_LE, format: .s32), Numbers(alsa: SND_PCM_FORMAT_S24_3LE, format: .s24),
    Numbers(alsa: SND_PCM_FORMAT_S24_LE, format: .s24, isPadded: true),
    Numbers(alsa: SND_PCM_FORMAT_FLOAT_LE, format: .float),
    Numbers(alsa: SND_PCM_FORMAT_S16_LE, format: .s16),
  ]
  /// The usual rates of video, the most common first.
  private static let rates: [UInt32] = [48_000, 44_100, 96_000]

  /// Returns a remedy with a name for which libasound converts the audio of `name`.
  private static func remedy(_ name: String) -> String {
    if name.hasPrefix("hw:") { return "Use \"plug\(name)\", which converts." }
    if !name.contains(":") { return "Use \"plug:\(name)\", which converts." }
    return "Use a \"plughw:\" device, which converts."
  }

  init(
    _ handle: OpaquePointer, _ name: String, buffer: Duration, period: Duration
  ) throws(ALSAError) {
    func check(_ result: Int32, _ call: String) throws(ALSAError) {
      guard result >= 0 else { throw .call(call, on: name, Errno(rawValue: -result)) }
    }
    var allocated: OpaquePointer?
    try check(snd_pcm_hw_params_malloc(&allocated), "snd_pcm_hw_params_malloc")
    defer { snd_pcm_hw_params_free(allocated) }
    let params = allocated
    try check(snd_pcm_hw_params_any(handle, params), "snd_pcm_hw_params_any")
    // The device's own rate; a resampler of libasound would hide its clock.
    _ = snd_pcm_hw_params_set_rate_resample(handle, params, 0)
    try check(
      snd_pcm_hw_params_set_access(handle, params, SND_PCM_ACCESS_RW_INTERLEAVED),
      "snd_pcm_hw_params_set_access")
    guard
      let numbers = Self.numbers.first(where: { snd_pcm_hw_params_test_format(handle, params, $0.alsa) == 0 })
    else {
      throw ALSAError(
        device: name, .unsupported, call: "snd_pcm_hw_params_test_format", errno: .invalidArgument,
        "It delivers neither 16, 24 or 32 bits nor floating point. \(Self.remedy(name))")
    }
    try check(snd_pcm_hw_params_set_format(handle, params, numbers.alsa), "snd_pcm_hw_params_set_format")
    var rate = Self.rates.first { snd_pcm_hw_params_test_rate(handle, params, $0, 0) == 0 } ?? Self.rates[0]
    try check(snd_pcm_hw_params_set_rate_near(handle, params, &rate, nil), "snd_pcm_hw_params_set_rate_near")
    // Stereo if the device can do so, and otherwise the nearest number of channels that it has.
    var channels: UInt32 = 2
    try check(
      snd_pcm_hw_params_set_channels_near(handle, params, &channels), "snd_pcm_hw_params_set_channels_near")
    var bufferTime = UInt32(clamping: buffer.wholeNanoseconds / 1000)
    try check(
      snd_pcm_hw_params_set_buffer_time_near(handle, params, &bufferTime, nil),
      "snd_pcm_hw_params_set_buffer_time_near")
    var periodTime = UInt32(clamping: period.wholeNanoseconds / 1000)
    try check(
      snd_pcm_hw_params_set_period_time_near(handle, params, &periodTime, nil),
      "snd_pcm_hw_params_set_period_time_near")
    try check(snd_pcm_hw_params(handle, params), "snd_pcm_hw_params")
    var (bufferSize, periodSize) = (snd_pcm_uframes_t(0), snd_pcm_uframes_t(0))
    try check(snd_pcm_hw_params_get_buffer_size(params, &bufferSize), "snd_pcm_hw_params_get_buffer_size")
    try check(
      snd_pcm_hw_params_get_period_size(params, &periodSize, nil), "snd_pcm_hw_params_get_period_size")
    guard let format = AudioFormat(numbers.format, rate: Int(rate), channels: Int(channels)),
      (1...1 << 24).contains(bufferSize)
    else {
      throw ALSAError(
        device: name, .unsupported, call: "snd_pcm_hw_params", errno: .invalidArgument,
        "It claims \(channels) channels at \(rate) Hz in a buffer of \(bufferSize) samples, which is impossible."
      )
    }
    self.format = format
    isPadded = numbers.isPadded
    bufferSamples = Int(bufferSize)

    var allocatedSoftware: OpaquePointer?
    try check(snd_pcm_sw_params_malloc(&allocatedSoftware), "snd_pcm_sw_params_malloc")
    defer { snd_pcm_sw_params_free(allocatedSoftware) }
    let software = allocatedSoftware
    try check(snd_pcm_sw_params_current(handle, software), "snd_pcm_sw_params_current")
    try check(
      snd_pcm_sw_params_set_avail_min(handle, software, periodSize), "snd_pcm_sw_params_set_avail_min")
    try check(
      snd_pcm_sw_params_set_tstamp_mode(handle, software, SND_PCM_TSTAMP_ENABLE),
      "snd_pcm_sw_params_set_tstamp_mode")
    // A plugin ignores unknown settings, so the value in force is read back.
    _ = snd_pcm_sw_params_set_tstamp_type(handle, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try check(snd_pcm_sw_params(handle, software), "snd_pcm_sw_params")
    var type = SND_PCM_TSTAMP_TYPE_GETTIMEOFDAY
    let told = snd_pcm_sw_params_get_tstamp_type(software, &type)
    stampsMonotonic = told >= 0 && type == SND_PCM_TSTAMP_TYPE_MONOTONIC
  }
}
