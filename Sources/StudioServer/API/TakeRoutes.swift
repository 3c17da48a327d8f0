import Overcrank

/// The routes of takes.
struct TakeRoutes {
  let shelf: TakeCatalog
  let studio: any StudioCalls
  let limits: ServerLimits

  var all: [Route] {
    [
      Route(.get, "/api/takes") { [shelf] _ in try .json(await shelf.all()) },
      Route(.get, "/api/takes/{id}") { [shelf] in try .json(await shelf.take($0.part("id"))) },
      Route(.patch, "/api/takes/{id}") { [shelf] request in
        let label = try request.body(as: LabelBody.self).label
        return try .json(await shelf.label(request.part("id"), label))
      },
      Route(.delete, "/api/takes/{id}") { [shelf] request in
        _ = try request.body(as: EmptyBody.self)
        try await shelf.remove(request.part("id"))
        return .empty
      },
      Route(.post, "/api/takes/{id}/trash") { [shelf] request in
        _ = try request.body(as: EmptyBody.self)
        return try .json(["id": await shelf.moveToTrash(request.part("id"))])
      },
      Route(.get, "/api/trash") { [shelf] _ in try .json(await shelf.trash()) },
      Route(.delete, "/api/trash") { [shelf] request in
        _ = try request.body(as: EmptyBody.self)
        try await shelf.emptyTrash()
        return .empty
      },
      Route(.post, "/api/trash/{id}/restore") { [shelf] request in
        _ = try request.body(as: EmptyBody.self)
        return try .json(await shelf.restore(request.part("id")))
      },
      Route(.get, "/api/takes/{id}/thumbnail.jpg", ticket: .once) { [shelf] in
        .jpeg(try await shelf.thumbnail($0.part("id")))
      },
      Route(.get, "/api/takes/{id}/frames") { [shelf] in try .json(await shelf.frames($0.part("id"))) },
      Route(.get, "/api/takes/{id}/frames/{index}.jpg", ticket: .once) { [shelf] request in
        .jpeg(
          try await shelf.frame(
            request.part("id"), request.index("index"), width: request.number("width", in: 16...4096) ?? 960))
      },
      Route(.get, "/api/takes/{id}/clips/{index}.mp4", ticket: .parts) { [shelf] request in
        let file = try await shelf.clip(request.part("id"), request.index("index"))
        let isDownload = try request.number("download", in: 0...1) == 1
        return try .file(
          file, type: file.path.videoType, attachment: isDownload ? file.path.name : nil, for: request.head)
      },
      Route(.delete, "/api/takes/{id}/clips/{index}") { [shelf] request in
        _ = try request.body(as: EmptyBody.self)
        return try .json(await shelf.removeClip(request.part("id"), request.index("index")))
      },
      Route(.get, "/api/takes/{id}/photo", ticket: .parts) { [shelf] in
        try await photo($0, shelf.photo($0.part("id")))
      },
      Route(.get, "/api/takes/{id}/photos/{index}", ticket: .parts) { [shelf] in
        try await photo($0, shelf.photo($0.part("id"), $0.index("index")))
      },
      Route(.get, "/api/takes/{id}/video", ticket: .parts) { [shelf] request in
        let file = try await shelf.photoVideo(request.part("id"))
        let isDownload = try request.number("download", in: 0...1) == 1
        return try .file(
          file, type: file.path.videoType, attachment: isDownload ? file.path.name : nil, for: request.head)
      },
      Route(.get, "/api/takes/{id}/master", ticket: .parts) { [shelf] request in
        let file = try await shelf.master(request.part("id"))
        return try .file(file, type: file.path.videoType, attachment: file.path.name, for: request.head)
      },
      Route(.post, "/api/zips") { [shelf] request in
        let body = try request.body(as: ZipBody.self)
        let (id, layout) = try await shelf.makeZip(body.ids, withMasters: body.withMasters)
        return try .json(ZipResponse(id: id, bytes: layout.length, files: layout.entries.map(\.name)))
      },
      Route(.get, "/api/zips/{id}.zip", ticket: .parts) { [shelf] request in
        Response(
          fields: [.init("Content-Type", "application/zip"), Response.disposition("overcrank.zip")],
          body: try shelf.zip(request.part("id")))
      },
      Route(.post, "/api/uploads") { [shelf, studio, limits] request in
        let body = try request.body(as: UploadBody.self)
        guard await !studio.state().phase.isRecording else {
          throw APIError.notNow("A take is being recorded. Add videos afterwards.")
        }
        return try .json(["id": await shelf.prepareUpload(body.name, body.bytes, limits)])
      },
      Route(
        .put, "/api/uploads/{id}",
        uploading: { [shelf, limits] request in
          try await shelf.openUpload(request.part("id"), request.head.bodyBytes, limits)
        }),
      Route(.post, "/api/takes/{id}/clips") { [shelf] request in
        let clip = try request.body(as: ClipBody.self)
        guard clip.render.layout == nil else {
          throw APIError.badRequest("\"layout\" arranges the cameras of a group. Leave it out.")
        }
        try await shelf.makeClip(
          request.part("id"), clip.render, first: clip.first, last: clip.last)
        return try .json([String: String](), status: 202)
      },
      Route(.delete, "/api/takes/{id}/clips") { [shelf] request in
        try await shelf.cancelClips(request.part("id"))
        return try .json([String: String]())
      },
      Route(.post, "/api/takes/{id}/stills") { [shelf] request in
        try .json(["file": await shelf.still(request.part("id"), request.body(as: PlaceBody.self).place)])
      },
      Route(.post, "/api/takes/{id}/motion-photos") { [shelf] request in
        try .json([
          "file": await shelf.motionPhoto(request.part("id"), request.body(as: PlaceBody.self).place)
        ])
      },
    ]
  }
}

