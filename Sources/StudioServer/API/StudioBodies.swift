import Overcrank

/// A request for another camera, another mode, or both.
struct CameraBody: Decodable {
  /// The letter of the camera to change.
  let camera: String?
  let id: String?
  let wish: StudioModeRequest?

  private enum CodingKeys: CodingKey, CaseIterable { case camera, id, fps, mode }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    camera = try keys.text(.camera) ?? nil
    id = try keys.text(.id) ?? nil
    let rate = try keys.number(.fps)
    let mode = try keys.presence(.mode, ModeBody.self) ?? nil
    switch (rate, mode) {
    case (nil, nil): wish = nil
    case (nil, let mode?):
      wish = .mode(fourcc: mode.fourcc, width: mode.width, height: mode.height, interval: mode.interval)
    case (let rate?, nil):
      guard rate > 0, rate < 1e6 else { throw keys.wrong(.fps, "must be a rate, such as 240") }
      wish = .rate(rate)
    case (_?, _?):
      throw APIError.badRequest("\"fps\" and \"mode\" both choose a mode; give only one of them.")
    }
  }
}

private struct ModeBody: Decodable {
  let fourcc: String
  let width: UInt32
  let height: UInt32
  let interval: FrameInterval

  private enum CodingKeys: CodingKey, CaseIterable { case fourcc, width, height, interval }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    fourcc = try keys.required(.fourcc, keys.text(.fourcc) ?? nil)
    width = UInt32(clamping: try keys.required(.width, keys.whole(.width)))
    height = UInt32(clamping: try keys.required(.height, keys.whole(.height)))
    let terms = try keys.required(
      .interval, keys.presence(.interval, [Int64].self, "a list of whole numbers") ?? nil
    ).map { UInt32(clamping: $0) }
    guard terms.count == 2, terms.allSatisfy({ $0 > 0 }) else {
      throw keys.wrong(.interval, "must be a fraction of a second, such as [1, 240]")
    }
    interval = FrameInterval(terms[0], terms[1])
  }
}

/// A take to begin.
struct RecordBody: Decodable {
  /// The take's length; `nil` to record until it is stopped.
  let duration: Duration?

  private enum CodingKeys: String, CodingKey, CaseIterable { case duration = "duration_ns" }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    duration = try keys.time(.duration)
    guard duration != .zero else { throw keys.wrong(.duration, "must be above 0") }
  }
}

/// A photo to take.
struct PhotoBody: Decodable {
  /// Whether the camera's light is on for it.
  let isLit: Bool
  /// The letter of the camera.
  let camera: String?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case isLit = "light"
    case camera
  }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    isLit = try keys.flag(.isLit) ?? false
    camera = try keys.text(.camera) ?? nil
  }
}

/// A setup to save.
struct SetupBody: Decodable {
  let name: String
  let replaces: Bool

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name
    case replaces = "replace"
  }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    name = try keys.required(.name, keys.text(.name, most: 100) ?? nil)
    replaces = try keys.flag(.replaces) ?? false
  }
}

/// A control's new value, and the speed of its change.
struct ControlBody: Decodable {
  let value: Int64
  /// Units per second; `nil` to set the value at once.
  let rate: Double?

  private enum CodingKeys: CodingKey, CaseIterable { case value, rate }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    value = try keys.required(.value, keys.whole(.value))
    rate = try keys.number(.rate)
    guard rate.map({ (0.001...1e9).contains($0) }) ?? true else {
      throw keys.wrong(.rate, "must be a number from 0.001 to 1000000000")
    }
  }
}

/// A part of a review to save.
struct SaveBody: Decodable {
  let first: Int
  let last: Int
  let speed: String?
  let label: String?
  /// The other settings of its clip.
  let render: RenderSpec

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case first, last, speed, label, crop, scale, text, order, format
    case purpose = "for"
  }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    first = Int(clamping: try keys.required(.first, keys.whole(.first)))
    last = Int(clamping: try keys.required(.last, keys.whole(.last)))
    speed = try keys.speed(.speed) ?? nil
    label = try keys.label(.label) ?? nil
    render = try ClipBody(among: decoder).render
  }
}

extension StudioSettings.Motion: Decodable {
  /// Reads the settings as `PUT /api/settings` takes them.
  package init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    var settings = MotionSettings()
    if let threshold = try keys.whole(.threshold) {
      settings.threshold = try MotionSettings.threshold(text: "\(threshold)")
    }
    if let area = try keys.number(.area) { settings.area = try MotionSettings.area(text: "\(area)") }
    if let region = try keys.text(.region) ?? nil {
      settings.region = try MotionSettings.region(text: region)
    }
    self.init(settings: settings, triggers: try keys.flag(.triggers) ?? true)
  }
}

extension KeyedDecodingContainer {
  /// Returns the label; an empty text removes it, as `null` does.
  func label(_ key: Key) throws -> String?? {
    try text(key, most: 200).map { $0?.isEmpty == true ? nil : $0 }
  }
}
