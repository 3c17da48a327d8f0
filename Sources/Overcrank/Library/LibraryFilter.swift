public import FoundationEssentials
public import Takes

/// Which entries of a library are wanted.
public struct LibraryFilter: Sendable {
  /// The first moment that counts; `nil` for all before ``end``.
  public var start: Date?
  /// The first moment that counts no more; `nil` for all from ``start`` on.
  public var end: Date?
  /// A part of the camera's name, card or driver, in any case.
  public var camera: String?
  /// A part of the label, in any case.
  public var label: String?

  /// All entries, or those of which these hold.
  public init(start: Date? = nil, end: Date? = nil, camera: String? = nil, label: String? = nil) {
    self.start = start
    self.end = end
    self.camera = camera
    self.label = label
  }

  /// Whether `entry` is wanted. What has no readable take has neither camera nor label.
  public func admits(_ entry: LibraryEntry) -> Bool {
    if start != nil || end != nil {
      guard let date = try? Date(entry.date, strategy: .iso8601) else { return false }
      if let start, date < start { return false }
      if let end, date >= end { return false }
    }
    let take = entry.description
    if let camera {
      let names = [take?.camera.name, take?.camera.card, take?.camera.driver].compactMap(\.self)
      guard names.contains(where: { $0.lowercased().contains(camera.lowercased()) }) else { return false }
    }
    if let label {
      guard take?.label?.lowercased().contains(label.lowercased()) ?? false else { return false }
    }
    return true
  }
}
