import CLinux
import Glibc
import Platform
import SystemPackage
import Timebase

/// A key of an input device: a button, a remote control, a pedal.
struct KeyPressTrigger: TriggerSource {
  static let kind = TriggerKind.input
  static let usage =
    "input=DEVICE: a key or button of an input device is pressed; DEVICE is /dev/input/event3, event3 or a "
    + "part of its name; input=DEVICE,key:KEY_ENTER accepts only this key"
  static let example = "input=event0"

  /// The device.
  let device: InputDeviceName
  /// The key; `nil` for any.
  let key: InputKey?

  init(argument: String?) throws(QuantityError) {
    guard let argument else {
      throw QuantityError("input", expected: "an input device; write input=event3 or input=NAME")
    }
    let marker = ",key:"
    // A device's name may contain commas.
    if let setting = argument.ranges(of: marker).last {
      device = try InputDeviceName(text: String(argument[..<setting.lowerBound]))
      key = try InputKey(text: String(argument[setting.upperBound...]))
    } else {
      device = try InputDeviceName(text: argument)
      key = nil
    }
  }

  var description: String { "input=\(device.text)\(key.map { ",key:\($0)" } ?? "")" }
  var prompt: String { "press \(key.map(\.description) ?? "a key") of \(device.text)" }

  func check() throws(OvercrankError) { _ = try devices() }

  /// The time between searches for a device that was unplugged.
  private static let searchInterval = Duration.seconds(1)

  func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)? {
    let found = try devices()
    return try session.watch("overcrank-input") { [weak session] wait in
      var devices = found
      var pace = TriggerPace()
      while let ready = wait.next(
        of: devices.map(\.descriptor), within: devices.isEmpty ? Self.searchInterval : nil)
      {
        guard let session else { return }
        if devices.isEmpty { devices = (try? self.devices()) ?? [] }
        for device in devices where ready.contains(device.descriptor) {
          guard let failure = read(device, at: &pace, to: session) else { continue }
          devices.removeAll { $0 === device }
          guard devices.isEmpty else { continue }
          session.tell(.error(.trigger(Self.unplugged(device, failure))))
        }
      }
    }
  }

  /// Triggers `session` with the presses that wait in `device`. Returns why the device can no longer be read;
  /// `nil` if it can.
  private func read(_ device: KeyDevice, at pace: inout TriggerPace, to session: CaptureSession) -> Errno? {
    switch device.next() {
    case .nothing: return nil
    case .failed(let answer): return answer
    case .events(let events):
      for event in events where event.isPress(of: key) {
        let time = session.time(ofStamp: event.time)
        guard pace.admits(time) else { continue }
        session.commands.trigger(TriggerEvent(.input, at: time, uncertainty: InputEvent.resolution))
      }
      return nil
    }
  }

  private static func unplugged(_ device: KeyDevice, _ answer: Errno) -> OvercrankError {
    OvercrankError(
      .disconnected,
      "\(device.path): the input device was unplugged: \(answer.inWords). The recording continues; "
        + "plug it in again to trigger with it.", cause: answer, subject: device.path.string)
  }

  /// Opens the device's nodes.
  ///
  /// - Throws: `OvercrankError` if there is none, or none may be read or has the key.
  fileprivate func devices() throws(OvercrankError) -> [KeyDevice] {
    var devices: [KeyDevice] = []
    var failure: OvercrankError?
    for path in device.paths {
      let descriptor = path.withPlatformString { clinux_open_keys($0, key.map { Int32($0.code) } ?? -1) }
      if descriptor >= 0 {
        devices.append(KeyDevice(path, descriptor))
      } else {
        failure = failure ?? error(Errno(rawValue: -descriptor), at: path)
      }
    }
    // Of a device with several nodes, one may have the keys.
    guard devices.isEmpty else { return devices }
    throw failure
      ?? OvercrankError(
        .noDevice, "\(device.text): there is no input device with this name. \(InputDeviceName.choice)",
        subject: device.text)
  }

  private func error(_ answer: Errno, at path: FilePath) -> OvercrankError {
    let (code, words): (OvercrankError.Code, String) =
      switch answer {
      case .noSuchFileOrDirectory, .operationNotSupportedByDevice, .noSuchAddressOrDevice:
        (.noDevice, "there is no such input device. \(InputDeviceName.choice)")
      case .permissionDenied, .notPermitted:
        (
          .noPermission,
          "you may not read this input device: \(answer.inWords). Add yourself to its group with "
            + "\"sudo usermod -aG input $USER\", and log in again."
        )
      case .inappropriateIOCTLForDevice, .isDirectory, .invalidArgument:
        (.noDevice, "is not an input device. \(InputDeviceName.choice)")
      case .noMessage:
        (
          .noDevice,
          key.map { "this device has no key \($0). Choose another key or device; \"evtest\" shows its keys." }
            ?? "this device has no keys. \(InputDeviceName.choice)"
        )
      default:
        (
          .failed,
          "the input device cannot be read: \(answer.inWords). \(answer.remedy ?? "Unplug it, and plug it in again.")"
        )
      }
    return OvercrankError(code, "\(path): \(words)", cause: answer, subject: path.string)
  }
}

extension TriggerKind {
  /// A key of an input device.
  public static let input = TriggerKind(rawValue: "input")
}

/// An open node of an input device.
private final class KeyDevice: Sendable {
  let path: FilePath
  let descriptor: Int32

  init(_ path: FilePath, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The outcome of reading from the device.
  enum Reading {
    case events([InputEvent])
    case nothing
    case failed(Errno)
  }

  /// Returns the waiting events.
  func next() -> Reading {
    let room = 64 * InputEvent.byteCount
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { memory, length in
      count = read(descriptor, memory.baseAddress, room)
      length = max(0, count)
    }
    guard count > 0 else {
      let answer = Errno(rawValue: errno)
      return count < 0 && [.resourceTemporarilyUnavailable, .interrupted].contains(answer)
        ? .nothing : .failed(count < 0 ? answer : .operationNotSupportedByDevice)
    }
    let places = stride(from: 0, to: count, by: InputEvent.byteCount)
    return .events(places.compactMap { InputEvent(bytes[$0...].prefix(InputEvent.byteCount)) })
  }
}
