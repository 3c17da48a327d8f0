public import Platform
public import CameraModel
import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The other side of a recording's trigger socket.
public enum RemoteTrigger {
  /// Sends a trigger to a recording, and waits until it says what came of it.
  ///
  /// - Parameter name: the socket's; without one, the only recording of this user that listens.
  /// - Throws: `OvercrankError` where none listens, or several do and none was named.
  public static func send(to name: String?) throws(OvercrankError) -> TriggerReply {
    try ask(.trigger, of: name)
  }

  /// Has a recording change its mode, and waits until it says what came of it.
  ///
  /// - Parameters:
  ///   - wish: the mode.
  ///   - name: the socket's; without one, the only recording of this user that listens.
  /// - Throws: `OvercrankError` where none listens, or several do and none was named.
  public static func changeMode(to wish: ModeWish, of name: String?) throws(OvercrankError) -> ModeReply {
    try ask(.mode(wish), of: name)
  }

  /// Asks a recording for a still; it does not wait for it.
  ///
  /// - Parameter name: the socket's; without one, the only recording of this user that listens.
  /// - Throws: `OvercrankError` where none listens, or several do and none was named.
  public static func takeStill(from name: String?) throws(OvercrankError) -> StillReply {
    try ask(.still, of: name)
  }

  /// Asks a recording that stands by for a still in its camera's largest mode, and waits until that is captured.
  ///
  /// - Parameter name: the socket's; without one, the only recording of this user that listens.
  /// - Throws: `OvercrankError` where none listens, or several do and none was named.
  public static func takeLargestStill(from name: String?) throws(OvercrankError) -> StillReply {
    try ask(.largestStill, of: name)
  }

  private static func ask<Reply: Decodable>(
    _ request: SocketRequest, of name: String?
  ) throws(OvercrankError) -> Reply {
    let caller = try connect(to: name)
    defer { close(caller) }
    // The camera may take a while to send its first frame, before which there is no answer.
    SocketLine.setPatience(.seconds(60), of: caller)
    SocketLine.write(request.description, to: caller)
    guard let line = SocketLine.read(from: caller, atMost: 1 << 16),
      let reply = try? JSONDecoder().decode(Reply.self, from: Data(line.utf8))
    else {
      throw OvercrankError(
        .failed,
        "The recording was asked for \"\(request)\" but gave no answer. It may have ended just then; look at its takes."
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
      "\(path): no recording listens there: \(answer.inWords). Start one that listens to this socket.",
      remedy: .listen(name: name))
  }

  /// - Throws: `OvercrankError` where `answer` says nothing of who listens at `path`.
  private static func checkIsOurs(_ answer: Errno, _ path: FilePath) throws(OvercrankError) {
    let remedy = answer == .permissionDenied ? "Another user listens there." : answer.remedy
    guard let remedy else { return }
    throw OvercrankError(.failed, "\(path): the recording cannot be reached: \(answer.inWords). \(remedy)")
  }

  /// Connects to the recording of this user that listens at `path`; the socket, or an errno below zero.
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
      throw OvercrankError(.badName, "Several recordings wait for a trigger: \(names). Name one of them.")
    }
    throw OvercrankError(
      .noListener,
      "\(TriggerSocketAddress.folder): no recording waits there for a trigger. "
        + "Start one that listens to a socket.", remedy: .listen(name: nil))
  }
}
