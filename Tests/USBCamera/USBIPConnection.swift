import Glibc
import Media

/// The first eight bytes of every request on the control endpoint (USB 2.0, 9.3).
struct SetupPacket {
  var kind: UInt8
  var request: UInt8
  var value: UInt16
  var index: UInt16
  var length: UInt16
}

/// A transfer that the kernel waits for (a URB, in the kernel's terms).
struct Transfer {
  /// A piece of an isochronous transfer: its place in the buffer and its length.
  struct Packet {
    var offset: UInt32
    var length: UInt32
  }

  var sequence: UInt32
  var endpoint: UInt32
  var length: UInt32
  var startFrame: UInt32
  var setup: SetupPacket
  /// The kernel's data; empty if it wants to receive.
  var data: [UInt8]
  /// The pieces; empty but for an isochronous transfer.
  var packets: [Packet]
}

/// The camera's end of a USB/IP connection (the kernel's Documentation/usb/usbip_protocol.rst); its other end is the
/// kernel's virtual host controller.
///
/// Closed when dropped, which unplugs the camera for the kernel.
struct USBIPConnection: ~Copyable {
  /// The kernel's commands.
  enum Command {
    case submit(Transfer)
    case unlink(sequence: UInt32, of: UInt32)
  }

  private let descriptor: CInt

  /// Creates the connection over the socket `descriptor`, which it then owns.
  init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit { _ = close(descriptor) }

  /// Waits until there is a command to read; `false` if `milliseconds` passed first. With -1, it waits
  /// without end.
  func hasCommand(within milliseconds: CInt) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, milliseconds) > 0
  }

  /// The next command; `nil` at the end of the connection.
  func next() -> Command? {
    guard let head = read(48) else { return nil }
    let sequence = head.big(at: 4)
    guard head.big(at: 0) == 1 else { return .unlink(sequence: sequence, of: head.big(at: 20)) }
    let (length, isIn) = (head.big(at: 24), head.big(at: 12) == 1)
    guard let data = isIn ? [] : read(Int(length)) else { return nil }
    // No other endpoint is isochronous, and the count is only valid for those.
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
  ///   - data: the bytes received, the packets' joined.
  ///   - lengths: the number of bytes of each packet.
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

  /// Answers the request `sequence` to cancel a transfer: `wasPending` says whether it was still waiting.
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

  /// A kernel that has closed its end is detected at the next read.
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
