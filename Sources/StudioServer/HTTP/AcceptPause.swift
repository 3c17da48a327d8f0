import Glibc
import NIOCore

/// A handler that pauses accepting while the system has no descriptor or memory for another connection, so
/// that one failed accept does not stop the listener.
///
/// swift-nio 2.101 delays the next read in that case, but the socket stays readable: NIO asks the system
/// again and again, and uses a whole processor. Only turning `autoRead` off ends the notifications.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let pause = TimeAmount.milliseconds(250)
  private var timer: Scheduled<Void>?

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code),
      timer == nil
    {
      let channel = context.channel
      try? channel.syncOptions?.setOption(.autoRead, value: false)
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
        self.timer = nil
        try? channel.syncOptions?.setOption(.autoRead, value: true)
      }
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    context.fireChannelInactive()
  }
}
