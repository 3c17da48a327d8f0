import Glibc
import Platform
import Synchronization

/// The camera's side of its plug: it does what the kernel asks for, one command after another, and sends
/// frames in between.
struct CameraServer: ~Copyable {
  /// The camera's settings, and the faults of the bus.
  struct Settings {
    var controls = CameraControls()
    var isOutOfBandwidth = false
    var damagedFrames: Set<UInt32> = []
    /// Each once.
    var framesAfterFailure: Set<UInt32> = []
  }

  private let connection: USBIPConnection
  private var endpoint: ControlEndpoint
  private var stream = VideoStream()
  private let clock = MonotonicClock()

  init(of model: CameraModel, at connection: consuming USBIPConnection) {
    endpoint = ControlEndpoint(of: model)
    self.connection = connection
  }

  /// Serves until the connection ends.
  mutating func run(_ settings: borrowing Mutex<Settings>) throws {
    while true {
      let wait = stream.wait(at: clock.now.nanoseconds)
      if connection.hasCommand(within: wait.map { CInt(min(($0 + 999_999) / 1_000_000, 1000)) } ?? -1) {
        guard let command = connection.next() else { return }
        switch command {
        case .submit(let transfer) where transfer.endpoint != 0: stream.queue(transfer)
        case .submit(let transfer): try control(transfer, settings)
        case .unlink(let sequence, let target):
          connection.completeUnlink(sequence, wasPending: stream.withdraw(target))
        }
      } else {
        sendFrames(settings)
      }
    }
  }

  /// Fills a transfer with the bytes that are due, or lets it fail.
  private mutating func sendFrames(_ settings: borrowing Mutex<Settings>) {
    let now = clock.now.nanoseconds
    let next = stream.nextFrame(at: now)
    let (damaged, isFailing) = settings.withLock { settings in
      (settings.damagedFrames, next.map { settings.framesAfterFailure.remove($0) != nil } ?? false)
    }
    if isFailing, let transfer = stream.withdrawOldest() {
      connection.complete(transfer, status: -EPROTO, lengths: transfer.packets.map { _ in 0 })
    } else if let filled = stream.fill(at: now, isDamaged: damaged.contains) {
      connection.complete(filled.transfer, data: filled.data, lengths: filled.lengths)
    }
  }

  private mutating func control(_ transfer: Transfer, _ settings: borrowing Mutex<Settings>) throws {
    let (answer, isOutOfBandwidth) = settings.withLock { settings in
      (
        endpoint.answer(transfer.setup, data: transfer.data, controls: &settings.controls),
        settings.isOutOfBandwidth
      )
    }
    var status: CInt = 0
    var bytes: [UInt8] = []
    switch answer {
    case .done(let answer): bytes = answer
    case .stalled: status = -EPIPE
    case .streaming(false): stream.stop()
    case .streaming where isOutOfBandwidth: status = -ENOSPC
    case .streaming:
      let (format, size) = endpoint.negotiation.mode
      let picture = try CapturedPicture.drawn(format, size)
      stream.start(
        picture, interval: endpoint.negotiation.committed.interval, at: clock.now.nanoseconds)
    }
    connection.complete(transfer, status: status, sentBytes: transfer.data.count, data: bytes)
  }
}
