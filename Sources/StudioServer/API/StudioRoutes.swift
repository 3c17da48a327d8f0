import CameraModel
import Capture
import Media
import Platform
import Retime
import Timebase

/// What can be asked of the studio itself.
struct StudioRoutes {
  let studio: any StudioCalls

  var all: [Route] { state + camera + live + review }

  /// A command without a body, which answers the state.
  private func command(_ path: String, _ act: @escaping @Sendable (any StudioCalls) async throws -> Void)
    -> Route
  {
    Route(.post, path) { [studio] request in
      try JSONObject(request.body).end()
      try await act(studio)
      return try .json(await studio.state())
    }
  }

  private var state: [Route] {
    [
      Route(.get, "/api/state") { [studio] _ in try .json(await studio.state()) },
      command("/api/trigger") { try await $0.trigger() },
      command("/api/record") { try await $0.record() },
      command("/api/stop") { try await $0.stop() },
      command("/api/resume") { try await $0.resume() },
      command("/api/arm") { try await $0.arm() },
      command("/api/photo") { try await $0.photo() },
      command("/api/motion-photo") { try await $0.motionPhoto() },
      Route(.put, "/api/settings") { [studio] request in
        try await studio.change(SettingsChange(JSONObject(request.body)))
        return try .json(await studio.state())
      },
    ]
  }

  private var camera: [Route] {
    [
      Route(.get, "/api/cameras") { [studio] _ in try .json(await studio.cameras()) },
      Route(.get, "/api/microphones") { [studio] _ in try .json(await studio.microphones()) },
      Route(.put, "/api/camera") { [studio] request in
        var body = try JSONObject(request.body)
        let id = try body.text("id").value
        let wish = try StudioModeWish(&body)
        try body.end()
        try await studio.useCamera(id, wish)
        return try .json(await studio.state())
      },
      Route(.get, "/api/camera/modes") { [studio] _ in try .json(await studio.modes()) },
      Route(.get, "/api/controls") { [studio] _ in try .json(await studio.controls()) },
      Route(.put, "/api/controls/{name}") { [studio] request in
        var body = try JSONObject(request.body)
        let value = try body.whole("value").required("value")
        let rate = try body.number("rate").value
        try body.end()
        guard rate.map({ Self.rates.contains($0) }) ?? true else {
          throw APIError.badRequest("\"rate\" must be a number from 0.001 to 1000000000.")
        }
        return try .json(await studio.setControl(request.part("name"), to: value, rate: rate))
      },
    ]
  }

  /// How many of its units a control may move in a second.
  private static let rates = 0.001...1e9

  private var live: [Route] {
    [
      Route(.get, "/api/preview.jpg", ticket: .once) { [studio] request in
        let after = try request.number("after", in: 0...Int(UInt32.max)).map { UInt32($0) }
        guard let picture = try await studio.preview(after: after, width: Self.width(request)) else {
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
        let width = try Self.width(request)
        let boundary = "frame"
        return Response(
          fields: [.init("Content-Type", "multipart/x-mixed-replace; boundary=\(boundary)")],
          body: .stream { writer in
            var last: UInt32?
            while !Task.isCancelled {
              guard let picture = try await studio.preview(after: last, width: width) else { continue }
              last = picture.sequence
              let head =
                "--\(boundary)\r\nContent-Type: image/jpeg\r\nContent-Length: \(picture.jpeg.count)\r\n"
                + "Overcrank-Sequence: \(picture.sequence)\r\n\r\n"
              // One write: the next picture is looked for only when this one has gone.
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
        var body = try JSONObject(request.body)
        let first = try body.whole("first").required("first")
        let last = try body.whole("last").required("last")
        let speed = try body.text("speed", most: JSONObject.longestCurve).value
        if let speed { _ = try SpeedCurve(asked: speed, "speed") }
        let label = try body.text("label").value
        try body.end()
        try await studio.save(
          first: Int(clamping: first), last: Int(clamping: last), speed: speed,
          label: label?.isEmpty == true ? nil : label)
        return try .json(await studio.state())
      },
    ]
  }

  private static func width(_ request: Request) throws -> Int {
    try request.number("width", in: 16...1920) ?? 960
  }
}

extension StudioModeWish {
  /// - Throws: ``APIError``.
  fileprivate init?(_ body: inout JSONObject) throws {
    let rate = try body.number("fps").value
    guard var mode = try body.object("mode").value else {
      guard let rate else { return nil }
      guard rate > 0, rate < 1e6 else { throw APIError.badRequest("\"fps\" must be a rate, such as 240.") }
      self = .rate(rate)
      return
    }
    guard rate == nil else {
      throw APIError.badRequest("\"fps\" and \"mode\" both choose a mode; give one of them.")
    }
    let fourcc = try mode.text("fourcc").required("mode.fourcc")
    let sides = try ["width", "height"].map { UInt32(clamping: try mode.whole($0).required("mode.\($0)")) }
    let terms = try mode.wholes("interval").required("mode.interval").map { UInt32(clamping: $0) }
    try mode.end()
    guard terms.count == 2, terms.allSatisfy({ $0 > 0 }) else {
      throw APIError.badRequest("\"mode.interval\" must be a fraction of a second, such as [1, 240].")
    }
    self = .mode(
      fourcc: fourcc, width: sides[0], height: sides[1],
      interval: FrameInterval(terms[0], terms[1]))
  }
}

extension SettingsChange {
  /// - Throws: ``APIError``.
  init(_ body: JSONObject) throws {
    var body = body
    preRoll = try body.time("pre_ns").value
    postRoll = try body.time("post_ns").value
    if let text = try body.text("after_trigger").value {
      guard let known = StudioSettings.AfterTrigger(rawValue: text) else {
        throw APIError.badRequest("\"after_trigger\" must be save, review or continue.")
      }
      afterTrigger = known
    }
    microphone = try body.text("microphone").present
    speed = try body.text("speed", most: JSONObject.longestCurve).present
    if let text = speed ?? nil { _ = try SpeedCurve(asked: text, "speed") }
    if let degrees = try body.whole("rotate").value {
      guard [0, 90, 180, 270].contains(degrees) else {
        throw APIError.badRequest("\"rotate\" must be 0, 90, 180 or 270.")
      }
      rotate = Int(degrees)
    }
    mirror = try body.flag("mirror").value
    switch try body.object("motion") {
    case .absent: break
    case .null: motion = .some(nil)
    case .value(let object): motion = .some(try StudioSettings.Motion(object))
    }
    label = try body.text("label").present.map { $0?.isEmpty == true ? nil : $0 }
    try body.end()
  }
}

extension StudioSettings.Motion {
  fileprivate init(_ body: JSONObject) throws {
    var body = body
    var settings = MotionSettings()
    if let threshold = try body.whole("threshold").value {
      settings.threshold = try MotionSettings.threshold(text: "\(threshold)")
    }
    if let area = try body.number("area").value { settings.area = try MotionSettings.area(text: "\(area)") }
    if let region = try body.text("region").value {
      settings.region = try MotionSettings.region(text: region)
    }
    let triggers = try body.flag("triggers").value ?? true
    try body.end()
    self.init(settings: settings, triggers: triggers)
  }
}
