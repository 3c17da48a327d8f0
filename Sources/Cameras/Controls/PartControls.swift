import SystemPackage
import V4L2

/// The controls of a camera's parts: its sensor, the entities between sensor and video node, its lens and its
/// flash. Drivers of media graphs do not repeat them at the node.
struct PartControls {
  private final class Part {
    let device: Subdevice
    var tells = false

    init(path: FilePath) throws(V4L2Error) { device = try Subdevice(path: path, isWritable: true) }
  }

  private let parts: [Part]
  /// The part that owns each control that the node does not have; of several, the one nearest to the sensor.
  private var owners: [UInt32: Int] = [:]

  /// Finds the parts of the camera behind `device`; none if it is not part of a media graph, as most webcams.
  ///
  /// - Parameter sensor: the name of the sensor; `nil` for the one that is linked.
  init(behind device: borrowing Device, from sensor: String?) {
    let place = GraphPlace(of: device, from: sensor)
    // Parts that this user may not open are left out.
    parts = (place.map { $0.topology.subdevices(along: $0.chain) } ?? []).compactMap { try? Part(path: $0) }
    guard !parts.isEmpty else { return }
    var failure: V4L2Error?
    let own = Set(device.controls().collect(upToFailure: &failure).map(\.id))
    for (index, part) in parts.enumerated() {
      for control in part.device.controls() where owners[control.id] == nil && !own.contains(control.id) {
        owners[control.id] = index
      }
    }
  }

  private func part(of id: UInt32) -> Part? { owners[id].map { parts[$0] } }

  /// Returns all of them, part by part.
  func all() -> [Control] {
    parts.enumerated().flatMap { index, part in part.device.controls().filter { owners[$0.id] == index } }
  }

  /// Returns whether a part has the control `id`.
  func has(_ id: UInt32) -> Bool { owners[id] != nil }

  /// Returns the control `id` with its present value; `nil` if no part has it.
  func control(_ id: UInt32) -> Control? { part(of: id)?.device.control(id) }

  /// Returns the items of a menu; empty for other kinds.
  func items(of control: Control) -> [ControlMenuItem] {
    part(of: control.id)?.device.menu(of: control) ?? []
  }

  /// Sets the control `id`, if a part has it.
  func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    try part(of: id)?.device.setControl(id, to: value)
  }

  /// Subscribes to changes of the control `id` by other programs, at the part that owns it.
  func subscribe(to id: UInt32) throws(V4L2Error) {
    guard let part = part(of: id) else { return }
    try part.device.subscribe(to: .control(id))
    part.tells = true
  }

  /// The descriptors to wait on for events of the parts that report any.
  var descriptors: [FileDescriptor] { parts.filter(\.tells).map { $0.device.fileDescriptor } }

  /// Returns the oldest event of the part whose descriptor is at `place`.
  func nextEvent(of place: Int) -> Event? { try? parts.filter(\.tells)[place].device.nextEvent() }
}

/// The controls of a video node and of the parts behind it, as those of one camera.
struct CameraControls: ~Copyable, ControlDriver {
  let device: Device
  let parts: PartControls

  /// Creates the controls of the camera behind `device`.
  init(_ device: consuming Device, sensor: String?) {
    parts = PartControls(behind: device, from: sensor)
    self.device = device
  }

  borrowing func allControls() throws(V4L2Error) -> [Control] { try device.allControls() + parts.all() }

  borrowing func control(_ id: UInt32) -> Control? {
    parts.has(id) ? parts.control(id) : device.control(id)
  }

  borrowing func items(of control: Control) -> [ControlMenuItem] {
    parts.has(control.id) ? parts.items(of: control) : device.items(of: control)
  }

  borrowing func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    if parts.has(id) { try parts.setControl(id, to: value) } else { try device.setControl(id, to: value) }
  }

  /// Returns the descriptors to wait on for events: the node's, if it reports any, then those of the parts.
  borrowing func descriptors(withNode: Bool) -> [FileDescriptor] {
    (withNode ? [device.fileDescriptor] : []) + parts.descriptors
  }

  /// Returns the oldest event of the device whose descriptor is at `place` in ``descriptors(withNode:)``.
  borrowing func nextEvent(of place: Int, withNode: Bool) -> Event? {
    guard withNode else { return parts.nextEvent(of: place) }
    return place == 0 ? try? device.nextEvent() : parts.nextEvent(of: place - 1)
  }
}

/// Controls of parts that are set for a stream, and restored by ``restore()``, which reports errors, or
/// silently when dropped.
struct SetPartControls: ~Copyable {
  let parts: PartControls
  /// The controls that were set, each with its previous value, in order.
  private var before: [(id: UInt32, value: Int64)] = []

  init(_ parts: PartControls) { self.parts = parts }

  /// Sets the control `id` until it is restored.
  mutating func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    let old = parts.control(id)?.value
    try parts.setControl(id, to: value)
    if let old, !before.contains(where: { $0.id == id }) { before.append((id, old)) }
  }

  /// Restores as many of the previous values as possible, and throws the first failure.
  consuming func restore() throws(V4L2Error) {
    let before = before
    self.before = []
    try Self.restore(before, in: parts)
  }

  /// Restores in reverse order: a control that is active only because another was set must be restored first.
  private static func restore(
    _ before: [(id: UInt32, value: Int64)], in parts: PartControls
  ) throws(V4L2Error) {
    var failure: V4L2Error?
    for (id, value) in before.reversed() {
      do throws(V4L2Error) { try parts.setControl(id, to: value) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  deinit { try? Self.restore(before, in: parts) }
}
