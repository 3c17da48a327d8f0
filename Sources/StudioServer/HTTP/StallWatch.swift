import NIOCore
import Overcrank

/// A handler that ends a connection whose client reads nothing of what was written to it. It comes first in
/// the pipeline, where it sees bytes.
final class StallWatch: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let requests: RequestWatch
  /// The time between two checks; four checks without progress are the limit.
  private let pause: TimeAmount
  private var timer: Scheduled<Void>?
  /// The bytes that were written, and how many of them the client had read at the last check.
  private var (written, taken) = (0, 0)
  private var stalledLooks = 0

  init(_ limits: ServerLimits, _ requests: RequestWatch) {
    self.requests = requests
    pause = .nanoseconds(limits.stallTime.wholeNanoseconds / 4)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    requests.bytesArrived()
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    context.fireChannelInactive()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    written += unwrapOutboundIn(data).readableBytes
    context.write(data, promise: promise)
    if timer == nil { look(context) }
  }

  private func look(_ context: ChannelHandlerContext) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: pause) {
      self.timer = nil
      guard context.channel.isActive,
        let waiting = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes), waiting > 0
      else {
        self.stalledLooks = 0
        return
      }
      let now = self.written - waiting
      self.stalledLooks = now == self.taken ? self.stalledLooks + 1 : 0
      self.taken = now
      guard self.stalledLooks < 4 else { return context.close(promise: nil) }
      self.look(context)
    }
  }
}
