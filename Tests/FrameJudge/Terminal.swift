public import Foundation

/// A terminal that a program writes to and a test reads from, for output that appears only on a terminal.
public final class Terminal: Sendable {
  /// The program's side.
  public let program: FileHandle
  /// The file of the program's side.
  public let path: String
  private let reader: Int32

  /// Opens a pseudoterminal (pty(7)).
  public init(columns: Int = 200) throws {
    reader = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which are macros: unlock it, then get its number.
    var (isLocked, number): (CInt, CUnsignedInt) = (0, 0)
    guard reader >= 0, ioctl(reader, 0x4004_5431, &isLocked) == 0, ioctl(reader, 0x8004_5430, &number) == 0
    else {
      throw Program.Failure(description: "no pseudoterminal is available: errno \(errno)")
    }
    path = "/dev/pts/\(number)"
    let writer = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard writer >= 0 else {
      throw Program.Failure(description: "\(path) cannot be opened: errno \(errno)")
    }
    program = FileHandle(fileDescriptor: writer, closeOnDealloc: true)
    resize(columns: columns)
  }

  deinit { close(reader) }

  /// Returns what was written since the last call, without waiting.
  public func read() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(reader, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Types `text`. Control characters have their usual effect.
  public func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(reader, bytes, bytes.count)
  }

  /// Stops its output, as Ctrl-S does.
  public func stopOutput() { tcflow(program.fileDescriptor, TCOOFF) }

  /// Sets its width in columns.
  public func resize(columns: Int) {
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(clamping: columns), 50)
    _ = ioctl(reader, UInt(TIOCSWINSZ), &size)
  }

  /// Whether it echoes typed text, and passes it on line by line.
  public var isAsFound: Bool {
    var settings = termios()
    let wanted = tcflag_t(ECHO | ICANON)
    return tcgetattr(program.fileDescriptor, &settings) == 0 && settings.c_lflag & wanted == wanted
  }
}
