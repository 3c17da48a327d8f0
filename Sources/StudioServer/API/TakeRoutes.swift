import Platform
import Retime
import Timebase

/// What can be asked of takes.
struct TakeRoutes {
  let shelf: TakeShelf

  var all: [Route] {
    [
      Route(.get, "/api/takes") { [shelf] _ in try .json(await shelf.all()) },
      Route(.get, "/api/takes/{id}") { [shelf] in try .json(await shelf.take($0.part("id"))) },
      Route(.patch, "/api/takes/{id}") { [shelf] request in
        var body = try JSONObject(request.body)
        guard let label = try body.text("label").present else {
          throw APIError.badRequest("\"label\" is missing.")
        }
        try body.end()
        return try .json(await shelf.label(request.part("id"), label?.isEmpty == true ? nil : label))
      },
      Route(.delete, "/api/takes/{id}") { [shelf] request in
        try JSONObject(request.body).end()
        try await shelf.remove(request.part("id"))
        return .empty
      },
      Route(.get, "/api/takes/{id}/thumbnail.jpg", ticket: .once) { [shelf] in
        .jpeg(try await shelf.thumbnail($0.part("id")))
      },
      Route(.get, "/api/takes/{id}/frames/{index}.jpg", ticket: .once) { [shelf] request in
        .jpeg(
          try await shelf.frame(
            request.part("id"), request.index("index"), width: request.number("width", in: 16...4096) ?? 960))
      },
      Route(.get, "/api/takes/{id}/clips/{index}.mp4", ticket: .parts) { [shelf] request in
        let file = try await shelf.clip(request.part("id"), request.index("index"))
        let isDownload = try request.number("download", in: 0...1) == 1
        return try .file(
          file, type: file.path.filmType, attachment: isDownload ? file.path.name : nil, for: request.head)
      },
      Route(.get, "/api/takes/{id}/photo", ticket: .parts) { [shelf] request in
        let (file, type) = try await shelf.photo(request.part("id"))
        let isDownload = try request.number("download", in: 0...1) == 1
        return try .file(file, type: type, attachment: isDownload ? file.path.name : nil, for: request.head)
      },
      Route(.get, "/api/takes/{id}/master", ticket: .parts) { [shelf] request in
        let file = try await shelf.master(request.part("id"))
        return try .file(file, type: file.path.filmType, attachment: file.path.name, for: request.head)
      },
      Route(.post, "/api/takes/{id}/clips") { [shelf] request in
        var body = try JSONObject(request.body)
        let speed = try body.speed("speed").value
        let (first, last) = (try body.whole("first").value, try body.whole("last").value)
        try body.end()
        try await shelf.makeClip(
          request.part("id"), speed: speed, first: first.map { Int(clamping: $0) },
          last: last.map { Int(clamping: $0) })
        return try .json([String: String](), status: 202)
      },
      Route(.post, "/api/takes/{id}/stills") { [shelf] request in
        try .json(["file": await shelf.still(request.part("id"), Self.place(in: request))])
      },
      Route(.post, "/api/takes/{id}/motion-photos") { [shelf] request in
        try .json(["file": await shelf.motionPhoto(request.part("id"), Self.place(in: request))])
      },
    ]
  }

  private static func place(in request: Request) throws -> TakeShelf.Place {
    var body = try JSONObject(request.body)
    let (frame, time) = (try body.whole("frame").value, try body.time("at_ns").value)
    try body.end()
    switch (frame, time) {
    case (let frame?, nil):
      guard frame >= 0 else { throw APIError.badRequest("\"frame\" must be 0 or more.") }
      return .frame(Int(clamping: frame))
    case (nil, let time?): return .time(time)
    case (nil, nil): return .key
    case (_?, _?): throw APIError.badRequest("\"frame\" and \"at_ns\" both choose a frame; give one of them.")
    }
  }
}
