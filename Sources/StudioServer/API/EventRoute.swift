import Overcrank

/// The route that streams states and notices as server-sent events.
struct EventRoute {
  let hub: StudioHub
  let heartbeat: Duration
  /// The shortest time between two states for one reader.
  private static let pause = Duration.milliseconds(100)

  var route: Route {
    Route(.get, "/api/events") { [self] _ in
      Response(
        fields: [.init("Content-Type", "text/event-stream")],
        body: .stream { writer in try await hub.read { reader in try await follow(reader, writer) } })
    }
  }

  private func follow(_ reader: StudioHub.Reader, _ writer: any StreamWriter) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // A comment from time to time reveals clients that have disconnected.
        while true {
          try await Task.sleep(for: heartbeat)
          reader.stir()
        }
      }
      group.addTask {
        for await _ in reader.wakes {
          let (notices, state) = reader.take()
          for notice in notices { try await writer.write(Self.event("notice", notice)) }
          if let state { try await writer.write(Self.event("state", state)) }
          if state == nil, notices.isEmpty { try await writer.write(Array(":\n\n".utf8)) }
          if state != nil { try await Task.sleep(for: Self.pause) }
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Returns a server-sent event. Its data is JSON, which has no line breaks of its own.
  private static func event(_ name: String, _ data: [UInt8]) -> [UInt8] {
    Array("event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8)
  }
}
