import FoundationEssentials
import Glibc
public import Platform
public import SystemPackage

/// Opens files with the desktop's default program.
public enum DesktopOpener {
  /// Opens the file at `path`, and waits for the result of xdg-open.
  ///
  /// - Throws: `OvercrankError` with `noInput` if there is no such program, or it does not open the file.
  public static func open(_ path: FilePath) throws(OvercrankError) {
    var child = pid_t()
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The child must not inherit an ignored SIGPIPE.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    // A name that begins with a hyphen must not be read as an option.
    let name = path.isAbsolute || !path.string.hasPrefix("-") ? path : FilePath(".").pushing(path)
    let answer = "xdg-open".withCString { program in
      name.withPlatformString { file in
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        var arguments = [strdup(program), strdup(file), nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        return posix_spawnp(&child, program, nil, &attributes, &arguments, &variables)
      }
    }
    guard answer == 0 else {
      throw OvercrankError(
        .noInput,
        "\(path): cannot be shown: xdg-open: \(Errno(rawValue: answer).inWords). Install xdg-utils, or open the "
          + "file yourself.")
    }
    var status: CInt = 0
    while waitpid(child, &status, 0) == -1, errno == EINTR {}
    guard status == 0 else {
      throw OvercrankError(
        .noInput,
        "\(path): xdg-open did not show it (status \(status >> 8 & 0xff)): there may be no desktop here, or no "
          + "program for such files. Open the file yourself.")
    }
  }
}
