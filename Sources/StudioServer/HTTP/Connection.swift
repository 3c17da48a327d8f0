import NIOCore
import NIOHTTP1
import Overcrank

/// One connection, which serves its requests one after the other.
struct Connection: Sendable {
  typealias HTTPChannel = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
  private typealias Parts = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator

  let channel: HTTPChannel
  let site: Site
  let table: ConnectionTable
  let work: BlockingWork

  /// Serves requests until the client, an error or the cancellation of this task ends the connection.
  ///
  /// The asynchronous channel is created here, where it is certain to be used: discarding one unused ends the
  /// program.
  static func serve(
    _ channel: any Channel, _ site: Site, _ table: ConnectionTable, _ work: BlockingWork
  ) async {
    let wrapped = channel.eventLoop.submit {
      guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
      let wrapped = try HTTPChannel(
        wrappingChannelSynchronously: channel,
        configuration: .init(backPressureStrategy: .init(lowWatermark: 1, highWatermark: 4)))
      try? channel.pipeline.syncOperations.handler(type: RequestWatch.self).begin()
      try? channel.pipeline.syncOperations.handler(type: HeldParts.self).release()
      return wrapped
    }
    guard let wrapped = try? await wrapped.get() else { return channel.close(promise: nil) }
    channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
    await Connection(channel: wrapped, site: site, table: table, work: work).serve()
  }

  private func serve() async {
    let number = table.admit(channel.channel)
    try? await channel.executeThenClose { inbound, outbound in
      await withTaskGroup(of: Void.self) { group in
        // A closed connection cancels the work for it.
        group.addTask { try? await channel.channel.closeFuture.get() }
        group.addTask {
          if let number { await exchange(inbound, outbound, number) } else { await turnAway(outbound) }
          channel.channel.close(promise: nil)
        }
        await group.next()
        group.cancelAll()
        channel.channel.close(promise: nil)
      }
    }
    if let number { table.remove(number) }
  }

  private func turnAway(_ outbound: Answer.Outbound) async {
    let answer = Answer(outbound: outbound, version: .http1_1, isHead: false, closes: true)
    _ = try? await answer.write(Response(.busy), work: work, table: table)
  }

  private func exchange(
    _ inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>, _ outbound: Answer.Outbound, _ number: Int
  ) async {
    var parts = inbound.makeAsyncIterator()
    while !Task.isCancelled {
      let next: HTTPServerRequestPart?
      do { next = try await parts.next() } catch {
        return await refuse(
          error, Answer(outbound: outbound, version: .http1_1, isHead: false, closes: true), &parts)
      }
      guard case .head(let head) = next else { return }
      var answer = Answer(
        outbound: outbound, version: head.version == .http1_0 ? .http1_0 : .http1_1,
        isHead: head.method == .HEAD, closes: !head.isKeepAlive)
      do throws(Refusal) {
        let call = try await admit(head, &parts, answer, number)
        guard await give(call, answer) else { return }
      } catch {
        guard error.isWhole else { return await refuse(error.reason, answer, &parts) }
        if error.ends { answer.closes = true }
        guard case let error as APIError = error.reason,
          (try? await answer.write(Response(error), work: work, table: table)) == true
        else { return }
      }
    }
  }

  /// The reason that a request is refused.
  private struct Refusal: Error {
    var reason: any Error
    /// Whether the whole request was read, so that the next one can follow.
    var isWhole: Bool
    var ends = false
  }

  /// Admits a request, reads its body, and returns the call that answers it.
  private func admit(
    _ head: HTTPRequestHead, _ parts: inout Parts, _ answer: Answer, _ number: Int
  ) async throws(Refusal) -> @Sendable () async throws -> Response {
    let hasBody =
      head.headers.contains(name: "content-length") || head.headers.contains(name: "transfer-encoding")
    do {
      let known = try RequestHead(head)
      let (route, names, isKnown) = try site.admit(known)
      if isKnown { table.know(number) }
      if let open = route.upload {
        let sink = try await open(Request(head: known, parameters: names, body: []))
        return try await receive(known, &parts, answer, into: sink)
      }
      guard (known.bodyBytes ?? 0) <= site.limits.bodyBytes else { throw APIError.bodyTooLarge }
      if known.waits {
        try await answer.outbound.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
      }
      let body = try await body(&parts)
      guard body.isEmpty || Self.isJSON(known) else {
        throw Refusal(reason: APIError.badType, isWhole: true)
      }
      let request = Request(head: known, parameters: names, body: body)
      return { try await route.answer(request) }
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      // Without a body, the next part is the request's end, and the connection can continue.
      guard error is APIError, !hasBody, case .end? = try? await parts.next() else {
        throw Refusal(reason: error, isWhole: false)
      }
      throw Refusal(reason: error, isWhole: true)
    }
  }

