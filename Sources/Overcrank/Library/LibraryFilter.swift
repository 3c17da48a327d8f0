public import FoundationEssentials
public import Takes

/// A filter for the entries of a library.
public struct LibraryFilter: Sendable {
  /// The start of the period; `nil` for all before ``end``.
  public var start: Date?
  /// The end of the period, exclusive; `nil` for all from ``start`` on.
  public var end: Date?
  /// A part of the camera's name, card or driver; case-insensitive.
  public var camera: String?
  /// A part of the label; case-insensitive.
  public var label: String?

  /// Creates a filter that admits all entries, or those that match these values.
  public init(start: Date? = nil, end: Date? = nil, camera: String? = nil, label: String? = nil) {
    self.start = start
    self.end = end
    self.camera = camera
    self.label = label
  }

  /// Returns whether `entry` matches. The remains of a take have neither camera nor label.
  public func admits(_ entry: LibraryEntry) -> Bool {
    if start != nil || end != nil {
      guard let date = try? Date(entry.date, strategy: .iso8601) else { return false }
      if let start, date < start { return false }
      if let end, date >= end { return false }
    }
    let take = entry.description
    if let camera {
      let names = [take?.camera.name, take?.camera.card, take?.camera.driver, entry.photo?.tags.camera]
        .compactMap(\.self)
      guard names.contains(where: { $0.lowercased().contains(camera.lowercased()) }) else { return false }
    }
    if let label {
      guard entry.label?.lowercased().contains(label.lowercased()) ?? false else { return false }
    }
    return true
  }
}
