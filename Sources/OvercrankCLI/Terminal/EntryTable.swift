import Foundation
import Overcrank

/// A table of takes and photos with one line for each. On a narrow terminal, it has fewer columns.
struct EntryTable {
  private enum Column: String, CaseIterable {
    case label, group, date, camera, mode, length, speed, lost, size, name

    /// Whether the column holds numbers, which are aligned to the right.
    var isNumber: Bool { [.length, .lost, .size].contains(self) }
    /// The columns to drop on a narrow terminal, in this order.
    static let dispensable: [Column] = [.camera, .speed, .mode, .length, .group, .size]
  }

  private let rows: [[Column: String]]

  /// The most characters of a speed that are shown: a drawn curve has dozens of points.
  private static let longestSpeed = 24

  init(_ entries: [LibraryEntry]) {
    var groups = GroupIndex()
    rows = entries.map { entry in
      var row = Self.row(entry)
      row[.group] = (groups.group(ofTake: entry.path)?.name ?? "").printable
      return row
    }
  }

  /// Returns the table's lines.
  func text(width: Int?) -> String {
    var columns = Column.allCases
    // An entirely empty column carries no information.
    columns.removeAll { column in
      [.label, .group].contains(column) && rows.allSatisfy { ($0[column] ?? "").isEmpty }
    }
    let widths = widths(columns)
    for column in Column.dispensable
    where columns.reduce(0, { $0 + (widths[$1] ?? 0) + 2 }) > width ?? .max {
      columns.removeAll { $0 == column }
    }
    let head = Dictionary(uniqueKeysWithValues: columns.map { ($0, $0.rawValue) })
    return ([head] + rows).map { row in
      var line = ""
      for column in columns {
        let text = row[column] ?? ""
        let padding = String(repeating: " ", count: max(0, (widths[column] ?? 0) - text.count))
        line += column.isNumber ? padding + text : text + padding
        line += "  "
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  private func widths(_ columns: [Column]) -> [Column: Int] {
    var widths: [Column: Int] = [:]
    for column in columns {
      widths[column] = rows.reduce(column.rawValue.count) { max($0, $1[column]?.count ?? 0) }
    }
    return widths
  }

  private static func row(_ entry: LibraryEntry) -> [Column: String] {
    var row: [Column: String] = [.date: entry.localDate, .size: entry.bytes.sizeWords]
    row[.name] = ([entry.name] + entry.remarks.map { "(\($0))" }).joined(separator: " ").printable
    row[.label] = (entry.label ?? "").printable
    if let photo = entry.photo {
      row[.camera] = (photo.tags.camera ?? "").printable
      row[.mode] = photo.kindWords
    }
    guard let take = entry.description else { return row }
    row[.camera] = (take.camera.card ?? take.camera.name).printable
    row[.mode] = "\(take.mode.width)x\(take.mode.height) \(take.mode.fourcc)".printable
    if let rate = take.measuredFramesPerSecond { row[.mode]? += " \(FrameRate.text(rate))" }
    row[.length] = take.length.map { "\($0.inSeconds.decimal(places: 2)) s" }
    let speed = take.clips.first { $0.isMoved != true }?.speed ?? ""
    row[.speed] = speed.count > Self.longestSpeed ? "curve" : speed.printable
    row[.lost] = "\(take.frames.lost.total)"
    return row
  }
}

extension LibraryEntry {
  /// Remarks about the entry that its take does not contain.
  var remarks: [String] {
    let what: String? =
      switch kind {
      case .take, .photo: nil
      case .newerTake(let version): "a take from Overcrank \(version), which is newer than this version"
      case .damagedTake(let reason): "damaged: \(reason)"
      case .unreadableTake(let error), .unreadablePhoto(let error), .damagedGroup(let error):
        error.description
      case .takelessMaster: partState?.words ?? "a master without a take"
      case .part: partState?.words
      case .unfinishedPhoto:
        partState == .growing
          ? "a photo that another program is making"
          : "left of a photo that was cut off: \"overcrank takes remove \(path.name.shellWord)\" deletes it"
      case .unfinishedFile:
        partState == .growing
          ? "another program is writing \(path.withoutExtension.name)"
          : "left of \(path.withoutExtension.name), which was cut off while it was written: \"overcrank takes remove "
            + "\(path.name.shellWord)\" deletes it"
      }
    return [what].compactMap(\.self) + problems.map(\.description)
  }

  /// The time at which it began, on the local clock.
  fileprivate var localDate: String {
    guard let date = try? Date(date, strategy: .iso8601) else {
      return date.isEmpty ? "unknown" : date.printable
    }
    let parts = Calendar.current.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    return String(
      format: "%04d-%02d-%02d %02d:%02d:%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
      parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
  }
}

extension LibraryEntry.PartState {
  /// The state of the part, and the remedy.
  fileprivate var words: String {
    switch self {
    case .growing: "another program is recording it, or is armed"
    case .cutOff: "a recording that was cut off: \"overcrank recover\" completes it"
    case .recovered: "left of a recording that has been recovered; \"overcrank takes remove\" deletes it"
    case .empty: "empty: prepared for a take that was never recorded; \"overcrank takes remove\" deletes it"
    }
  }
}
