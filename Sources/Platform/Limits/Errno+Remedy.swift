internal import CLinux
package import SystemPackage

/// Meanings of the kernel's answers to file calls that apply to any file and any operation.
extension Errno {
  /// The error in words: `No space left on device (errno 28)`.
  package var inWords: String { "\(self) (errno \(rawValue))" }

  /// The remedy, in whole sentences, if the error concerns the program, the machine or the disk; `nil` if it
  /// concerns only the file or call at hand.
  package var remedy: String? {
    switch self {
    case .tooManyOpenFiles:
      "This program has reached its limit of open files; \"ulimit -n 1024\" allows more."
    case .tooManyOpenFilesInSystem:
      "The system's limit of open files is reached; close some programs, or raise it with \"sysctl fs.file-max\"."
    case .noMemory:
      SystemMemory.remedy
    case .noSpace:
      "The disk is full; free some space or use another disk."
    case .diskQuotaExceeded:
      "Your disk quota is used up; free some space or use another disk."
    case .fileTooLarge:
      if let limit = ProcessLimits.limit(clinux_limit_file_size) {
        "This program may not write more than \(limit) bytes to a file; raise that limit with \"ulimit -f unlimited\"."
      } else {
        "The file system cannot hold a larger file; use another disk."
      }
    case .ioError:
      "The disk failed, or was unplugged; see \"dmesg\"."
    case .staleNFSFileHandle, .timedOut, .hostIsDown:
      "The disk belongs to another machine, which does not answer; see \"mount\" and \"dmesg\"."
    default:
      nil
    }
  }
}
