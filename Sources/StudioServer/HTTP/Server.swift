import NIOCore
import NIOHTTP1
import NIOPosix
import Overcrank

/// A port that is listened on. Nothing is answered before ``serve(_:)``.
struct Server: Sendable {
  private let group: MultiThreadedEventLoopGroup
  private let listener: NIOAsyncChannel<any Channel, Never>
  private let limits: ServerLimits
  private let table: ConnectionTable
  let work: BlockingWork
  /// The port.
  let port: Int

  /// Listens on `address`, which is that of one of this machine's interfaces.
  ///
  /// - Parameter port: 0 for any that is free.
  /// - Throws: `IOError` where the port is taken, or the address is none of this machine's.
  init(_ address: String, port: Int, limits: ServerLimits) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      // A port that cannot be listened on is an error at once, also for an address that is a name.
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
        // Options that no call to the system sets: NIO takes one that fails at a connection for a fault of the listener.
        // Nothing is read before somebody serves the connection.
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
    (self.group, self.limits) = (group, limits)
    self.port = listener.channel.localAddress?.port ?? port
    table = ConnectionTable(limits)
    work = BlockingWork(limits)
  }

  /// Gives a connection its parser and its limits.
  private static func set(up channel: any Channel, _ limits: ServerLimits) throws -> any Channel {
    // Without it pictures come a little later, and that is all.
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

  /// How many connections are open.
  var connectionCount: Int { table.count }

  /// Answers until the task is cancelled.
  ///
  /// - Throws: what ended it before.
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

  /// Stops listening, and ends the threads.
  func end() async {
    try? await listener.channel.close()
    await work.end()
    try? await group.shutdownGracefully()
  }
}
