public import SystemPackage

/// Why a file could not be read, made or written.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case noInput, cannotCreate, noPermission, inputOutput, busy
    }
    private let value: Value

    /// There is no such file to read.
    public static let noInput = Code(value: .noInput)
    /// The file cannot be made where it should be.
    public static let cannotCreate = Code(value: .cannotCreate)
    /// This user may not read it.
    public static let noPermission = Code(value: .noPermission)
    /// Reading or writing failed half way: a full disk, a failing one.
    public static let inputOutput = Code(value: .inputOutput)
    /// Another program is at it just now.
    public static let busy = Code(value: .busy)
  }

  /// What the caller can do about it, for a program to say how in its own words.
  public enum Action: Hashable, Sendable {
    /// Allow the output to be replaced.
    case replace
    /// Make whole the recording at this path that was cut off, or allow it to be replaced.
    case recoverOrReplace(FilePath)
    /// Make whole what was left of a recording at this path.
    case recover(FilePath)
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was tried on which file, what came of it, and the remedy.
  public let description: String
  /// What the caller can do about it; `nil` where the description says all. That tells of it too.
  public let action: Action?

  /// An error with a whole message.
  public init(_ code: Code, _ description: String, action: Action? = nil) {
    self.code = code
    self.description = description
    self.action = action
  }
}
