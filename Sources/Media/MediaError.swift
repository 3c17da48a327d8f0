/// Why a file or a codec could not do what was asked.
public struct MediaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case noInput, badData, cannotCreate, noPermission, inputOutput, unsupported, outOfRange, cancelled, busy
    }
    private let value: Value

    /// There is no such file to read, or it is no file.
    public static let noInput = Code(value: .noInput)
    /// The file is not what it should be: not media, cut off, damaged.
    public static let badData = Code(value: .badData)
    /// The output exists already or cannot be made where it should be.
    public static let cannotCreate = Code(value: .cannotCreate)
    /// This user may not read it.
    public static let noPermission = Code(value: .noPermission)
    /// Reading or writing failed half way: a full disk, a failing one.
    public static let inputOutput = Code(value: .inputOutput)
    /// The installed libraries have no such codec, container or conversion.
    public static let unsupported = Code(value: .unsupported)
    /// Another program is at it just now.
    public static let busy = Code(value: .busy)
    /// What was asked for lies outside what there is: a moment behind the end, a part beyond the picture.
    public static let outOfRange = Code(value: .outOfRange)
    /// It was told to stop.
    public static let cancelled = Code(value: .cancelled)
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
