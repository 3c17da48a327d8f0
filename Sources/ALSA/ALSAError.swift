internal import CALSA
import Glibc
package import SystemPackage

/// A failed call of libasound, with the device, the cause and the remedy.
package struct ALSAError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A kind of failure.
  package enum Code: Hashable, Sendable {
    /// There is no such device.
    case noDevice
    /// The name is not that of a microphone.
    case badName
    /// This user may not open it.
    case noPermission
    /// Another program is using it.
    case busy
    /// The device does not support the request.
    case unsupported
    /// The device was unplugged, or its driver unloaded.
    case disconnected
    /// The device, its driver or a plugin failed.
    case failed
  }

  /// The kind of failure.
  package let code: Code
  /// The device as libasound names it, such as `hw:1,0`.
  package let device: String
  /// The call, such as `snd_pcm_open`; `nil` if none was made.
  package let call: String?
  /// The error that the call returned; `nil` if none was made.
  package let errno: Errno?
  /// The meaning in this case and the remedy, in whole sentences.
  package let meaning: String

  /// `hw:1,0: snd_pcm_open failed: Device or resource busy (errno 16). Another program ...`
  package var description: String {
    guard let call, let errno else {
      return "\(String(reflecting: device).replacing("\\'", with: "'")) \(meaning)"
    }
    return "\(device): \(call) failed: \(errno) (errno \(errno.rawValue)). \(meaning)"
  }

  /// Creates the refusal of a name that is not passed to libasound; `reason` is the rest of a sentence that
  /// begins with it.
  init(refusing device: String, _ reason: String) {
    self.device = device
    code = .badName
    call = nil
    errno = nil
    meaning = "\(reason) Use a device such as hw:1,0, default, pulse, pipewire, or a part of a card's name."
  }

  init(device: String, _ code: Code, call: String, errno: Errno, _ meaning: String) {
    self.device = device
    self.code = code
    self.call = call
    self.errno = errno
    self.meaning = meaning
  }

  /// Returns the error of a failed `snd_pcm_open` of a device for capture. The errors are those of open(2) on
  /// `/dev/snd/pcm*c`, and a plugin's own if the name is that of one.
  static func open(_ device: String, _ errno: Errno) -> ALSAError {
    let (code, meaning): (Code, String) =
      switch errno {
      case .noSuchFileOrDirectory, .noSuchAddressOrDevice, .operationNotSupportedByDevice:
        (
          .noDevice,
          "There is no such device, or it cannot record; \"cat /proc/asound/pcm\" lists the existing ones."
        )
      case .invalidArgument: (.noDevice, "libasound has no device of this name.")
      case .permissionDenied, .notPermitted:
        (
          .noPermission,
          "This user may not open it. Join the group that may: sudo usermod -aG audio $USER, then log in again."
        )
      case .resourceBusy, .resourceTemporarilyUnavailable:
        (
          .busy,
          "Another program records from it; \"fuser -v /dev/snd/pcm*c\" finds it. Stop it, or use \"default\", which PipeWire and PulseAudio share among programs."
        )
      case .connectionRefused:
        (.failed, "The sound server behind it does not answer. Use the device itself, such as \"hw:0,0\".")
      default: (.failed, "The device could not be opened; \"dmesg\" may say why.")
      }
    return ALSAError(device: device, code, call: "snd_pcm_open", errno: errno, meaning)
  }

  /// Returns the error of a failed call on an open device.
  static func call(_ call: String, on device: String, _ errno: Errno) -> ALSAError {
    let (code, meaning): (Code, String) =
      switch errno {
      case .operationNotSupportedByDevice, .badFileDescriptor, .noSuchAddressOrDevice:
        (.disconnected, "The device is gone: it was unplugged, or its driver was unloaded.")
      case .invalidArgument: (.unsupported, "The device does not support this.")
      case .resourceBusy: (.busy, "Another program is using it.")
      case .noMemory: (.failed, "There is no memory for its buffer. Close other programs.")
      default: (.failed, "The device or its driver failed; \"dmesg\" may say why.")
      }
    return ALSAError(device: device, code, call: call, errno: errno, meaning)
  }
}
