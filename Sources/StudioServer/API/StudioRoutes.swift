import Overcrank

/// The routes of the studio itself.
struct StudioRoutes {
  let studio: any StudioCalls

  var all: [Route] { state + camera + live + review }

  /// Returns the route of a command without a body, which answers with the state.
  private func command(_ path: String, _ act: @escaping @Sendable (any StudioCalls) async throws -> Void)
    -> Route
  {
    Route(.post, path) { [studio] request in
      _ = try request.body(as: EmptyBody.self)
      try await act(studio)
      return try .json(await studio.state())
    }
  }

  private var state: [Route] {
    [
      Route(.get, "/api/state") { [studio] _ in try .json(await studio.state()) },
      command("/api/trigger") { try await $0.trigger() },
      Route(.post, "/api/record") { [studio] request in
        try await studio.record(for: request.body(as: RecordBody.self).duration)
        return try .json(await studio.state())
      },
      command("/api/stop") { try await $0.stop() },
      command("/api/resume") { try await $0.resume() },
      command("/api/arm") { try await $0.arm() },
      Route(.post, "/api/photo") { [studio] request in
        let body = try request.body(as: PhotoBody.self)
        try await studio.photo(lit: body.isLit, of: body.camera)
        return try .json(await studio.state())
      },
      command("/api/motion-photo") { try await $0.motionPhoto() },
      Route(.put, "/api/settings") { [studio] request in
        try await studio.change(request.body(as: SettingsChange.self))
        return try .json(await studio.state())
      },
      Route(.post, "/api/setups") { [studio] request in
        let body = try request.body(as: SetupBody.self)
        try await studio.saveSetup(body.name, replacing: body.replaces)
        return try .json(["name": body.name])
      },
    ]
  }

  private var camera: [Route] {
    [
      Route(.get, "/api/cameras") { [studio] _ in try .json(await studio.cameras()) },
      Route(.get, "/api/microphones") { [studio] _ in try .json(await studio.microphones()) },
      Route(.put, "/api/camera") { [studio] request in
        let body = try request.body(as: CameraBody.self)
        try await studio.useCamera(body.id, body.wish, of: body.camera)
        return try .json(await studio.state())
      },
      Route(.get, "/api/camera/modes") { [studio] request in
        try .json(await studio.modes(of: request.head.query["camera"]))
      },
      Route(.get, "/api/controls") { [studio] request in
        try .json(await studio.controls(of: request.head.query["camera"]))
      },
      Route(.put, "/api/controls/{name}") { [studio] request in
        let body = try request.body(as: ControlBody.self)
        return try .json(
          await studio.setControl(
            request.part("name"), to: body.value, rate: body.rate, of: request.head.query["camera"]))
      },
    ]
  }

  private var live: [Route] {
    [
      Route(.get, "/api/preview.jpg", ticket: .once) { [studio] request in
        let after = try request.number("after", in: 0...Int(UInt32.max)).map { UInt32($0) }
        let letter = request.head.query["camera"]
        guard let picture = try await studio.preview(after: after, width: Self.width(request), of: letter)
        else {
          return .empty
        }
        return .jpeg(
          picture.jpeg,
          [
            .init("Overcrank-Sequence", "\(picture.sequence)"),
            .init("Overcrank-Newest", "\(picture.newest)"),
            .init("Overcrank-Timestamp", "\(picture.timestamp.nanoseconds)"),
          ])
      },
      Route(.get, "/api/preview.mjpeg", ticket: .once) { [studio] request in
        let (letter, width) = (request.head.query["camera"], try Self.width(request))
        let boundary = "frame"
        return Response(
          fields: [.init("Content-Type", "multipart/x-mixed-replace; boundary=\(boundary)")],
          body: .stream { writer in
            var last: UInt32?
            while !Task.isCancelled {
              guard let picture = try await studio.preview(after: last, width: width, of: letter) else {
                continue
              }
              last = picture.sequence
              let head =
                "--\(boundary)\r\nContent-Type: image/jpeg\r\nContent-Length: \(picture.jpeg.count)\r\n"
                + "Overcrank-Sequence: \(picture.sequence)\r\n\r\n"
              // One write, so that the next picture is fetched only after this one was sent.
              try await writer.write(Array(head.utf8) + picture.jpeg + Array("\r\n".utf8))
            }
          })
      },
    ]
  }

  private var review: [Route] {
    [
      Route(.get, "/api/review/frames") { [studio] _ in try .json(await studio.reviewFrames()) },
      Route(.get, "/api/review/frames/{index}.jpg", ticket: .once) { [studio] request in
        .jpeg(try await studio.reviewFrame(request.index("index"), width: Self.width(request)))
      },
      Route(.post, "/api/review/save") { [studio] request in
        let part = try request.body(as: SaveBody.self)
        try await studio.save(
          first: part.first, last: part.last, speed: part.speed, label: part.label, render: part.render)
        return try .json(await studio.state())
      },
    ]
  }

  private static func width(_ request: Request) throws -> Int {
    try request.number("width", in: 16...1920) ?? 960
  }
}