/// Returns the response with a photo's file.
private func photo(
  _ request: Request, _ photo: (file: InputFile, type: String)
) throws -> Response {
  let isDownload = try request.number("download", in: 0...1) == 1
  return try .file(
    photo.file, type: photo.type, attachment: isDownload ? photo.file.path.name : nil, for: request.head)
}

/// The new label of a take, or of all takes of a group.
struct LabelBody: Decodable {
  let label: String?

  private enum CodingKeys: CodingKey, CaseIterable { case label }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    label = try keys.required(.label, keys.label(.label))
  }
}

/// The items of an archive.
private struct ZipBody: Decodable {
  let ids: [String]
  let withMasters: Bool

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case ids
    case withMasters = "with_masters"
  }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    ids = try keys.required(.ids, keys.presence(.ids, [String].self, "a list of ids") ?? nil)
    guard !ids.isEmpty else { throw keys.wrong(.ids, "must have an id") }
    withMasters = try keys.flag(.withMasters) ?? false
  }
}

/// A video to add.
private struct UploadBody: Decodable {
  let name: String
  let bytes: Int64

  private enum CodingKeys: CodingKey, CaseIterable { case name, bytes }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    name = try keys.required(.name, keys.text(.name) ?? nil)
    bytes = try keys.required(.bytes, keys.whole(.bytes))
    guard bytes > 0 else { throw keys.wrong(.bytes, "must be above 0") }
  }
}

extension StudioState.Phase {
  /// Whether frames are on their way to the disk, or to memory for a review.
  fileprivate var isRecording: Bool { [.recording, .gathering, .saving].contains(self) }
}

/// An archive that can be downloaded.
private struct ZipResponse: Encodable {
  let id: String
  let bytes: Int64
  let files: [String]
}

/// The part of a take or of a group for a new clip, and the settings of the clip.
struct ClipBody: Decodable {
  let render: RenderSpec
  let first: Int?
  let last: Int?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case speed, first, last, fill, layout, crop, scale, text, order, format
    case purpose = "for"
  }

  init(from decoder: any Decoder) throws { try self.init(decoder.known(CodingKeys.self)) }

  /// Reads the keys of a clip from a body that has others too.
  init(among decoder: any Decoder) throws { try self.init(decoder.container(keyedBy: CodingKeys.self)) }

  private init(_ keys: KeyedDecodingContainer<CodingKeys>) throws {
    /// Returns the value of a text; `nil` if there is none.
    func parsed<Value>(_ key: CodingKeys, _ parse: (String) throws -> Value) throws -> Value? {
      guard let text = try keys.text(key) ?? nil else { return nil }
      do { return try parse(text) } catch { throw keys.wrong(key, "is invalid: \(error)") }
    }
    func choice<Value: CaseIterable & RawRepresentable>(_ text: String) throws -> Value
    where Value.RawValue == String {
      guard let value = Value(rawValue: text) else {
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw QuantityError(text, expected: "one of \(names)")
      }
      return value
    }
    let format: Container? = try parsed(.format) { try choice($0) }
    let purpose: ClipPurpose? = try parsed(.purpose) { try choice($0) }
    guard purpose != .edit || format == nil else {
      throw APIError.badRequest("\"for\" and \"format\" both choose a format; give only one of them.")
    }
    var spec = purpose?.spec ?? RenderSpec()
    spec.speed = try (keys.speed(.speed) ?? nil).map { try SpeedCurve(text: $0) }
    spec.stages = spec.stages.with(
      try parsed(.crop) { try ClipCrop(text: $0) }, try parsed(.scale) { try ClipScale(text: $0) },
      try parsed(.text) { try ClipText(text: $0) }, try parsed(.order) { try choice($0) as PlaybackOrder })
    spec.codec = format?.onlyCodec ?? spec.codec
    spec.quality = purpose?.quality(of: spec.codec)
    spec.fill = try parsed(.fill) { try choice($0) } ?? spec.fill
    spec.layout = try parsed(.layout) { try choice($0) }
    guard purpose != .phone || spec.layout == nil else {
      throw APIError.badRequest("\"for\": \"phone\" would cut off cameras of a group. Give \"crop\" instead.")
    }
    render = spec
    guard [nil, .mp4].contains(format) || format?.isAnimation == true else {
      throw keys.wrong(.format, "must be mp4, gif, webp or apng")
    }
    first = try keys.whole(.first).map { Int(clamping: $0) }
    last = try keys.whole(.last).map { Int(clamping: $0) }
  }
}

/// A choice of one of a take's frames.
private struct PlaceBody: Decodable {
  let place: TakeCatalog.Place

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case frame
    case time = "at_ns"
  }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    switch (try keys.whole(.frame), try keys.time(.time)) {
    case (let frame?, nil):
      guard frame >= 0 else { throw keys.wrong(.frame, "must be 0 or more") }
      place = .frame(Int(clamping: frame))
    case (nil, let time?): place = .time(time)
    case (nil, nil): place = .key
    case (_?, _?):
      throw APIError.badRequest("\"frame\" and \"at_ns\" both choose a frame; give only one of them.")
    }
  }
}
