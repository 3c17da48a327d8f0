public import CameraModel
public import Cameras
import SystemPackage
public import Platform
public import Simulator
import Timebase

/// A source of frames: a video node, a simulated camera, or a program.
///
/// Chosen once, before capturing: the frame path uses distinct types, so that a frame costs no dynamic
/// dispatch.
public enum CaptureDevice: Sendable {
  /// A camera behind a video node.
  case camera(V4L2Camera)
  /// A simulated camera, and the table that describes it.
  case simulated(SimulatedCamera<SessionClock>, CameraTable)
  /// A program that writes frames.
  case program(ProgramCamera)

  /// Finds the camera called `name`, or the first of this machine that can capture.
  ///
  /// - Parameters:
  ///   - name: A node, a number, `front`, `back`, `external`, a part of the card's name, `sim:NAME`, or
  ///     `exec:MODE:COMMAND`; `nil` for the first camera.
  ///   - profiles: The profiles that a simulated camera may use.
  /// - Throws: `OvercrankError` if there is no such camera, or the name fits several.
  public init(
    named name: String?, profiles: ProfileLibrary = ProfileLibrary()
  ) throws(OvercrankError) {
    switch name.map(CameraName.init) {
    case .simulated(let text): self = try Self.simulated(text, profiles)
    case .program(let text):
      do throws(QuantityError) { self = .program(try ProgramCamera(name: text)) } catch {
        throw OvercrankError(.badName, "\(error).")
      }
    case let name: self = .camera(V4L2Camera(path: try CameraName.path(of: name, profiles: profiles)))
    }
  }

  private static func simulated(
    _ name: String, _ profiles: ProfileLibrary
  ) throws(OvercrankError) -> CaptureDevice {
    let address: SimulatedCameraAddress
    do throws(QuantityError) { address = try SimulatedCameraAddress(text: name) } catch {
      throw OvercrankError(.badName, "\(error).")
    }
    let table = try table(ofSimulated: address.name, profiles)
    let camera = SimulatedCamera(
      name: name, description: SimulatedCameraDescription(table), faults: address.faults,
      clock: address.faults.isInVirtualTime ? .virtual(VirtualClock()) : SessionClock.monotonic)
    return .simulated(camera, table)
  }

  /// Returns the first of several named cameras that is connected.
  ///
  /// A connected camera that another program uses counts too.
  ///
  /// - Parameters:
  ///   - names: Names as ``init(named:profiles:)`` takes them, the most preferred first; at least one.
  ///   - profiles: The profiles of known cameras.
  /// - Returns: The camera's name as given, and the errors of those before it.
  /// - Throws: `OvercrankError` with `noCamera` if none is connected, and `badName` if a name is malformed.
  public static func first(
    of names: [String], profiles: ProfileLibrary = ProfileLibrary()
  ) throws(OvercrankError) -> (name: String, missing: [OvercrankError]) {
    var missing: [OvercrankError] = []
    for name in names {
      do throws(OvercrankError) {
        try CaptureDevice(named: name, profiles: profiles).checkExists()
        return (name, missing)
      } catch {
        guard error.code == .noCamera else { throw error }
        missing.append(error)
      }
    }
    throw OvercrankError(
      .noCamera,
      "None of these cameras is available: "
        + zip(names, missing).map { "\($0): \($1.description)" }.joined(separator: " "),
      remedy: .listCameras)
  }

  /// Checks that the camera is connected.
  ///
  /// - Throws: `OvercrankError` with `noCamera` if there is no such node, or it does not capture.
  private func checkExists() throws(OvercrankError) {
    guard case .camera(let camera) = self else { return }
    do throws(OvercrankError) { try camera.checkExists() } catch {
      if error.code == .noCamera { throw error }
    }
  }

