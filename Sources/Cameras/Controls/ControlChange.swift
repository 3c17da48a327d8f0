public import Platform
import CameraModel
import V4L2

/// A value to set a control to.
public struct ControlChange: Hashable, Sendable {
  /// `V4L2_CID_*`.
  public let id: UInt32
  /// The control's name as v4l2-ctl spells it.
  public let name: String
  /// The value.
  public let value: Int64
  /// Whether the user asked for it by name, so that a failure to set it is an error.
  public let isRequired: Bool

  /// Creates a change of the control `id` to `value`.
  public init(id: UInt32, name: String, value: Int64, isRequired: Bool) {
    self.id = id
    self.name = name
    self.value = value
    self.isRequired = isRequired
  }
}

/// The outcome of a ``ControlChange``.
public struct ControlOutcome: Hashable, Sendable {
  /// The requested change.
  public let change: ControlChange
  /// The value before; `nil` if it cannot be read.
  public let before: Int64?
  /// The value that the driver then set; `nil` if it cannot be read, or was not set.
  public let after: Int64?
  /// The reason why it was not set; `nil` if it was.
  public let failure: OvercrankError?

  /// Creates the outcome of `change`.
  package init(change: ControlChange, before: Int64?, after: Int64?, failure: OvercrankError? = nil) {
    self.change = change
    self.before = before
    self.after = after
    self.failure = failure
  }
}

/// A source of controls that can be read and set: a camera, or a stream that is being set up.
protocol ControlDriver: ~Copyable {
  /// Returns all controls that can be read.
  borrowing func allControls() throws(V4L2Error) -> [Control]
  borrowing func control(_ id: UInt32) -> Control?
  borrowing func items(of control: Control) -> [ControlMenuItem]
  mutating func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error)
}

extension Device {
  /// Returns all controls that can be read.
  borrowing func allControls() throws(V4L2Error) -> [Control] {
    // Some cameras fail at one control; the controls before it are still usable.
    var failure: V4L2Error?
    let found = controls().collect(upToFailure: &failure)
    if let failure, found.isEmpty { throw failure }
    return found
  }

  /// Returns the items of a menu; empty for other kinds.
  borrowing func items(of control: Control) -> [ControlMenuItem] {
    var failure: V4L2Error?
    return menu(of: control).collect(upToFailure: &failure)
  }
}

extension ControlDriver where Self: ~Copyable {
  /// Returns all controls with their menus.
  borrowing func cameraControls() throws(V4L2Error) -> [CameraControl] {
    var found: [CameraControl] = []
    for control in try allControls() { found.append(CameraControl(control, items: items(of: control))) }
    return found
  }

  /// Makes `changes`, in an order in which each is possible: auto exposure off comes before an exposure.
  ///
  /// - Returns: an outcome for each change, in the order in which they were made; last, those that are
  ///   required but made inactive by another control. Inactive changes that are not required have no outcome.
  mutating func make(_ changes: [ControlChange], on camera: String) -> [ControlOutcome] {
    var outcomes: [ControlOutcome] = []
    var pending = changes
    while let place = pending.firstIndex(where: { control($0.id)?.flags.contains(.inactive) == false }) {
      let change = pending.remove(at: place)
      let before = control(change.id)?.value
      var failure: OvercrankError?
      do throws(V4L2Error) { try setControl(change.id, to: change.value) } catch {
        failure = OvercrankError(error)
      }
      let after = failure == nil ? control(change.id)?.value : nil
      outcomes.append(ControlOutcome(change: change, before: before, after: after, failure: failure))
    }
    return outcomes
      + pending.filter(\.isRequired).map { change in
        ControlOutcome(
          change: change, before: control(change.id)?.value, after: nil,
          failure: OvercrankError(.noControl, "\(camera.asSubject) \(inactivity(of: change))"))
      }
  }

  /// Explains why a control is inactive, and what to do.
  private borrowing func inactivity(of change: ControlChange) -> String {
    guard let ruler = ControlRuler.ruling(change.id), let control = control(ruler.id) else {
      return "\(change.name) has no effect at present, because another control disables it."
    }
    let master = CameraControl(control, items: items(of: control))
    return
      "\(change.name) has no effect while \(master.name) is \(master.words(for: control.value)). Set \(master.name)=\(ruler.value) as well."
  }
}
