import Glibc
import NIOCore

/// Has a server wait a moment where no connection can be accepted, as no descriptor is left. What fails at one connection
/// does not end the listening for others.
///
/// swift-nio 2.101 delays the next read then, but goes on to be told that there is something to read: it asks the system
/// over and over, and takes a whole processor. Only a channel that reads by itself no more stops being told.
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
