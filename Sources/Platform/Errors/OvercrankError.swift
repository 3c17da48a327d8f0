public import SystemPackage

/// Why a camera, a microphone, a file or a trigger could not do what was asked.
///
/// One type from the rooms above the kernel's interfaces up to the program: a caller looks at ``code``, a user reads
/// ``description``, and a program that knows better words for a remedy than the library finds it in ``remedy``.
public struct OvercrankError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public let code: Code
  /// The message: the attempt, the device or file, the result and the remedy, in whole sentences.
  public let description: String
  /// The remedy; `nil` where ``description``, which states it too, says all.
  public let remedy: Remedy?
  /// The kernel's answer; `nil` where no call failed. ``description`` tells it already.
  public let cause: Errno?
  /// The device or file that this is about, as it was named; `nil` where there is none or several.
  public let subject: String?

  /// Creates an error with a whole message.
  public init(
    _ code: Code, _ description: String, remedy: Remedy? = nil, cause: Errno? = nil, subject: String? = nil
  ) {
    self.code = code
    self.description = description
    self.remedy = remedy
    self.cause = cause
    self.subject = subject
  }

  /// Returns the same error of a file that has another name by now, or that another is made of.
  package func renaming(_ file: FilePath, to other: FilePath) -> OvercrankError {
    OvercrankError(
      code, description.replacing(file.string, with: other.string), remedy: remedy, cause: cause,
      subject: subject == file.string ? other.string : subject)
  }
}
