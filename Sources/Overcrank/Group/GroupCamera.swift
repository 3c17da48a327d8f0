public import CameraModel
import Cameras
public import Capture
import Platform
import SystemPackage

/// One of several cameras that record together, with what is its own in the recording.
public struct GroupCamera: Sendable {
  /// The camera.
  public var device: CaptureDevice
  /// The rate to capture at; `nil` for 240 frames per second, or else 120, or else the highest available.
  public var rate: RequestedRate?
  /// Other requirements on the mode.
  public var criteria: ModeChoice.Criteria
  /// The preferred sizes, most wanted first; empty for the widest.
  public var quality: [Quality]
  /// The settings of the capture.
  public var capture: CaptureSettings

  /// Creates a camera that records in its best mode.
  public init(
    _ device: CaptureDevice, rate: RequestedRate? = nil, criteria: ModeChoice.Criteria = .init(),
    quality: [Quality] = [], capture: CaptureSettings = .init()
  ) {
    self.device = device
    self.rate = rate
    self.criteria = criteria
    self.quality = quality
    self.capture = capture
  }

  /// Returns the name of the camera at `place` among several: A, B and so on.
  public static func name(_ place: Int) -> String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    let letter = letters[letters.index(letters.startIndex, offsetBy: place % letters.count)]
    return place < letters.count ? "\(letter)" : "\(letter)\(place / letters.count + 1)"
  }
}

extension GroupCamera {
  /// Returns the cameras on one clock, so that one trigger is the same moment for all.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` if only some are in virtual time, or one is named twice.
  static func onOneClock(_ cameras: [GroupCamera]) throws(OvercrankError) -> [GroupCamera] {
    guard let first = cameras.first else {
      throw OvercrankError(.outOfRange, "A recording of several cameras needs at least one; name it.")
    }
    let clock = first.device.clock
    for (place, camera) in cameras.enumerated() {
      guard camera.device.clock.isVirtual == clock.isVirtual else {
        throw OvercrankError(
          .outOfRange,
          "Camera A, \(first.device.name), and camera \(name(place)), \(camera.device.name), have no common time: "
            + "virtual time passes as fast as the machine works. Give clock=virtual to all cameras, or to none."
        )
      }
      guard case .camera(let node) = camera.device else { continue }
      for (other, earlier) in cameras[..<place].enumerated() {
        guard case .camera(let former) = earlier.device,
          former.path.resolvingLinks == node.path.resolvingLinks
        else { continue }
        throw OvercrankError(
          .outOfRange,
          "Camera \(name(place)), \(camera.device.name), is camera \(name(other)) already. Name another camera."
        )
      }
    }
    return cameras.map { camera in
      var camera = camera
      camera.device = camera.device.sharing(clock)
      return camera
    }
  }

  /// Returns the request for this camera's part of a recording that `request` describes.
  ///
  /// - Parameter isFirst: whether it is the first camera, which hears the triggers and the microphone, and
  ///   sends the pulse.
  func request(from request: RecordRequest, isFirst: Bool) -> RecordRequest {
    var own = request
    (own.rate, own.criteria, own.quality, own.capture) = (rate, criteria, quality, capture)
    if own.plan.start == .firstFrame {
      // A trigger begins the takes together, once all cameras send frames.
      own.plan = SessionPlan(preRoll: .zero, limit: request.plan.limit)
    }
    own.plan.interruptionResponse = .end
    guard !isFirst else { return own }
    own.microphones = []
    own.pulse = nil
    own.triggers = []
    own.plan.times = []
    // A trigger passes through the first camera's session.
    own.plan.triggerDelay =
      request.triggers.map(\.delay).reduce(own.plan.triggerDelay, max) + SessionPlan.usualTriggerDelay
    return own
  }
}
