import NIOCore
import NIOHTTP1
import Overcrank

/// A handler that ends a connection whose requests arrive too slowly. It comes after the parser.
final class RequestWatch: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limits: ServerLimits
  private var clock: RequestClock
  private var timer: Scheduled<Void>?
  /// The deadline for which the timer is set.
  private var armedFor = Instant.distantFuture
  private var context: ChannelHandlerContext?

  init(_ limits: ServerLimits) {
    self.limits = limits
    clock = RequestClock(limits, opened: Self.now)
  }

  private static var now: Instant {
    Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  /// Restarts the clock: the time before the connection is served does not count.
  func begin() {
    clock = RequestClock(limits, opened: Self.now)
    arm()
  }

  /// Stops the clock until the request has ended.
  func suspend() { clock.suspend() }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    (self.context, timer) = (nil, nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    context.fireChannelInactive()
  }

  /// Notes that bytes arrived. ``StallWatch`` calls this, because it sees them before the parser does.
  func bytesArrived() {
    clock.bytesArrived(Self.now)
    arm()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: clock.headArrived()
    case .body: break
    case .end: clock.endArrived()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      clock.answered(Self.now)
      arm()
    }
    context.write(data, promise: promise)
  }

  /// Sets the single timer. If the deadline has become later, the timer waits again when it fires; if
  /// earlier, the timer is replaced.
  private func arm() {
    guard let context, let deadline = clock.deadline, timer == nil || deadline < armedFor else { return }
    timer?.cancel()
    armedFor = deadline
    timer = context.eventLoop.assumeIsolated().scheduleTask(
      in: .nanoseconds((deadline - Self.now).wholeNanoseconds)
    ) {
      self.timer = nil
      guard let context = self.context else { return }
      if let lateness = self.clock.lateness(Self.now) {
        context.fireErrorCaught(lateness)
      } else {
        self.arm()
      }
    }
  }
}
