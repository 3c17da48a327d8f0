internal import CALSA

/// A capture volume or switch of a card's mixer.
package struct CaptureSwitch: Hashable, Sendable {
  /// The mixer's name for it, such as `Mic` or `Capture`.
  package let name: String
  /// Whether the switch mutes all channels.
  package let isOff: Bool
  /// The volume from 0 to 1; `nil` if it has none.
  package let volume: Double?

  /// Creates a switch of these facts.
  package init(name: String, isOff: Bool, volume: Double?) {
    self.name = name
    self.isOff = isOff
    self.volume = volume
  }

  /// Returns the switches of card `card`; empty if it has none, or may not be opened.
  package static func all(ofCard card: Int) -> [CaptureSwitch] {
    CapturePCM.beQuiet()
    // libasound opens a mixer through its own configuration, which this checks.
    do throws(ALSAError) { _ = try PCMConfiguration(for: "hw:\(card)") } catch { return [] }
    var opened: OpaquePointer?
    guard snd_mixer_open(&opened, 0) >= 0, let mixer = opened else { return [] }
    defer { snd_mixer_close(mixer) }
    guard snd_mixer_attach(mixer, "hw:\(card)") >= 0, snd_mixer_selem_register(mixer, nil, nil) >= 0,
      snd_mixer_load(mixer) >= 0
    else { return [] }
    var found: [CaptureSwitch] = []
    var next = snd_mixer_first_elem(mixer)
    while let element = next {
      next = snd_mixer_elem_next(element)
      guard snd_mixer_selem_is_active(element) != 0, let name = snd_mixer_selem_get_name(element) else {
        continue
      }
      let hasSwitch = snd_mixer_selem_has_capture_switch(element) != 0
      let hasVolume = snd_mixer_selem_has_capture_volume(element) != 0
      guard hasSwitch || hasVolume else { continue }
      let channels = [SND_MIXER_SCHN_FRONT_LEFT, SND_MIXER_SCHN_FRONT_RIGHT].filter {
        snd_mixer_selem_has_capture_channel(element, $0) != 0
      }
      var isOn = !hasSwitch
      var loudest: Double?
      var (low, high) = (0, 0)
      snd_mixer_selem_get_capture_volume_range(element, &low, &high)
      for channel in channels {
        var (value, level) = (Int32(0), 0)
        if hasSwitch, snd_mixer_selem_get_capture_switch(element, channel, &value) >= 0, value != 0 {
          isOn = true
        }
        if hasVolume, high > low, snd_mixer_selem_get_capture_volume(element, channel, &level) >= 0 {
          loudest = max(loudest ?? 0, (Double(level) - Double(low)) / (Double(high) - Double(low)))
        }
      }
      found.append(CaptureSwitch(name: String(cString: name), isOff: !isOn, volume: loudest))
    }
    return found
  }
}
