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

  /// What kind of failure it is.
  public let code: Code
  /// What was tried on which file, what came of it, and the remedy.
  public let description: String

  /// An error with a whole message.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
