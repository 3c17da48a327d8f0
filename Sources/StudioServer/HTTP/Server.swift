import NIOCore
import NIOHTTP1
import NIOPosix
import Overcrank

/// A port on which a server listens. Requests are answered once ``serve(_:)`` is called.
struct Server: Sendable {
  private let group: MultiThreadedEventLoopGroup
  private let listener: NIOAsyncChannel<any Channel, Never>
  private let table: ConnectionTable
  let work: BlockingWork
  /// The port in use, even if any free one was requested.
  let port: Int

  /// Listens on `address`, which must belong to one of this machine's interfaces.
  ///
  /// - Parameter port: the port; 0 for any free one.
  /// - Throws: `IOError` if the port is taken or the address does not belong to this machine.
  init(_ address: String, port: Int, limits: ServerLimits) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      // A host name instead of an address is refused here, before anything is bound.
      let place = try SocketAddress(ipAddress: address, port: port)
      listener = try await ServerBootstrap(group: group)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AcceptPause())
          }
        }
        .serverChannelOption(.backlog, value: 1024)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .serverChannelOption(.maxMessagesPerRead, value: 16)
        // Only options that need no system call: if one fails on a connection, NIO takes that for an error of
        // the listener. Nothing is read before the connection is served.
        .childChannelOption(.autoRead, value: false)
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelOption(.maxMessagesPerRead, value: 1)
        .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 << 10))
        .bind(to: place, serverBackPressureStrategy: .init(lowWatermark: 32, highWatermark: 64)) { channel in
          channel.eventLoop.makeCompletedFuture { try Self.set(up: channel, limits) }
        }
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
    self.group = group
    self.port = listener.channel.localAddress?.port ?? port
    table = ConnectionTable(limits)
    work = BlockingWork(limits)
  }

  /// Adds the parser and the limits to a connection.
  private static func set(up channel: any Channel, _ limits: ServerLimits) throws -> any Channel {
    // Without this option, pictures arrive a little later; nothing else changes.
    channel.setOption(.tcpOption(.tcp_nodelay), value: 1).whenFailure { _ in }
    var decoder = NIOHTTPDecoderLimitConfiguration()
    decoder.maxHeaderFieldSize = limits.fieldBytes
    decoder.maxHeaderListSize = limits.headBytes
    decoder.maxHeaderFieldCount = limits.fields
    var encoder = HTTPResponseEncoder.Configuration()
    encoder.automaticallySetFramingHeaders = false
    let requests = RequestWatch(limits)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(StallWatch(limits, requests))
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: false, withEncoderConfiguration: encoder,
      withDecoderLimitConfiguration: decoder)
    try pipeline.addHandler(requests)
    try pipeline.addHandler(HeldParts())
    return channel
  }

  /// The number of open connections.
  var connectionCount: Int { table.count }

  /// Answers requests until the task is cancelled.
  ///
  /// - Throws: the error that ended it earlier.
  func serve(_ site: Site) async throws {
    var reason: any Error = ChannelError.eof
    do {
      try await listener.executeThenClose { connections in
        try await withThrowingDiscardingTaskGroup { group in
          for try await channel in connections {
            group.addTask { await Connection.serve(channel, site, table, work) }
          }
          group.cancelAll()
        }
      }
    } catch {
      reason = error
    }
    let isCancelled = Task.isCancelled
    await end()
    if !isCancelled { throw reason }
  }

  /// Stops listening, and shuts the threads down.
  func end() async {
    try? await listener.channel.close()
    await work.end()
    try? await group.shutdownGracefully()
  }
}
