public import Cameras
public import Capture
public import Platform

extension CaptureScheduling {
  /// Returns the default scheduling for `device`, with these options.
  ///
  /// - Parameters:
  ///   - isRealTime: whether the capture thread has priority over all other programs' threads; `nil` for real
  ///     cameras only. A simulated camera draws its frames on the capture thread, and that work must not
  ///     displace others.
  ///   - cpu: the only CPU on which the thread runs; `nil` for any.
  public static func usual(
    for device: CaptureDevice, isRealTime: Bool? = nil, cpu: Int? = nil
  ) -> CaptureScheduling {
    let isReal = if case .camera = device { true } else { false }
    return CaptureScheduling(isRealTime: isRealTime ?? isReal, cpu: cpu)
  }
}

extension CaptureDevice {
  /// The USB device behind the camera; `nil` if there is none.
  public var usb: USBDevice? {
    if case .camera(let camera) = self { camera.usb } else { nil }
  }
}
