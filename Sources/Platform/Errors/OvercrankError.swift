public import SystemPackage

/// The reason why a camera, a microphone, a file or a trigger could not do what was requested.
///
/// One type for all libraries above the kernel's interfaces and for the program: a caller examines ``code``,
/// a user reads ``description``, and a program with better words for the remedy than the library finds it in
/// ``remedy``.
public struct OvercrankError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public let code: Code
  /// The message: the attempt, the device or file, the result and the remedy, in whole sentences.
  public let description: String
  /// The remedy; `nil` if ``description``, which always states it, is enough.
  public let remedy: Remedy?
  /// The kernel's `errno`; `nil` if no call failed. ``description`` includes it.
  public let cause: Errno?
  /// The device or file concerned, as it was named; `nil` if there is none or there are several.
  public let subject: String?

  /// Creates an error with a complete message.
  public init(
    _ code: Code, _ description: String, remedy: Remedy? = nil, cause: Errno? = nil, subject: String? = nil
  ) {
    self.code = code
    self.description = description
    self.remedy = remedy
    self.cause = cause
    self.subject = subject
  }

  /// Returns the same error about a file that has since been renamed, or from which another is made.
  package func renaming(_ file: FilePath, to other: FilePath) -> OvercrankError {
    OvercrankError(
      code, description.replacing(file.string, with: other.string), remedy: remedy, cause: cause,
      subject: subject == file.string ? other.string : subject)
  }
}
