import Platform
import CameraModel
import Media

/// The stages that the pictures of a clip go through, at most one of each kind, always in the same order.
public struct PictureStages: Hashable, Sendable {
  /// The kinds of stages, in the order in which pictures go through them.
  static let kinds: [any PictureStage.Type] = [
    DeinterlacingOptions.self,
    DevelopmentOptions.self,
    PictureTurn.self,
    ClipCrop.self,
    ClipScale.self,
    Deflicker.self,
    ToneMapping.self,
    ClipZoom.self,
    FrameStamp.self,
    ClipText.self,
    PlaybackOrder.self,
  ]

  private var stages: [any PictureStage] = []

  /// Creates a list of these stages, ignoring `nil`.
  public init(_ stages: (any PictureStage)?...) { for stage in stages { stage.map { put($0) } } }

  /// The default stages of a clip: a raw source is developed.
  public static let usual = PictureStages(DevelopmentOptions())

  /// The stage of this kind; `nil` if there is none.
  public subscript<Stage: PictureStage>(_ kind: Stage.Type) -> Stage? {
    get { stages.lazy.compactMap { $0 as? Stage }.first }
    set {
      stages.removeAll { $0 is Stage }
      if let newValue { put(newValue) }
    }
  }

  /// Returns these stages with `others`, which replace those of their kind; `nil` is ignored.
  public func with(_ others: (any PictureStage)?...) -> PictureStages {
    var all = self
    for stage in others { stage.map { all.put($0) } }
    return all
  }

  private mutating func put(_ stage: any PictureStage) {
    let place = Self.place(of: stage)
    stages.removeAll { type(of: $0).name == type(of: stage).name }
    stages.insert(stage, at: stages.firstIndex { Self.place(of: $0) > place } ?? stages.count)
  }

  private static func place(_ name: String) -> Int? { kinds.firstIndex { $0.name == name } }

  /// Foreign stages come last: they neither move nor change pixels.
  private static func place(of stage: any PictureStage) -> Int {
    place(type(of: stage).name) ?? kinds.count
  }

  /// Returns whether both have equal stages.
  public static func == (one: PictureStages, other: PictureStages) -> Bool {
    one.stages.map { AnyHashable($0) } == other.stages.map { AnyHashable($0) }
  }

  /// Adds all stages to `hasher`.
  public func hash(into hasher: inout Hasher) { for stage in stages { hasher.combine(AnyHashable(stage)) } }
}

extension PictureStages {
  /// The stages that only move pixels.
  var moving: [any MovingStage] { stages.compactMap { $0 as? any MovingStage } }

  /// Returns the stages that change pixels, either overlays or the others.
  func changing(overlays: Bool) -> [any ChangingStage] {
    stages.compactMap { $0 as? any ChangingStage }.filter { type(of: $0).isOverlay == overlays }
  }

  /// Returns the stages of the composed picture of several cameras, or those of each camera's.
  func shared(_ areShared: Bool) -> PictureStages {
    var some = self
    some.stages.removeAll { type(of: $0).isShared != areShared }
    return some
  }

  func check(filling fill: Fill) throws(OvercrankError) {
    for stage in stages { try stage.check(filling: fill) }
  }

  func wholeSourceNeed(of video: VideoTrack?, sensor: SensorFacts?) -> WholeSourceNeed? {
    stages.lazy.compactMap { $0.wholeSourceNeed(of: video, sensor: sensor) }.first
  }
}

extension PictureStages: Codable {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Decodes a list of objects, each with one stage under its name.
  ///
  /// - Throws: `DecodingError` for stages that this version does not know.
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd {
      let item = try list.nestedContainer(keyedBy: Name.self)
      for name in item.allKeys {
        guard let place = Self.place(name.stringValue) else {
          throw DecodingError.dataCorruptedError(
            forKey: name, in: item, debugDescription: "there is no stage \(name.stringValue)")
        }
        put(try Self.kinds[place].init(from: item.superDecoder(forKey: name)))
      }
    }
  }

  /// Encodes the stages in their order.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for stage in stages {
      var item = list.nestedContainer(keyedBy: Name.self)
      try item.encode(stage, forKey: Name(stringValue: type(of: stage).name))
    }
  }
}
