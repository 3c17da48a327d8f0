public import Platform
public import SystemPackage

/// Why a file or a codec could not do what was asked.
public struct MediaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case noInput, badData, cannotCreate, noPermission, inputOutput, unsupported, outOfRange, cancelled,
        busy,
        readerLeft
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
    /// Whoever read the pipe that is written to has left.
    public static let readerLeft = Code(value: .readerLeft)
    /// The installed libraries have no such codec, container or conversion.
    public static let unsupported = Code(value: .unsupported)
    /// Another program is at it just now.
    public static let busy = Code(value: .busy)
    /// What was asked for lies outside what there is: a moment behind the end, a part beyond the picture.
    public static let outOfRange = Code(value: .outOfRange)
    /// It was told to stop.
    public static let cancelled = Code(value: .cancelled)
  }

  /// What the caller can do about it, for a program to say how in its own words.
  public enum Action: Hashable, Sendable {
    /// What helps with a file that is in the way.
    case file(FileError.Action)
    /// Make the recording at this path whole that was cut off.
    case recover(FilePath)
    /// Look for the frames in what is left of this recording, by the rate that it was captured at.
    case searchFrames(FilePath)
    /// Leave the audio out.
    case dropAudio
    /// Let the audio's pitch fall and rise with the speed.
    case changePitch
    /// Decode the film and encode a clip of it, where its frames cannot be copied.
    case encode
    /// Copy the frames into a new file, where this one cannot be changed.
    case copy
    /// Choose another part of the film.
    case choosePart
    /// Allow the file to become larger.
    case allowLargerFile
    /// List the takes of this folder, to choose one of them.
    case listTakes(in: FilePath)
    /// Say which field of an interlaced film was filmed first.
    case chooseFieldOrder
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

  /// Returns the same error of a file that has another name by now, or that another is made of.
  package func renaming(_ file: FilePath, to other: FilePath) -> MediaError {
    MediaError(code, description.replacing(file.string, with: other.string), action: action)
  }
}
