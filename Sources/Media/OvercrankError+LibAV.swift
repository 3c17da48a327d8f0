internal import CLibAV
import Platform
internal import SystemPackage

extension OvercrankError {
  /// Returns the error for libav's result `code` of `action` on `subject`.
  ///
  /// - Parameters:
  ///   - action: the failed action, as in "\(action) failed".
  ///   - meaning: the meaning of the failure here and the remedy, in sentences.
  static func libav(
    _ code: Int32, _ action: String, of subject: some CustomStringConvertible, _ meaning: String
  ) -> OvercrankError {
    let remedy = remedy(for: code)
    return OvercrankError(
      remedy == nil ? kind(of: code) : .inputOutput,
      "\(subject): \(action) failed: \(libavWords(code)). \(remedy ?? meaning)")
  }

  /// Returns the error for a `container` that cannot hold frames of `codec`.
  static func cannotHold(_ codec: VideoCodec, _ container: Container, _ path: FilePath) -> OvercrankError {
    let others = Container.holding(codec).map(\.description).joined(separator: ", ")
    let remedy = others.isEmpty ? "No container available here can." : "Use one that can: \(others)."
    return OvercrankError(.unsupported, "\(path): \(container) cannot hold \(codec). \(remedy)")
  }

  /// Returns the error for a codec's result `code` of `action`.
  ///
  /// Encoders are separate libraries, and libav does not pass on the cause of their failures, so the message
  /// names any resource that the program lacks now.
  static func codec(
    _ code: Int32, _ action: String, of subject: some CustomStringConvertible, _ meaning: String
  ) -> OvercrankError {
    let remedy = remedy(for: code) ?? ProcessLimits.shortage ?? SystemMemory.limitRemedy
    return OvercrankError(
      remedy == nil ? .unsupported : .inputOutput,
      "\(subject)\(action): \(libavWords(code)). "
        + (remedy ?? "\(meaning) A lack of memory or threads can also be the cause: see \"ulimit -a\"."))
  }

  /// Returns the remedy if libav passes on a system error about the program, the machine or the disk.
  private static func remedy(for code: Int32) -> String? {
    // clibav_error converts an errno to a libav error, and back.
    code < 0 ? Errno(rawValue: clibav_error(code)).remedy : nil
  }

  /// Returns the error for a lack of memory.
  static func outOfMemory(_ subject: some CustomStringConvertible) -> OvercrankError {
    OvercrankError(.inputOutput, "\(subject): not enough memory. \(SystemMemory.remedy)")
  }

  private static func kind(of code: Int32) -> Code {
    switch code {
    case clibav_invalid_data(), clibav_eof(): .badData
    case clibav_error(ENOENT): .noInput
    case clibav_error(EACCES), clibav_error(EPERM): .noPermission
    case clibav_error(ENOSYS), clibav_error(EINVAL): .unsupported
    case _ where code == clibav_no_decoder() || code == clibav_no_encoder() || code == clibav_patch_welcome():
      .unsupported
    default: .inputOutput
    }
  }
}

/// Returns libav's description of one of its error codes.
func libavWords(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)) { buffer in
    guard let base = buffer.baseAddress else { return "error \(code)" }
    av_strerror(code, base, buffer.count)
    return String(cString: base)
  }
}
