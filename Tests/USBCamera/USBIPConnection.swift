import Glibc
import Media

/// The eight bytes that every request on the control endpoint begins with (USB 2.0, 9.3).
struct SetupPacket {
  var kind: UInt8
  var request: UInt8
  var value: UInt16
  var index: UInt16
  var length: UInt16
}

/// A transfer that the kernel waits for (a URB, in its words).
struct Transfer {
  /// A piece of an isochronous transfer, where in its buffer and how long.
  struct Packet {
    var offset: UInt32
    var length: UInt32
  }

  var sequence: UInt32
  var endpoint: UInt32
  var length: UInt32
  var startFrame: UInt32
  var setup: SetupPacket
  /// What the kernel sends along; empty where it wants to receive.
  var data: [UInt8]
  /// The pieces; empty but for an isochronous transfer.
  var packets: [Packet]
}

/// The camera's end of a USB/IP connection (the kernel's Documentation/usb/usbip_protocol.rst); its other end is the
/// kernel's virtual host controller.
///
/// Closed when dropped, which for the kernel is the camera's being pulled out.
struct USBIPConnection: ~Copyable {
  /// What the kernel asks for.
  enum Command {
    case submit(Transfer)
    case unlink(sequence: UInt32, of: UInt32)
  }

  private let descriptor: CInt

  /// The connection over the socket `descriptor`, which it owns from now on.
  init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit { _ = close(descriptor) }

  /// Waits until there is a command to read; `false` where `milliseconds` were over first. At -1, there is no end to it.
  func hasCommand(within milliseconds: CInt) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, milliseconds) > 0
  }

  /// The next command; `nil` where the connection is at its end.
  func next() -> Command? {
    guard let head = read(48) else { return nil }
    let sequence = head.big(at: 4)
    guard head.big(at: 0) == 1 else { return .unlink(sequence: sequence, of: head.big(at: 20)) }
    let (length, isIn) = (head.big(at: 24), head.big(at: 12) == 1)
    guard let data = isIn ? [] : read(Int(length)) else { return nil }
    // No other endpoint is isochronous, and the count is only good for those.
    let isIsochronous = head.big(at: 16) != 0
    guard let pieces = isIsochronous ? read(16 * Int(head.big(at: 32))) : [] else { return nil }
    let setup = SetupPacket(
      kind: head[40], request: head[41], value: head.little(UInt16.self, at: 42),
      index: head.little(UInt16.self, at: 44), length: head.little(UInt16.self, at: 46))
    return .submit(
      Transfer(
        sequence: sequence, endpoint: head.big(at: 16), length: length, startFrame: head.big(at: 28),
        setup: setup, data: data,
        packets: stride(from: 0, to: pieces.count, by: 16).map {
          Transfer.Packet(offset: pieces.big(at: $0), length: pieces.big(at: $0 + 4))
        }))
  }

  /// Completes `transfer`.
  ///
  /// - Parameters:
  ///   - status: 0, or a negated errno.
  ///   - data: what was received, the packets' joined.
  ///   - lengths: how much of it is each packet's.
  func complete(
    _ transfer: Transfer, status: CInt = 0, sentBytes: Int = 0, data: [UInt8] = [], lengths: [Int] = []
  ) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(48 + data.count + 16 * lengths.count)
    for word in [3, transfer.sequence, 0, 0, 0, UInt32(bitPattern: status), UInt32(sentBytes + data.count)] {
      bytes.append(big: word)
    }
    for word in [transfer.startFrame, UInt32(transfer.packets.count), 0, 0, 0] { bytes.append(big: word) }
    bytes += data
    for (packet, length) in zip(transfer.packets, lengths) {
      for word in [packet.offset, packet.length, UInt32(length), 0] { bytes.append(big: word) }
    }
    write(bytes)
  }

  /// Answers the wish `sequence` to take a transfer back: `wasPending` says whether it was still waiting.
  func completeUnlink(_ sequence: UInt32, wasPending: Bool) {
    var bytes: [UInt8] = []
    let status = wasPending ? UInt32(bitPattern: -ECONNRESET) : 0
    for word in [4, sequence, 0, 0, 0, status, 0, 0, 0, 0, 0, 0] { bytes.append(big: word) }
    write(bytes)
  }

  private func read(_ count: Int) -> [UInt8]? {
    guard count > 0 else { return [] }
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      isWhole = recv(descriptor, buffer.baseAddress, count, CInt(MSG_WAITALL)) == count
      filled = isWhole ? count : 0
    }
    return isWhole ? bytes : nil
  }

  /// A kernel that has closed its end is found out at the next reading.
  private func write(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { rest in
        send(descriptor, rest.baseAddress.map { $0 + sent }, rest.count - sent, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}
