import Overcrank

/// The routes of groups of takes.
struct GroupRoutes {
  let shelf: TakeCatalog

  var all: [Route] {
    [
      Route(.get, "/api/groups") { [shelf] _ in try .json(await shelf.groups()) },
      Route(.get, "/api/groups/{id}") { [shelf] in try .json(await shelf.group($0.part("id"))) },
      Route(.patch, "/api/groups/{id}") { [shelf] request in
        let label = try request.body(as: LabelBody.self).label
        return try .json(await shelf.labelGroup(request.part("id"), label))
      },
      Route(.delete, "/api/groups/{id}") { [shelf] request in
        _ = try request.body(as: EmptyBody.self)
        try await shelf.removeGroup(request.part("id"))
        return .empty
      },
      Route(.post, "/api/groups/{id}/trash") { [shelf] request in
        _ = try request.body(as: EmptyBody.self)
        return try .json(["id": await shelf.moveGroupToTrash(request.part("id"))])
      },
      Route(.get, "/api/groups/{id}/frames") { [shelf] in
        try .json(await shelf.groupFrames($0.part("id")))
      },
      Route(.post, "/api/groups/{id}/clips") { [shelf] request in
        let clip = try request.body(as: ClipBody.self)
        guard clip.render.layout != nil else {
          let layouts = ClipLayout.allCases.map(\.rawValue).joined(separator: ", ")
          throw APIError.badRequest("\"layout\" is missing. Give one of \(layouts).")
        }
        try await shelf.makeGroupClip(
          request.part("id"), clip.render, first: clip.first, last: clip.last)
        return try .json([String: String](), status: 202)
      },
      Route(.delete, "/api/groups/{id}/clips") { [shelf] request in
        _ = try request.body(as: EmptyBody.self)
        try await shelf.cancelGroupClips(request.part("id"))
        return try .json([String: String]())
      },
      Route(.get, "/api/groups/{id}/clips/{index}.mp4", ticket: .parts) { [shelf] request in
        let file = try await shelf.groupClip(request.part("id"), request.index("index"))
        let isDownload = try request.number("download", in: 0...1) == 1
        return try .file(
          file, type: file.path.videoType, attachment: isDownload ? file.path.name : nil, for: request.head)
      },
      Route(.delete, "/api/groups/{id}/clips/{index}") { [shelf] request in
        _ = try request.body(as: EmptyBody.self)
        return try .json(await shelf.removeGroupClip(request.part("id"), request.index("index")))
      },
    ]
  }
}
