public import CameraModel
import Cameras
public import Capture
public import FoundationEssentials
public import Media
import Timebase

extension PhotoTags {
  /// Creates the tags of a frame that was captured at `date`.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - date: its capture time.
  ///   - camera: the camera.
  public init(of frame: CapturedFrame, at date: Date, with camera: CameraIdentity) {
    self.init(frame.configuration.controls, sequence: frame.sequence, time: frame.timestamp)
    moment = Moment(date)
    self.camera = camera.card ?? camera.name
  }

  /// Creates the tags from the values of the controls and the frame's number and time.
  init(_ controls: [String: ControlInForce], sequence: UInt32, time: Instant) {
    self.init()
    software = "Overcrank \(Version.current)"
    exposure = controls.fixedExposure
    // The gain is in the camera's own units, and EXIF has a field only for ISO speed.
    let gain = controls.fixedGain.map { ", gain \($0)" } ?? ""
    comment = "frame \(sequence), time \(time.nanoseconds) ns\(gain)"
  }
}

extension PhotoTags.Moment {
  /// Creates the moment of `date` in local time.
  init(_ date: Date) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
    func padded(_ value: Int?, _ width: Int = 2) -> String {
      let digits = String(value ?? 0)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let minutes = calendar.timeZone.secondsFromGMT(for: date) / 60
    let distance = Int(minutes.magnitude)
    self.init(
      time: "\(padded(parts.year, 4)):\(padded(parts.month)):\(padded(parts.day)) "
        + "\(padded(parts.hour)):\(padded(parts.minute)):\(padded(parts.second))",
      fraction: padded(parts.nanosecond.map { $0 / 1000 }, 6),
      offset: (minutes < 0 ? "-" : "+") + "\(padded(distance / 60)):\(padded(distance % 60))")
  }
}