  private static func table(
    ofSimulated name: String, _ profiles: ProfileLibrary
  ) throws(OvercrankError) -> CameraTable {
    guard !name.isEmpty else { return .simulated }
    if let entry = profiles[name] { return CameraTable(entry.profile) }
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try WholeFile.bytes(of: FilePath(name), atMost: 16 << 20)
    } catch  where [.timedOut, .wouldBlock].contains(error) {
      throw OvercrankError(.badData, "\(name): the table cannot be read: \(WholeFile.reason(error)).")
    } catch .fileTooLarge {
      throw OvercrankError(.badData, "\(name): is too large for a camera table. Check the name.")
    } catch let answer where answer.remedy != nil || answer == .permissionDenied {
      let file = OvercrankError.opening(FilePath(name), answer)
      throw OvercrankError(file.code == .noPermission ? .noPermission : .failed, file.description)
    } catch {
      let near = profiles.ids(near: name).map { "\"sim:\($0)\"" }.joined(separator: ", ")
      throw OvercrankError(
        .noCamera,
        "There is no simulated camera \"sim:\(name)\". \(near.isEmpty ? "" : "Similar: \(near). ")\"sim:\" is the default one; \"sim:ID\" follows the profile ID, \"sim:FILE\" the camera table in FILE, such as the output of \"v4l2-ctl --list-formats-ext\"; faults follow a comma, as in \"sim:,drop=100-109\".",
        remedy: .listProfiles
      )
    }
    return try CameraTable(contents: bytes, named: name)
  }

  /// The name that it was opened by: a path, or `sim:` and its options.
  public var name: String {
    switch self {
    case .camera(let camera): camera.path.string
    case .simulated(let camera, _): camera.name
    case .program(let camera): camera.name
    }
  }

  /// The clock of the camera's sessions: virtual for `sim:,clock=virtual`.
  public var clock: SessionClock {
    switch self {
    case .camera, .program: .monotonic
    case .simulated(let camera, _): camera.clock
    }
  }

  /// Returns the camera in the time of `clock`, if its own time is virtual: cameras that record together share
  /// one clock.
  package func sharing(_ clock: SessionClock) -> CaptureDevice {
    guard case .simulated(let camera, let table) = self, camera.clock.isVirtual else { return self }
    return .simulated(
      SimulatedCamera(
        name: camera.name, description: camera.description, faults: camera.faults, clock: clock), table)
  }

  /// Returns all modes that the camera claims, with the data of `profiles`.
  public func table(profiles: ProfileLibrary) throws(OvercrankError) -> CameraTable {
    switch self {
    case .camera(let camera): try camera.table().described(by: profiles)
    case .simulated(_, let table): table.measured(by: profiles)
    case .program(let camera): camera.table
    }
  }
}

extension CaptureDevice {
  /// Sets the camera to the modes of `choices` until it accepts one, then restores it.
  ///
  /// - Throws: `OvercrankError`, with `busy` if another program uses the camera.
  public func trial(of choices: [ModeChoice]) throws(OvercrankError) -> ModeTrial {
    try ModeTrial(of: choices) { mode throws(OvercrankError) in
      switch self {
      case .camera(let camera): try camera.acceptance(of: mode)
      case .simulated(let camera, _): try camera.acceptance(of: mode)
      case .program(let camera): camera.acceptance
      }
    }
  }
}

extension CaptureDevice {
  /// Returns the changes that `policy` makes to this camera's controls in `mode`.
  ///
  /// - Throws: `OvercrankError` if a requested control cannot be set.
  public func plan(_ policy: ControlPolicy, for mode: Mode) throws(OvercrankError) -> ControlPlan {
    guard !policy.keepsControls else { return ControlPlan() }
    return try plan(policy, for: mode, among: try controls())
  }

  /// Returns the changes that `policy` makes to `controls` in `mode`.
  ///
  /// - Throws: `OvercrankError` if a requested control cannot be set.
  public func plan(
    _ policy: ControlPolicy, for mode: Mode, among controls: [CameraControl]
  ) throws(OvercrankError) -> ControlPlan {
    // A simulated camera ignores its profile's required controls, because none affects its rates.
    let policy = if case .simulated = self { policy.withoutNeeds } else { policy }
    return try policy.plan(for: controls, interval: mode.interval, of: name)
  }

  /// Returns the camera's controls with their values.
  ///
  /// - Throws: `OvercrankError` if the camera does not report them.
  public func controls() throws(OvercrankError) -> [CameraControl] {
    switch self {
    case .camera(let camera): try camera.controls()
    case .simulated(let camera, _): camera.controls.controls()
    case .program: []
    }
  }

  /// Opens the controls through a separate descriptor. For a simulated camera, copies the controls and
  /// applies `changes`, as its stream does.
  ///
  /// - Throws: `OvercrankError` if they cannot be opened.
  public func controlPort(making changes: [ControlChange]) throws(OvercrankError) -> ControlPort {
    switch self {
    case .camera(let camera): return try ControlPort(camera)
    case .simulated(let camera, _):
      let held = changes.isEmpty ? camera.controls : camera.controls.separate()
      _ = held.set(changes, on: camera.name)
      return ControlPort(held, of: camera.name)
    case .program(let camera):
      throw OvercrankError(.noControl, "\(camera.name): a program has no controls; give it options instead.")
    }
  }

  /// Applies `changes` permanently. Returns the outcome of each.
  ///
  /// - Throws: `OvercrankError` if the camera cannot be accessed.
  public func make(_ changes: [ControlChange]) throws(OvercrankError) -> [ControlOutcome] {
    switch self {
    case .camera(let camera): try camera.make(changes)
    case .simulated(let camera, _): camera.controls.set(changes, on: camera.name)
    case .program: []
    }
  }
}
