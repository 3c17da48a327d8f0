public import V4L2

/// Why a camera could not be found, set up or read.
public struct CameraError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case noCamera, noMode, noPermission, busy, failed, disconnected, badTable, badName, noControl,
        badValue
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
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was tried on which camera, what came of it, and the remedy.
  public let description: String
  /// The kernel call that failed; `nil` where none did. ``description`` tells of it already.
  public let cause: V4L2Error?

  /// An error with a whole message.
  public init(_ code: Code, _ description: String, cause: V4L2Error? = nil) {
    self.code = code
    self.description = description
    self.cause = cause
  }
}
