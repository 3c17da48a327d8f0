public import CameraModel
public import Cameras
import Capture
public import Diagnostics
public import Platform
import Simulator
public import SystemPackage

/// An examination of this machine and a camera: the limits to the frame rate, and their remedies.
///
/// Writes to the disk for about a second, or three if it seems slow, and leaves nothing there.
public struct Examination: Sendable {
  /// The camera's name; `nil` if there is none.
  public let camera: String?
  /// Facts about the camera; `nil` if there is none, or it is simulated.
  public let facts: CameraFacts?
  /// The mode that a recording would use; `nil` if there is none.
  public let mode: Mode?
  /// The further cameras, and the modes that they would record in at the same time; empty if a camera without a mode
  /// is examined.
  public let others: [Companion]
  /// Facts about the machine.
  public let machine: MachineFacts
  /// The checks and their results.
  public var diagnosis: Diagnosis

  /// A further camera that is to record at the same time.
  public struct Companion: Sendable {
    /// Its name.
    public let camera: String
    /// The mode that a recording would use.
    public let mode: Mode
  }

  /// Examines the machine and a camera.
  ///
  /// - Parameters:
  ///   - name: the camera; `nil` for the first that can capture. The lack of one is a finding, not an error.
  ///   - rate: the rate to capture at; `nil` for a recording's default.
  ///   - criteria: other requirements on the mode.
  ///   - quality: the preferred sizes, most wanted first.
  ///   - folder: the folder for takes; `nil` for the library folder.
  ///   - profiles: what is known of cameras beyond their drivers' reports.
  ///   - others: further cameras that are to record at the same time.
  /// - Throws: `OvercrankError` if the name is not a camera's, a camera does not report its modes, or one of `others`
  ///   has no such mode, or cannot record with the camera because it is the same one.
  public init(
    ofCamera name: String?, rate: RequestedRate? = nil, criteria: ModeChoice.Criteria = .init(),
    quality: [Quality] = [], folder: FilePath? = nil, profiles: ProfileLibrary = ProfileLibrary(),
    with others: [GroupCamera] = []
  ) throws(OvercrankError) {
    let subject = try Subject(name, rate, criteria, quality, profiles)
    let load = subject.mode.map(ModeLoad.init)
    var modes: [(mode: Mode, device: CaptureDevice)] = []
    if !others.isEmpty, let device = subject.device, let mode = subject.mode {
      _ = try GroupCamera.onOneClock([GroupCamera(device)] + others)
      modes = [(mode: mode, device: device)]
      for other in others { modes.append((try other.mode(profiles), other.device)) }
    }
    let companions = modes.dropFirst()
    machine = MachineFacts()
    var diagnosis = Diagnosis(checks: subject.checks)
    if let facts = subject.facts { diagnosis.checks += facts.checks(for: load) }
    // Without a mode, the ring is the smallest that a recording creates.
    diagnosis.checks += machine.checks(ringBytes: load?.ringBytes ?? 32 << 20)
    if let pi = machine.raspberryPi {
      diagnosis.checks += pi.checks(driver: subject.facts?.driver, for: load)
    }
    let disk = DiskFacts(
      measuring: folder ?? Self.libraryFolder, for: load, and: companions.map { ModeLoad($0.mode) })
    diagnosis.checks.append(disk.check(for: load))
    if let load { diagnosis.checks.append(disk.spaceCheck(for: load)) }
    if !companions.isEmpty {
      let speed = disk.speed.map { Int64(clamping: $0.bytesPerSecond) }
      diagnosis.checks += GroupDemand(of: modes, freeBytes: disk.freeBytes).checks(diskSpeed: speed)
    }
    diagnosis.checks += MicrophoneFacts().checks()
    camera = subject.name
    facts = subject.facts
    mode = subject.mode
    self.others = companions.map { Companion(camera: $0.device.name, mode: $0.mode) }
    self.diagnosis = diagnosis
  }

  /// The library folder, or the nearest above it that exists.
  private static var libraryFolder: FilePath {
    var path = LibraryFolder.path
    while !path.exists, path.removeLastComponent() {}
    return path.isEmpty ? "." : path
  }
}

/// The camera to examine, if there is one, and the mode it would capture in.
private struct Subject {
  var name: String?
  var device: CaptureDevice?
  var facts: CameraFacts?
  var mode: Mode?
  var checks: [Diagnosis.Check] = []

  init(
    _ asked: String?, _ rate: RequestedRate?, _ criteria: ModeChoice.Criteria, _ quality: [Quality],
    _ profiles: ProfileLibrary
  ) throws(OvercrankError) {
    let device: CaptureDevice
    do throws(OvercrankError) {
      device = try CaptureDevice(named: asked, profiles: profiles)
    } catch {
      // A missing camera is a finding. A wrong name for a simulated one is a typing error.
      guard error.code == .noCamera || error.code == .noPermission,
        asked?.hasPrefix(SimulatedCameraAddress.prefix) != true
      else { throw error }
      checks = [.noCamera(asked == nil && error.code == .noCamera ? nil : error)]
      return
    }
    name = device.name
    self.device = device
    if case .camera(let camera) = device {
      let facts = CameraFacts(lookingAt: camera.path)
      self.facts = facts
      guard facts.failure == nil else { return }
    }
    let choices = ModeChoice.choices(
      from: try device.table(profiles: profiles), for: rate, criteria, quality: quality)
    guard let choice = ModeChoice.possible(choices).first else { return }
    mode = choice.mode
    if choice.mode == nil { checks = [.noMode(choice, of: device.name)] }
  }
}

extension GroupCamera {
  /// Returns the mode that a recording would use.
  ///
  /// - Throws: `OvercrankError` with `noMode` if there is none.
  fileprivate func mode(_ profiles: ProfileLibrary) throws(OvercrankError) -> Mode {
    let choices = ModeChoice.choices(
      from: try device.table(profiles: profiles), for: rate, criteria, quality: quality)
    guard let mode = ModeChoice.possible(choices).first?.mode else {
      throw OvercrankError(
        .noMode, "\(device.name) has no such mode. Choose a lower rate, or another size or format for it.",
        subject: device.name)
    }
    return mode
  }
}

extension Examination: Encodable {
  private enum CodingKeys: String, CodingKey {
    case camera, driver, kernel, mode
  }

  /// Encodes the subjects of the examination and the diagnosis; unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(camera, forKey: .camera)
    try keys.encode(facts?.driver, forKey: .driver)
    try keys.encode(machine.kernel, forKey: .kernel)
    try keys.encode(mode, forKey: .mode)
    try diagnosis.encode(to: encoder)
  }
}
