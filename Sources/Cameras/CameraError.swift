public import V4L2

/// Why a camera could not be found, set up or read.
public struct CameraError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case noCamera, noMode, noPermission, busy, failed, disconnected, badTable, badName, noControl,
        badValue, cancelled
    }
    private let value: Value

    /// There is no such camera, or it cannot film.
    public static let noCamera = Code(value: .noCamera)
    /// The camera has no such mode.
    public static let noMode = Code(value: .noMode)
    /// This user may not open it.
    public static let noPermission = Code(value: .noPermission)
    /// Something else is using it.
    public static let busy = Code(value: .busy)
    /// The camera or its driver failed.
    public static let failed = Code(value: .failed)
    /// It went away while it was in use.
    public static let disconnected = Code(value: .disconnected)
    /// What was given cannot name a camera.
    public static let badName = Code(value: .badName)
    /// A camera table is not one.
    public static let badTable = Code(value: .badTable)
    /// The camera has no such control, or it cannot be set at present.
    public static let noControl = Code(value: .noControl)
    /// A control does not take this value.
    public static let badValue = Code(value: .badValue)
    /// It was told to stop.
    public static let cancelled = Code(value: .cancelled)
  }

  /// What the caller can do about it, for a program to say how in its own words.
  public enum Action: Hashable, Sendable {
    /// See which cameras there are.
    case listCameras
    /// See which modes this camera has, and choose another.
    case chooseMode(camera: String)
    /// See which controls this camera has.
    case listControls(camera: String)
    /// Set a control of another name of this camera.
    case setControl(camera: String)
    /// Give the exposure as a time.
    case giveExposure
    /// Give the gain as a number, or leave it as it is.
    case giveGain
    /// Read a camera table as this program writes it.
    case giveTable
    /// Convert the film of this name, which is no camera.
    case convertFilm(String)
    /// See which profiles a simulated camera can behave by.
    case listProfiles
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was tried on which camera, what came of it, and the remedy.
  public let description: String
  /// The kernel call that failed; `nil` where none did. ``description`` tells of it already.
  public let cause: V4L2Error?
  /// What the caller can do about it; `nil` where the description says all. That tells of it too.
  public let action: Action?

  /// An error with a whole message.
  public init(
    _ code: Code, _ description: String, cause: V4L2Error? = nil, action: Action? = nil
  ) {
    self.code = code
    self.description = description
    self.cause = cause
    self.action = action
  }
}
