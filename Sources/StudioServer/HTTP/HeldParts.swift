import NIOCore
import NIOHTTP1

/// A handler that holds back what arrives before the connection is served.
///
/// Nothing is read until then, with one exception: if the client closes its side, everything that came before
/// is read.
final class HeldParts: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private enum BufferedEvent {
    case part(HTTPServerRequestPart)
    case event(any Sendable)
    case error(any Error)
  }

  private var held: [BufferedEvent]? = []
  private var context: ChannelHandlerContext?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if held == nil { context.fireChannelRead(data) } else { held?.append(.part(unwrapInboundIn(data))) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if held != nil, let event = event as? ChannelEvent {
      held?.append(.event(event))
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if held == nil { context.fireErrorCaught(error) } else { held?.append(.error(error)) }
  }

  /// Passes on what was held back, and everything that arrives from now on.
  func release() {
    guard let happenings = held, let context else { return }
    held = nil
    for happening in happenings {
      switch happening {
      case .part(let part): context.fireChannelRead(wrapInboundOut(part))
      case .event(let event):
        context.fireChannelReadComplete()
        context.fireUserInboundEventTriggered(event)
      case .error(let error): context.fireErrorCaught(error)
      }
    }
    context.fireChannelReadComplete()
  }
}
