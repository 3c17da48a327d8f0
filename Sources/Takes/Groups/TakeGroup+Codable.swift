import SystemPackage
import Timebase

extension TakeGroup: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case overcrank, cameras, trigger, failed, clips
  }

  /// Reads a group. Every key must be known, and every value possible.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    overcrank = try keys.decode(String.self, forKey: .overcrank)
    cameras = try keys.decode([Camera].self, forKey: .cameras)
    trigger = try keys.value(.trigger)
    failed = try keys.decodeIfPresent([Failure].self, forKey: .failed) ?? []
    clips = try keys.value(.clips) ?? []
    if let fault { throw keys.wrong(fault.key, fault.words) }
  }

  /// Writes the group.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(overcrank, forKey: .overcrank)
    try keys.encode(cameras, forKey: .cameras)
    try keys.encode(trigger, forKey: .trigger)
    try keys.encode(failed, forKey: .failed)
    try keys.encode(clips, forKey: .clips)
  }

  /// The contradiction in the group, even if each camera is right by itself; `nil` if there is none.
  var fault: (key: CodingKeys, words: String)? {
    guard let first = cameras.first else { return (.cameras, "must have at least one camera") }
    guard first.offset == .zero, first.ratePartsPerMillion == 0 else {
      return (.cameras, "the first camera is the clock of the group: its offset_ns and rate_ppm must be 0")
    }
    // A camera that failed may have left a take.
    for (key, all) in [(CodingKeys.cameras, cameras.map(\.name)), (.failed, failed.map(\.name))] {
      var names: Set<String> = []
      guard let twin = all.first(where: { !names.insert($0).inserted }) else { continue }
      return (key, "the name \"\(twin.printable)\" must be that of one camera only")
    }
    var takes: Set<FilePath> = []
    let places = cameras.map { FilePath($0.take).lexicallyNormalized() }
    if let twin = places.first(where: { !takes.insert($0).inserted }) {
      return (.cameras, "the take \"\(twin.string.printable)\" must be that of one camera only")
    }
    return nil
  }
}

