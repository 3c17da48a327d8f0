/// The frames on their way into the transfers that the kernel has queued for them.
///
/// If there is no transfer, or if the machine is too slow for the rate, frames are sent late but never
/// skipped: the number in a frame's pixels is then the driver's number, and a difference is a loss.
struct VideoStream {
  private struct SourceVideo {
    var interval: Int64
    var next: UInt32 = 0
    var due: Int64
  }

  private var video: SourceVideo?
  private var pending: [Transfer] = []
  /// The frame that is being sent, and how much of it has gone.
  private var frame: (number: UInt32, bytes: [UInt8], sent: Int)?
  private var picture: CapturedPicture?

  /// Begins to send `picture`, with frame 0 at once.
  ///
  /// - Parameter interval: in units of 100 ns.
  mutating func start(_ picture: CapturedPicture, interval: UInt32, at now: Int64) {
    self.picture = picture
    video = SourceVideo(interval: Int64(interval) * 100, due: now)
    frame = nil
  }

  /// Sends no more frames.
  mutating func stop() { (video, frame) = (nil, nil) }

  /// Adds a transfer to fill.
  mutating func queue(_ transfer: Transfer) { pending.append(transfer) }

  /// Drops the transfer `sequence`; `false` if it has been completed.
  mutating func withdraw(_ sequence: UInt32) -> Bool {
    let count = pending.count
    pending.removeAll { $0.sequence == sequence }
    return pending.count < count
  }

  /// The nanoseconds until there are bytes to send; `nil` if that depends on the kernel.
  func wait(at now: Int64) -> Int64? {
    guard let video, !pending.isEmpty else { return nil }
    return frame == nil ? max(0, video.due - now) : 0
  }

  /// The frame that begins with the next transfer; `nil` if it is not due, or has begun.
  func nextFrame(at now: Int64) -> UInt32? {
    frame == nil && wait(at: now) == 0 ? video?.next : nil
  }

  /// Drops the oldest transfer.
  mutating func withdrawOldest() -> Transfer? { pending.isEmpty ? nil : pending.removeFirst() }

  /// Fills the oldest transfer with the bytes that are due; `nil` if there are none.
  mutating func fill(at now: Int64, isDamaged: (UInt32) -> Bool) -> (
    transfer: Transfer, data: [UInt8], lengths: [Int]
  )? {
    guard wait(at: now) == 0, var video, let picture else { return nil }
    var sending = frame ?? (video.next, picture.bytes(ofFrame: video.next), 0)
    let transfer = pending.removeFirst()
    var data: [UInt8] = []
    var lengths: [Int] = []
    for packet in transfer.packets {
      let count = min(Int(packet.length) - Self.headerSize, sending.bytes.count - sending.sent)
      guard count > 0 else {
        lengths.append(0)
        continue
      }
      let isLast = sending.sent + count == sending.bytes.count
      data += Self.header(of: sending.number, isLast: isLast, isDamaged: isDamaged(sending.number))
      data += sending.bytes[sending.sent..<sending.sent + count]
      lengths.append(Self.headerSize + count)
      sending.sent += count
    }
    if sending.sent == sending.bytes.count {
      frame = nil
      video.next += 1
      // Late frames do not follow in a burst, which the driver's few buffers would not hold.
      video.due = max(video.due + video.interval, now + video.interval / 2)
    } else {
      frame = sending
    }
    self.video = video
    return (transfer, data, lengths)
  }

  private static let headerSize = 2

  /// The header of each payload ("Video Devices" 1.1, 2.4.3.3): its size, and flags. Without the camera's own
  /// clock, as the virtual host controller has no frame numbers to compare it with.
  private static func header(of number: UInt32, isLast: Bool, isDamaged: Bool) -> [UInt8] {
    [UInt8(headerSize), 0x80 | (isDamaged ? 0x40 : 0) | (isLast ? 0x02 : 0) | UInt8(number & 1)]
  }
}
