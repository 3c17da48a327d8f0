import CLinux
import Glibc
import Platform
import SystemPackage

/// A running program whose output is read; ended with this value.
struct ChildProgram: ~Copyable {
  private var program: clinux_program
  /// The command that started it.
  private let command: String
  /// The last line of its messages, for errors.
  private var message: [UInt8]
  private var isOver = false

  /// The time in milliseconds that a program has to end in good order.
  private static let grace: CInt = 2000
  /// The bytes of messages that are kept.
  private static let mostOfMessage = 400

  /// The outcome of a read.
  enum Reading {
    /// This number of bytes.
    case bytes(Int)
    /// Nothing yet.
    case nothing
    /// The program has closed its output.
    case ended
  }

  /// Starts a command of the shell.
  ///
  /// - Throws: `OvercrankError` if the system cannot start it.
  init(_ command: String) throws(OvercrankError) {
    var program = clinux_program()
    let answer = clinux_start_program(command, &program)
    guard answer == 0 else {
      throw OvercrankError(.failed, "\(command): cannot be started: \(Errno(rawValue: -answer).inWords).")
    }
    self.program = program
    self.command = command
    message = []
  }

  /// Waits at most this long for output, and reads up to `space.count` bytes of it.
  mutating func read(
    into space: UnsafeMutableRawBufferPointer, within milliseconds: CInt
  ) throws(OvercrankError) -> Reading {
    let ready = clinux_await_program(&program, milliseconds)
    guard ready >= 0 else {
      throw OvercrankError(.failed, "\(command): cannot be awaited: \(Errno(rawValue: -ready).inWords).")
    }
    if ready & 2 != 0 { readMessages() }
    guard ready & 1 != 0 else { return .nothing }
    let count = Glibc.read(program.output, space.baseAddress, space.count)
    if count > 0 { return .bytes(count) }
    if count == 0 { return .ended }
    guard [EAGAIN, EINTR].contains(errno) else {
      throw OvercrankError(.failed, "\(command): cannot be read: \(Errno(rawValue: errno).inWords).")
    }
    return .nothing
  }

  private mutating func readMessages() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { space in
      let count = Glibc.read(program.messages, space.baseAddress, space.count)
      if count == 0 {
        // Otherwise each wait would end at once.
        close(program.messages)
        program.messages = -1
      }
      guard count > 0 else { return }
      message.append(contentsOf: space[..<count])
      if message.count > Self.mostOfMessage { message.removeFirst(message.count - Self.mostOfMessage) }
    }
  }

  /// Ends the program, because no more of its frames are wanted.
  mutating func end() {
    guard !isOver else { return }
    isOver = true
    _ = clinux_end_program(&program, Self.grace, 1)
  }

  /// Awaits the end of a program that has closed its output.
  ///
  /// - Throws: `OvercrankError` with `failed` if it reports an error.
  mutating func finish() throws(OvercrankError) {
    guard !isOver else { return }
    if program.messages != -1 { readMessages() }
    isOver = true
    let status = clinux_end_program(&program, Self.grace, 0)
    guard status != 0 else { return }
    let words = String(decoding: message, as: UTF8.self).split(separator: "\n").last.map { ": \($0)" } ?? ""
    throw OvercrankError(.failed, "\(command): ended with exit code \(status)\(words).")
  }

  deinit {
    guard !isOver else { return }
    var program = program
    _ = clinux_end_program(&program, Self.grace, 1)
  }
}