extension TakeGroup.Camera: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, take
    case offset = "offset_ns"
    case ratePartsPerMillion = "rate_ppm"
    case rateUncertainty = "rate_uncertainty_ppm"
    case uncertainty = "uncertainty_ns"
    case methods = "by"
    case residuals = "residuals_ns"
    case lineTime = "line_time_ns"
  }

  /// The maximum distance of two takes of a group: thirteen days, as for the times of a take.
  static let largestOffset: Int64 = 1 << 50
  /// The maximum difference of two cameras' clocks, in millionths: a tenth, far beyond any crystal.
  static let largestRate = 100_000.0

  /// Reads a camera. Every key must be known, and every value possible.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    name = try keys.decode(String.self, forKey: .name)
    guard TakeGroup.isName(name) else { throw keys.wrong(.name, TakeGroup.nameWords) }
    take = try keys.decode(String.self, forKey: .take)
    guard Self.isInside(take) else {
      throw keys.wrong(.take, "must be a take file in the folder of the group, such as \"jump-A.take.json\",")
    }
    let offset = try keys.number(
      Int64.self, .offset, "a whole number, at most \(Self.largestOffset) to either side"
    ) { (-Self.largestOffset...Self.largestOffset).contains($0) }
    self.offset = .nanoseconds(try offset ?? keys.decode(Int64.self, forKey: .offset))
    let rate = try keys.number(Double.self, .ratePartsPerMillion, "a number between -100000 and 100000") {
      $0.magnitude <= Self.largestRate
    }
    ratePartsPerMillion = try rate ?? keys.decode(Double.self, forKey: .ratePartsPerMillion)
    rateUncertainty = try keys.number(Double.self, .rateUncertainty, "a number between 0 and 100000") {
      (0...Self.largestRate).contains($0)
    }
    uncertainty = try Self.span(keys, .uncertainty)
    lineTime = try Self.span(keys, .lineTime)
    methods = try Self.methods(keys.decode([String].self, forKey: .methods), keys, .methods)
    let residuals =
      try keys.number(
        [String: Int64].self, .residuals, "whole numbers, each at most \(Self.largestOffset) to either side"
      ) { $0.values.allSatisfy((-Self.largestOffset...Self.largestOffset).contains) } ?? [:]
    let known = try Self.methods(residuals.keys.sorted(), keys, .residuals)
    self.residuals = Dictionary(
      uniqueKeysWithValues: known.map { ($0, .nanoseconds(residuals[$0.rawValue] ?? 0)) })
  }

  /// Reads a time that is not negative; `nil` if it is unknown.
  private static func span(
    _ keys: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
  ) throws -> Duration? {
    try keys.number(Int64.self, key, "a whole number between 0 and \(largestOffset)") {
      (0...largestOffset).contains($0)
    }.map { .nanoseconds($0) }
  }

  /// Writes the camera; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(name, forKey: .name)
    try keys.encode(take, forKey: .take)
    try keys.encode(offset.wholeNanoseconds, forKey: .offset)
    try keys.encode(ratePartsPerMillion, forKey: .ratePartsPerMillion)
    try keys.encode(rateUncertainty, forKey: .rateUncertainty)
    try keys.encode(uncertainty?.wholeNanoseconds, forKey: .uncertainty)
    try keys.encode(methods, forKey: .methods)
    try keys.encode(residuals.mapValues(\.wholeNanoseconds), forKey: .residuals)
    try keys.encode(lineTime?.wholeNanoseconds, forKey: .lineTime)
  }

  private static func methods(
    _ names: [String], _ keys: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
  ) throws -> [AlignmentMethod] {
    try names.map { name in
      guard let method = AlignmentMethod(rawValue: name) else {
        let known = AlignmentMethod.allCases.map(\.rawValue).joined(separator: ", ")
        throw keys.wrong(key, "\"\(name.printable)\" is not one of \(known),")
      }
      return method
    }
  }

  /// Returns whether `take` is the path of a take file in its group's folder, or in a folder there.
  static func isInside(_ take: String) -> Bool {
    let path = FilePath(take)
    return take.hasSuffix(TakeFiles.takeSuffix) && take.count > TakeFiles.takeSuffix.count
      && path.isRelative && !path.components.contains { $0.kind == .parentDirectory }
      && path.string.utf8.elementsEqual(take.utf8)
  }
}

extension KeyedDecodingContainer {
  /// Returns the value of `key`; `nil` if it is absent or `null`.
  ///
  /// - Throws: `DecodingError`, also for a number in it that its type cannot hold, of which the decoder does not tell
  ///   where it is.
  fileprivate func value<Value: Decodable>(_ key: Key) throws -> Value? {
    do { return try decodeIfPresent(Value.self, forKey: key) } catch {
      guard error is DecodingError else { throw wrong(key, "has a number that it cannot have") }
      throw error
    }
  }

  /// Returns the number, or the numbers, of `key`; `nil` if it is absent or `null`.
  ///
  /// - Parameters:
  ///   - words: what it must be.
  ///   - isPossible: returns whether it is.
  /// - Throws: `DecodingError` with these words for any other value, also for a number that the type cannot hold.
  fileprivate func number<Value: Decodable>(
    _ type: Value.Type, _ key: Key, _ words: String, _ isPossible: (Value) -> Bool
  ) throws -> Value? {
    guard let number = try presence(key, type, words) ?? nil else { return nil }
    guard isPossible(number) else { throw wrong(key, "must be \(words)") }
    return number
  }
}

extension TakeGroup.Failure: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, camera, error
  }

  /// Reads a failure. Every key must be known.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    name = try keys.decode(String.self, forKey: .name)
    guard TakeGroup.isName(name) else { throw keys.wrong(.name, TakeGroup.nameWords) }
    camera = try keys.decode(String.self, forKey: .camera)
    error = try keys.decode(String.self, forKey: .error)
  }

  /// Writes the failure.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(name, forKey: .name)
    try keys.encode(camera, forKey: .camera)
    try keys.encode(error, forKey: .error)
  }
}

extension TakeGroup {
  /// Returns whether `name` can name a camera: a part of file names that needs no quotes.
  static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }

  static let nameWords = "must have 1 to 64 letters, digits, - or _"
}
