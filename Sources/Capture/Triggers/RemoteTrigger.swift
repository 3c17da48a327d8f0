public import Platform
public import CameraModel
import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The client of a recording's trigger socket.
public enum RemoteTrigger {
  /// Sends a trigger to a recording, and waits for the outcome.
  ///
  /// - Parameter name: The socket's name; `nil` for the only listening recording of this user.
  /// - Throws: `OvercrankError` if no recording listens, or several do and `name` is `nil`.
  public static func send(to name: String?) throws(OvercrankError) -> TriggerReply {
    try ask(.trigger, of: name)
  }

  /// Requests another mode from a recording, and waits for the outcome.
  ///
  /// - Parameters:
  ///   - wish: The mode.
  ///   - name: The socket's name; `nil` for the only listening recording of this user.
  /// - Throws: `OvercrankError` if no recording listens, or several do and `name` is `nil`.
  public static func changeMode(to wish: ModeRequest, of name: String?) throws(OvercrankError) -> ModeReply {
    try ask(.mode(wish), of: name)
  }

  /// Requests a still from a recording, without waiting for it.
  ///
  /// - Parameter name: The socket's name; `nil` for the only listening recording of this user.
  /// - Throws: `OvercrankError` if no recording listens, or several do and `name` is `nil`.
  public static func takeStill(from name: String?) throws(OvercrankError) -> StillReply {
    try ask(.still, of: name)
  }

  /// Requests a still in the camera's largest mode from an armed recording, and waits for its capture.
  ///
  /// - Parameter name: The socket's name; `nil` for the only listening recording of this user.
  /// - Throws: `OvercrankError` if no recording listens, or several do and `name` is `nil`.
  public static func takeLargestStill(from name: String?) throws(OvercrankError) -> StillReply {
    try ask(.largestStill, of: name)
  }

  private static func ask<Reply: Decodable>(
    _ request: SocketRequest, of name: String?
  ) throws(OvercrankError) -> Reply {
    let caller = try connect(to: name)
    defer { close(caller) }
    // The camera may take a while to send its first frame, before which there is no reply.
    SocketLine.setPatience(.seconds(60), of: caller)
    SocketLine.write(request.description, to: caller)
    guard let line = SocketLine.read(from: caller, atMost: 1 << 16),
      let reply = try? JSONDecoder().decode(Reply.self, from: Data(line.utf8))
    else {
      throw OvercrankError(
        .failed,
        "The recording did not answer the request \"\(request)\". It may have just ended; check its takes."
      )
    }
    return reply
  }

  private static func connect(to name: String?) throws(OvercrankError) -> Int32 {
    try TriggerSocketAddress.checkFolder()
    guard let name else { return try connectToOnly() }
    let path = TriggerSocketAddress.path(of: name)
    let caller = connection(to: path)
    guard caller < 0 else { return caller }
    let answer = Errno(rawValue: -caller)
    try checkIsOurs(answer, path)
    throw OvercrankError(
      .noListener,
      "\(path): no recording is listening there: \(answer.inWords). Start one that listens to this socket.",
      remedy: .listen(name: name))
  }

  /// Checks that the error from connecting to `path` means that no recording listens there.
  ///
  /// - Throws: `OvercrankError` if `answer` has another cause.
  private static func checkIsOurs(_ answer: Errno, _ path: FilePath) throws(OvercrankError) {
    let remedy = answer == .permissionDenied ? "Another user is listening there." : answer.remedy
    guard let remedy else { return }
    throw OvercrankError(.failed, "\(path): the recording cannot be reached: \(answer.inWords). \(remedy)")
  }

  /// Connects to this user's recording at `path`. Returns the socket, or a negative errno.
  private static func connection(to path: FilePath) -> Int32 {
    let caller = path.withPlatformString { clinux_connect($0) }
    guard caller >= 0, !TriggerSocketAddress.isTrusted(caller) else { return caller }
    close(caller)
    return -EACCES
  }

  private static func connectToOnly() throws(OvercrankError) -> Int32 {
    var living: [(name: String, caller: Int32)] = []
    for name in TriggerSocketAddress.names {
      let path = TriggerSocketAddress.path(of: name)
      let caller = connection(to: path)
      if caller >= 0 {
        living.append((name, caller))
      } else if let remedy = Errno(rawValue: -caller).remedy {
        for other in living { close(other.caller) }
        throw OvercrankError(
          .failed,
          "\(path): cannot be reached: \(Errno(rawValue: -caller).inWords). \(remedy)")
      }
    }
    if living.count == 1 { return living[0].caller }
    for other in living { close(other.caller) }
    guard living.isEmpty else {
      let names = living.map(\.name).joined(separator: ", ")
      throw OvercrankError(
        .badName, "Several recordings are waiting for a trigger: \(names). Name one of them.")
    }
    throw OvercrankError(
      .noListener,
      "\(TriggerSocketAddress.folder): no recording is waiting there for a trigger. "
        + "Start one that listens to a socket.", remedy: .listen(name: nil))
  }
}
