public import Platform
public import Timebase
import V4L2

/// A camera's controls through a separate file descriptor, for use while another descriptor captures.
///
/// Use from one thread at a time.
public final class ControlPort: @unchecked Sendable {
  // Unchecked: an instance passes between threads, but two never use it at once.

  /// A change that another program made.
  public struct Change: Hashable, Sendable {
    /// `V4L2_CID_*`.
    public var id: UInt32
    /// The control's name as v4l2-ctl spells it.
    public var name: String
    /// The new value.
    public var value: Int64
    /// The time of the change, on `CLOCK_MONOTONIC`.
    public var time: Instant
  }

  /// The camera's node and its parts; `nil` if the controls are held in memory.
  private var camera: CameraControls?
  private let held: HeldControls?
  private let name: String
  private var names: [UInt32: String] = [:]
  /// Whether the node itself reports changes.
  private var tells = false

  /// Opens the controls of `camera` and subscribes to their changes.
  ///
  /// - Throws: `OvercrankError` if the camera cannot be opened.
  public init(_ camera: V4L2Camera) throws(OvercrankError) {
    name = camera.path.string
    do {
      let controls = try camera.openControls()
      for control in try controls.allControls() {
        names[control.id] = CameraControl.spelling(of: control.name)
        // Buttons and the like have no events, and a driver without events refuses every subscription.
        do throws(V4L2Error) {
          if controls.parts.has(control.id) {
            try controls.parts.subscribe(to: control.id)
          } else {
            try controls.device.subscribe(to: .control(control.id))
            tells = true
          }
        } catch {}
      }
      self.camera = .some(controls)
      held = nil
    } catch {
      throw OvercrankError(error)
    }
  }

  /// Creates a port to controls held in memory, for the camera called `name`.
  public init(_ controls: HeldControls, of name: String) {
    self.name = name
    camera = nil
    held = controls
  }

  /// Returns the control `id` with its present value; `nil` if there is none.
  public func control(_ id: UInt32) -> CameraControl? {
    (camera?.control(id) ?? held?.control(id)).map { CameraControl($0) }
  }

  /// Makes `change` and returns its outcome; `nil` if it is not required and another control makes it
  /// inactive.
  public func make(_ change: ControlChange) -> ControlOutcome? {
    (camera?.make([change], on: name) ?? held?.set([change], on: name))?.first
  }

  /// Sets the control `id`, even if another makes it inactive, and returns the value that it then has.
  ///
  /// - Throws: `OvercrankError` if the driver refuses, or if there is no such control.
  public func set(_ id: UInt32, to value: Int64) throws(OvercrankError) -> Int64? {
    do { try camera?.setControl(id, to: value) } catch { throw OvercrankError(error) }
    if let held {
      guard held.control(id) != nil else {
        throw OvercrankError(
          .noControl, "\(name.asSubject) the control cannot be set, because the camera does not have it.")
      }
      held.setControl(id, to: value)
    }
    return control(id)?.control.value
  }

  /// Returns the oldest change by others that is still unread, after waiting for one until `end` on `clock`,
  /// which is `monotonic` for a real camera; `nil` if none came.
  public func nextChange(until end: Instant, on clock: SessionClock) -> Change? {
    guard let descriptors = camera?.descriptors(withNode: tells), !descriptors.isEmpty else {
      clock.wait(until: end)
      return nil
    }
    while true {
      let source = Event.firstSource(among: descriptors, within: max(.zero, end - MonotonicClock.now))
      guard let source, let event = camera?.nextEvent(of: source, withNode: tells) else {
        // A device that was unplugged is always ready, with no event to read.
        clock.wait(until: end)
        return nil
      }
      if case .control(let change) = event.payload, change.changes.contains(.value), let value = change.value
      {
        return Change(id: event.id, name: names[event.id] ?? "", value: value, time: event.timestamp)
      }
    }
  }
}