  /// Passes the file that a client sends on to `sink`, and returns the call that completes it.
  private func receive(
    _ head: RequestHead, _ parts: inout Parts, _ answer: Answer, into sink: any UploadSink
  ) async throws -> @Sendable () async throws -> Response {
    if head.waits {
      try await answer.outbound.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
    }
    let (eventLoop, pipeline) = (channel.channel.eventLoop, channel.channel.pipeline)
    try await eventLoop.submit { try pipeline.syncOperations.handler(type: RequestWatch.self).suspend() }
      .get()
    var patience = UploadPatience(site.limits)
    while true {
      let start = MonotonicClock.now
      let end = eventLoop.scheduleTask(in: .nanoseconds(patience.left.wholeNanoseconds)) {
        pipeline.fireErrorCaught(RequestClock.Lateness.request)
      }
      defer { end.cancel() }
      switch try await parts.next() {
      case .body(let buffer):
        patience.received(buffer.readableBytes, after: MonotonicClock.now - start)
        end.cancel()
        try await sink.write(Array(buffer.readableBytesView))
      case .end: return { try await sink.finish() }
      case .head, nil: throw CancellationError()
      }
    }
  }

  private static func isJSON(_ head: RequestHead) -> Bool {
    let types = head.headers["content-type"]
    let type = types.first?.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    return types.count == 1 && type == "application/json"
  }

  private func body(_ parts: inout Parts) async throws -> [UInt8] {
    var body: [UInt8] = []
    while let part = try await parts.next() {
      switch part {
      case .head: throw APIError.badRequest("A request begins before the previous one ends.")
      case .body(let buffer):
        guard body.count + buffer.readableBytes <= site.limits.bodyBytes else { throw APIError.bodyTooLarge }
        body += buffer.readableBytesView
      case .end: return body
      }
    }
    throw CancellationError()
  }

  /// Writes the route's response to the request.
  ///
  /// - Returns: whether another request can follow.
  private func give(_ call: @Sendable () async throws -> Response, _ answer: Answer) async -> Bool {
    let response: Response
    do { response = try await call() } catch {
      if error is CancellationError { return false }
      response = Response(APIError(error))
    }
    do { return try await answer.write(response, work: work, table: table) } catch let error as APIError {
      // Only a stream beyond the limit fails in this way, before anything is written.
      return (try? await answer.write(Response(error), work: work, table: table)) ?? false
    } catch {
      return false
    }
  }

  /// Reports why a request was not read to its end, if the client can still be reached, and gives it time to
  /// read the response.
  private func refuse(_ reason: any Error, _ answer: Answer, _ parts: inout Parts) async {
    let error: APIError
    switch reason {
    case let known as APIError: error = known
    case HTTPParserError.headerOverflow: error = .headTooLarge
    case is HTTPParserError: error = .badRequest("The request is not valid HTTP.")
    case RequestClock.Lateness.request: error = .tooSlow
    default: return
    }
    var answer = answer
    answer.closes = true
    guard (try? await answer.write(Response(error), work: work, table: table)) != nil else { return }
    // Closing a connection with unread bytes resets it, and the response is lost.
    try? await channel.channel.close(mode: .output)
    let end = channel.channel.eventLoop.scheduleTask(
      in: .nanoseconds(site.limits.lingerTime.wholeNanoseconds)
    ) {
      [channel] in
      channel.channel.close(promise: nil)
    }
    var read = 0
    while read < Self.mostUnread, let part = try? await parts.next() {
      if case .body(let buffer) = part { read += buffer.readableBytes }
    }
    end.cancel()
  }

  /// The most bytes of a refused request to read before closing its connection.
  private static let mostUnread = 1 << 20
}
