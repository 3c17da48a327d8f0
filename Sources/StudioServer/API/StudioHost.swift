import Glibc
import NIOCore
package import Overcrank

/// A studio's server, which listens as soon as it is created.
package struct StudioHost: Sendable {
  /// The parts that a host serves.
  struct Parts: Sendable {
    var studio: any StudioCalls
    var hub: StudioHub
    var library: TakeLibrary
    var ids: TakeIDs
    var clips: ClipQueue
    /// Whether a file belongs to a take that is kept only until its Motion Photos are made.
    var isPassing: @Sendable (FilePath) async -> Bool = { _ in false }
    /// Called after a take was changed or removed.
    var libraryChanged: @Sendable () async -> Void
  }

  /// The port to use if none is given and this one is free.
  package static let usualPort = 24024

  /// The address to open. The token follows `#`, in the part that browsers send to no server.
  package let url: String
  /// The secret that each request to the API must carry.
  package let token: String
  /// The address as a code for a phone's camera; `nil` if the studio can be reached only from this machine.
  package let code: QRCode?
  /// The port.
  package let port: Int
  private let server: Server
  private let site: Site
  private let parts: Parts
  private let catalog: TakeCatalog

  /// Listens on `address`.
  ///
  /// - Parameters:
  ///   - parts: the parts to serve.
  ///   - address: one of this machine's addresses, or `0.0.0.0` or `::` for all.
  ///   - port: the port; `nil` for ``usualPort`` if it is free, else any.
  /// - Throws: `OvercrankError`.
  init(
    _ parts: Parts, address: String = "127.0.0.1", port: Int? = nil, limits: ServerLimits = ServerLimits()
  ) async throws(OvercrankError) {
    let server = try await Self.server(address, port, limits)
    let own = Self.isAny(address) ? Self.interfaceAddresses() : [address]
    let token = Token()
    let gate = Gate(names: Gate.loopback + own, port: server.port, token: token)
    let shown = Self.isAny(address) ? own.first { !Gate.loopback.contains($0) } ?? "127.0.0.1" : address
    url = "http://\(shown.contains(":") ? "[\(shown)]" : shown):\(server.port)/#\(token.text)"
    code = shown.hasPrefix("127.") || shown == "::1" ? nil : QRCode(url)
    catalog = Self.catalog(parts, server.work)
    site = Site(gate, Self.routes(parts, catalog, limits, address: code == nil ? nil : url), limits: limits)
    (self.server, self.parts, self.token) = (server, parts, token.text)
    self.port = server.port
  }

  static func catalog(_ parts: Parts, _ work: BlockingWork) -> TakeCatalog {
    TakeCatalog(
      parts.library, ids: parts.ids, clips: parts.clips, work: work, isPassing: parts.isPassing,
      changed: parts.libraryChanged)
  }

  /// The address at which other machines open the page, and its code.
  private struct AddressResponse: Encodable {
    @Nullable var address: String?
    @Nullable var code: [String]?
  }

  /// Returns all routes except the one for tickets.
  ///
  /// - Parameter address: the address for other machines; `nil` if they cannot reach the studio.
  static func routes(
    _ parts: Parts, _ catalog: TakeCatalog, _ limits: ServerLimits, address: String? = nil
  ) -> [Route] {
    let folder = parts.library.folder
    let routes =
      StudioRoutes(studio: parts.studio).all
      + [
        EventRoute(hub: parts.hub, heartbeat: limits.heartbeat).route,
        Route(.get, "/api/address") { _ in
          try .json(AddressResponse(address: address, code: address.flatMap(QRCode.init)?.rows))
        },
      ]
      + TakeRoutes(shelf: catalog, studio: parts.studio, limits: limits).all
      + GroupRoutes(shelf: catalog).all
    return PageFile.all.map(\.route)
      + routes.map { route in
        route.failing { $0 is CancellationError ? $0 : APIError($0).naming(filesIn: folder) }
      }
  }

  /// Answers requests, makes clips and empties the trash in time until the task is cancelled, which leaves no file of an unfinished
  /// clip.
  ///
  /// - Throws: `OvercrankError` with code `failed` if it can no longer answer before that.
  package func serve() async throws(OvercrankError) {
    defer { parts.hub.end() }
    do {
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask { await parts.clips.run() }
        group.addTask { await catalog.keepTrash() }
        group.addTask { try await server.serve(site) }
      }
    } catch {
      throw OvercrankError(endedBy: error, url: url)
    }
  }

  private static func server(
    _ address: String, _ port: Int?, _ limits: ServerLimits
  ) async throws(OvercrankError) -> Server {
    do { return try await Server(address, port: port ?? usualPort, limits: limits) } catch {
      guard port == nil, (error as? IOError)?.errnoCode == EADDRINUSE else {
        throw OvercrankError(listening: error, address: address, port: port ?? usualPort)
      }
    }
    do { return try await Server(address, port: 0, limits: limits) } catch {
      throw OvercrankError(listening: error, address: address, port: 0)
    }
  }

  private static func isAny(_ address: String) -> Bool { ["0.0.0.0", "::"].contains(address) }

  private static func interfaceAddresses() -> [String] {
    let devices = (try? System.enumerateDevices()) ?? []
    return devices.compactMap(\.address?.ipAddress)
  }
}

extension OvercrankError {
  fileprivate init(endedBy error: any Error, url: String) {
    self.init(.failed, "\(url.prefix { $0 != "#" }): the studio stopped answering: \(error). Start it again.")
  }

  fileprivate init(listening error: any Error, address: String, port: Int) {
    let place = "\(address), port \(port)"
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      self.init(
        .busy,
        "\(place): another program listens there, possibly another studio. Stop it, or choose another port.",
        remedy: .chooseAnyPort)
    case EADDRNOTAVAIL:
      self.init(
        .noAddress, "\(place): this machine has no such address. Choose one that \"ip address\" lists.")
    case EACCES:
      self.init(
        .noPermission, "\(place): this user is not allowed to listen there. Choose port 1024 or higher.")
    case nil where error is SocketAddressError:
      self.init(
        .noAddress, "\"\(address)\" is not an IP address. Give one in numbers, such as 192.168.1.20.")
    default: self.init(.failed, "\(place): cannot listen there: \(error).")
    }
  }
}
