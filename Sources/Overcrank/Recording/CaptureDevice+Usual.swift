public import Cameras
public import Capture
public import Platform

extension CaptureScheduling {
  /// The scheduling that suits `device`, with what is asked of it.
  ///
  /// - Parameters:
  ///   - isRealTime: whether the capture thread runs before all other programs' threads; `nil` for
  ///     real cameras alone. A simulated camera draws its frames on the capture thread, and that work
  ///     is not to push others aside.
  ///   - cpu: the only CPU that it runs on; `nil` for any.
  public static func usual(
    for device: CaptureDevice, isRealTime: Bool? = nil, cpu: Int? = nil
  ) -> CaptureScheduling {
    let isReal = if case .camera = device { true } else { false }
    return CaptureScheduling(isRealTime: isRealTime ?? isReal, cpu: cpu)
  }
}

extension CaptureDevice {
  /// The USB device behind the camera; `nil` where there is none.
  public var usb: USBDevice? {
    if case .camera(let camera) = self { camera.usb } else { nil }
  }
}
