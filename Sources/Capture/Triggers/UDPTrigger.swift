import CLinux
import FoundationEssentials
import Glibc
import Platform
import SystemPackage
import Timebase

/// A datagram, or a message of Open Sound Control.
struct UDPTrigger: TriggerSource {
  static let kind = TriggerKind.udp
  static let usage =
    "udp=PORT: a UDP datagram arrives at this port from this machine; udp=0.0.0.0:PORT or udp=[::]:PORT "
    + "accepts it from others, too; udp=PORT,osc:/trigger accepts only OSC messages to this address"
  static let example = "udp=9000"

  /// The address to listen at.
  let address: DatagramAddress
  /// The address of OSC messages; `nil` if any datagram triggers.
  let message: String?

  init(argument: String?) throws(QuantityError) {
    guard let argument else { throw QuantityError("udp", expected: "a port; write udp=9000") }
    let parts = argument.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    address = try DatagramAddress(text: String(parts[0]))
    message = try parts.dropFirst().first.map { setting throws(QuantityError) in
      let prefix = "osc:"
      guard setting.hasPrefix(prefix), OSCMessage.isAddress(setting.dropFirst(prefix.count)) else {
        throw QuantityError(
          String(setting), expected: "the address of an OSC message, as in osc:/trigger")
      }
      return String(setting.dropFirst(prefix.count))
    }
  }

  var description: String { "udp=\(address)\(message.map { ",osc:\($0)" } ?? "")" }

  var ownedPart: String? { "UDP port \(address)" }

  var prompt: String {
    "send \(message.map { "the OSC message \($0)" } ?? "a datagram") to UDP port \(address.port)"
      + (address.host.map { " of \($0)" } ?? "")
  }

  func check() throws(OvercrankError) { _ = try sockets() }

  func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)? {
    let sockets = try sockets()
    return try session.watch("overcrank-udp") { [weak session] wait in
      var pace = TriggerPace()
      while let ready = wait.next(of: sockets.map(\.descriptor)) {
        guard let session else { return }
        for socket in sockets where ready.contains(socket.descriptor) {
          receive(from: socket, at: &pace, to: session)
        }
      }
    }
  }

  /// The number of datagrams handled before the listener rests.
  private static let batch = 64

  /// Triggers `session` with the datagrams that wait in `socket`.
  private func receive(from socket: DatagramSocket, at pace: inout TriggerPace, to session: CaptureSession) {
    for _ in 0..<Self.batch {
      guard let arrival = socket.next() else { return }
      guard message.map({ OSCMessage.triggers($0, in: arrival.bytes) }) ?? true else { continue }
      let origin = arrival.origin
      let time = session.time(ofStamp: Instant(nanoseconds: origin.arrival))
      guard pace.admits(time) else { continue }
      session.commands.trigger(
        TriggerEvent(
          .udp, at: time, uncertainty: origin.uncertainty < 0 ? nil : .nanoseconds(origin.uncertainty)
        ).replying { reply in socket.answer(origin, reply) })
    }
    // The kernel drops the rest of a flood, which costs less than to read it.
    usleep(useconds_t(TriggerPace.interval / .microseconds(1)))
  }

  /// Opens the sockets at which datagrams arrive.
  ///
  /// - Throws: `OvercrankError` if the port is in use, or the address does not belong to this machine.
  private func sockets() throws(OvercrankError) -> [DatagramSocket] {
    var sockets: [DatagramSocket] = []
    for host in address.hosts {
      let descriptor = clinux_receive_datagrams_at(host, address.port)
      guard descriptor < 0 else {
        sockets.append(DatagramSocket(descriptor))
        continue
      }
      let answer = Errno(rawValue: -descriptor)
      // A machine may have IPv4 alone.
      let isMissing = [.addressNotAvailable, .addressFamilyNotSupported].contains(answer)
      guard address.host == nil, isMissing, !sockets.isEmpty else { throw error(answer) }
    }
    return sockets
  }

  private func error(_ answer: Errno) -> OvercrankError {
    let (code, remedy): (OvercrankError.Code, String) =
      switch answer {
      case .addressInUse: (.busy, "Another program receives there: end it, or choose another port.")
      case .permissionDenied: (.noPermission, "Only root may use ports below 1024: choose a higher one.")
      case .addressNotAvailable, .noSuchAddressOrDevice, .operationNotSupportedByDevice, .invalidArgument:
        (
          .noAddress,
          "It is not an address of this machine: \"ip address\" lists them; 0.0.0.0 stands for all."
        )
      case .addressFamilyNotSupported:
        (.noAddress, "This system has no addresses of that kind: choose another address.")
      default: (.failed, answer.remedy ?? "Choose another port.")
      }
    let place = address.host == nil ? "UDP port \(address.port)" : "UDP address \(address)"
    return OvercrankError(
      code, "\(place): no datagrams can be received there: \(answer.inWords). \(remedy)", cause: answer,
      subject: "\(address)")
  }
}

extension TriggerKind {
  /// A datagram.
  public static let udp = TriggerKind(rawValue: "udp")
}

/// A socket that receives datagrams, and answers them.
private final class DatagramSocket: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A datagram that arrived.
  struct Arrival {
    var bytes: [UInt8]
    var origin: clinux_datagram
  }

  /// The maximum number of bytes of a datagram that are examined.
  private static let most = 2048

  /// Returns the next datagram; `nil` if none is waiting.
  func next() -> Arrival? {
    var origin = clinux_datagram()
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.most) { memory, length in
      count = Int(clinux_receive_datagram(descriptor, memory.baseAddress, Self.most, &origin))
      length = max(0, count)
    }
    return count < 0 ? nil : Arrival(bytes: bytes, origin: origin)
  }

  /// Answers a datagram with a line of JSON, unless the network is busy.
  func answer(_ origin: clinux_datagram, _ reply: TriggerReply) {
    guard let json = try? JSONEncoder().encode(reply) else { return }
    let line = Array(json) + [UInt8(ascii: "\n")]
    withUnsafePointer(to: origin) { clinux_answer_datagram(descriptor, $0, line, line.count) }
  }
}
