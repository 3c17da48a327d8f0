public import CameraModel
import Cameras
public import Capture
public import FoundationEssentials
public import Media
import Timebase

extension PhotoTags {
  /// What is known of a frame that was captured at `date`.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - date: when it was captured, by the calendar.
  ///   - camera: the camera.
  public init(of frame: CapturedFrame, at date: Date, with camera: CameraIdentity) {
    self.init(frame.configuration.controls, sequence: frame.sequence, time: frame.timestamp)
    moment = Moment(date)
    self.camera = camera.card ?? camera.name
  }

  /// What is known by how the controls stood, and by the frame's number and time.
  init(_ controls: [String: ControlInForce], sequence: UInt32, time: Instant) {
    self.init()
    software = "Overcrank \(Version.current)"
    exposure = controls.fixedExposure
    // In units of the camera's own: EXIF knows a film's speed only.
    let gain = controls.fixedGain.map { ", gain \($0)" } ?? ""
    comment = "frame \(sequence), time \(time.nanoseconds) ns\(gain)"
  }
}

extension PhotoTags.Moment {
  /// `date` in local time.
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
