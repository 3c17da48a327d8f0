import CLinux
import Dispatch
import FoundationEssentials
import Glibc
package import Platform
import SystemPackage
package import Timebase

/// A trigger from another program of this user through a Unix socket: it connects, sends a ``SocketRequest``
/// and a newline, and reads a ``TriggerReply``, a ``StillReply`` or a ``ModeReply``.
package struct SocketTrigger: TriggerSource {
  package static let kind = TriggerKind.socket
  package static let usage = "socket, socket=NAME: another program requests it"

  /// The socket's name.
  package let name: String

  /// Creates a trigger for the socket called `name`.
  ///
  /// - Throws: `QuantityError` if `name` cannot be part of a file name.
  package init(_ name: String = TriggerSocketAddress.usualName) throws(QuantityError) {
    self.name = try TriggerSocketAddress.checked(name)
  }

  package init(argument: String?) throws(QuantityError) {
    try self.init(argument ?? TriggerSocketAddress.usualName)
  }

  package var prompt: String { "send a trigger to \(TriggerSocketAddress.path(of: name))" }
  package var description: String { "socket=\(name)" }

  package func check() throws(OvercrankError) {
    try TriggerSocketAddress.makeFolder()
    try Listener.checkIsFree(TriggerSocketAddress.path(of: name))
  }

  package func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)? {
    try Listener(name, to: session)
  }
}

extension TriggerKind {
  /// Another program, through a Unix socket.
  public static let socket = TriggerKind(rawValue: "socket")
}

private final class Listener: Sendable {
  private let path: FilePath
  private let watch: DescriptorWatch

  /// Listens at the socket called `name`.
  ///
  /// - Throws: `OvercrankError` with code `busy` if another recording listens there.
  init(_ name: String, to session: CaptureSession) throws(OvercrankError) {
    try TriggerSocketAddress.makeFolder()
    let path = TriggerSocketAddress.path(of: name)
    let listener = try Self.listen(at: path)
    self.path = path
    do throws(OvercrankError) {
      watch = try session.watch("overcrank-socket") { wait in
        defer { close(listener) }
        while wait.next(of: [listener]) != nil {
          let caller = accept(listener, nil, nil)
          guard caller >= 0 else { continue }
          // Serves each caller separately, because one that sends nothing would block the others.
          DispatchQueue.global(qos: .userInteractive).async { @Sendable in Self.serve(caller, session) }
        }
      }
    } catch {
      path.unlink()
      close(listener)
      throw error
    }
  }

  deinit { path.unlink() }

  /// Checks that no other recording listens at the socket; removes an abandoned one.
  static func checkIsFree(_ path: FilePath) throws(OvercrankError) {
    let living = path.withPlatformString { clinux_connect($0) }
    if living >= 0 {
      close(living)
      throw OvercrankError(
        .busy,
        "\(path): another recording is listening there. Give this one its own name.", remedy: .nameSocket)
    }
    // A recording that was killed left the socket behind.
    if living == -ECONNREFUSED { path.unlink() }
  }

  private static func listen(at path: FilePath) throws(OvercrankError) -> Int32 {
    // The lock on the folder keeps two recordings that find the same dead socket from removing each other's
    // new one.
    let folder = TriggerSocketAddress.folder.withPlatformString {
      open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    defer { close(folder) }
    _ = flock(folder, LOCK_EX)
    try checkIsFree(path)
    let listener = path.withPlatformString { clinux_listen($0) }
    guard listener >= 0 else {
      let answer = Errno(rawValue: -listener)
      throw OvercrankError(
        .failed,
        "\(path): no trigger socket can be created there: \(answer.inWords). "
          + (answer.remedy ?? "Set XDG_RUNTIME_DIR to another folder."))
    }
    return listener
  }

  /// Serves one caller.
  private static func serve(_ caller: Int32, _ session: CaptureSession) {
    SocketLine.setPatience(.seconds(10), of: caller)
    guard TriggerSocketAddress.isTrusted(caller), let line = SocketLine.read(from: caller) else {
      close(caller)
      return
    }
    let time = session.now
    do throws(QuantityError) {
      switch try SocketRequest(line: line) {
      case .trigger:
        session.commands.trigger(
          TriggerEvent(.socket, at: time).replying { answer in reply(answer, to: caller) })
      case .mode(let wish):
        session.change(to: wish) { outcome in reply(ModeReply(outcome, at: time), to: caller) }
      case .still: reply(session.still(at: time), to: caller)
      case .largestStill:
        session.takeLargestStill { request, outcome in
          reply(StillReply(request, outcome, at: time), to: caller)
        }
      case nil: close(caller)
      }
    } catch {
      reply(ModeReply(refusing: "\(error).", at: time), to: caller)
    }
  }

  /// Sends a reply and closes the connection.
  private static func reply(_ answer: some Encodable, to caller: Int32) {
    // A few hundred bytes always fit into an empty socket, so this does not block.
    if let reply = try? JSONEncoder().encode(answer) {
      SocketLine.write(String(decoding: reply, as: UTF8.self), to: caller)
    }
    close(caller)
  }
}

extension CaptureSession {
  /// Requests a still in the current mode, unless its frames cannot be one.
  fileprivate func still(at time: Instant) -> StillReply {
    let request = commands.takeStill()
    do { try Still.checkFormat(of: activeFormat) } catch {
      return StillReply(request, .failed(error.description), at: time)
    }
    return StillReply(request, at: time)
  }
}
