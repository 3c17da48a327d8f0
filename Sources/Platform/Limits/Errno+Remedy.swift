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
      "This program has as many files open as it may; \"ulimit -n 1024\" allows more."
    case .tooManyOpenFilesInSystem:
      "All programs together have as many files open as the system allows; close some, or raise it with \"sysctl fs.file-max\"."
    case .noMemory:
      SystemMemory.remedy
    case .noSpace:
      "The disk is full; free some space or name another disk."
    case .diskQuotaExceeded:
      "Your quota of the disk is used up; free some space or name another disk."
    case .fileTooLarge:
      if let limit = ProcessLimits.limit(clinux_limit_file_size) {
        "No file of this program may have more than \(limit) bytes; raise that with \"ulimit -f unlimited\"."
      } else {
        "The file system takes no larger file; name another disk."
      }
    case .ioError:
      "The disk failed, or was unplugged; see \"dmesg\"."
    case .staleNFSFileHandle, .timedOut, .hostIsDown:
      "The disk is another machine's, which does not answer; see \"mount\" and \"dmesg\"."
    default:
      nil
    }
  }
}
