import CameraModel
import SystemPackage

/// The output of `v4l2-ctl --list-formats-ext` for one or more devices, with any text around it.
struct Listing {
  /// The output for one node.
  struct Section {
    var node: FilePath?
    var facts: [ListingLine.Fact: String] = [:]
    var type: String?
    var formats: [String] = []
    var rows: [ModeRow] = []
    /// Whether its list has begun; facts about a device precede its list.
    var isListing = false

    /// The formats for which no size is printed.
    var sizeless: [String] {
      let sized = Set(rows.map(\.fourcc))
      return formats.filter { !sized.contains($0) }
    }

    var isCapture: Bool { type?.hasPrefix("Video Capture") ?? true }
  }

  /// A line that cannot be read.
  struct BadLine: Error {
    var number: Int
    var text: String
  }

  private(set) var sections: [Section] = []
  private var current = Section()
  private var fourcc: String?
  /// Whether following intervals belong to the last row.
  private var hasOpenRow = false

  /// - Throws: ``BadLine`` for an invalid size or interval; other unknown lines are ignored.
  init(_ text: String) throws(BadLine) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      guard take(ListingLine(line)) else { throw BadLine(number: index + 1, text: String(line)) }
    }
    begin()
  }

  /// Takes a line; returns whether it is valid in its place.
  private mutating func take(_ line: ListingLine) -> Bool {
    switch line {
    case .other: break
    case .malformed: return fourcc == nil
    case .node(let node):
      if current.isListing { begin() }
      current.node = node
    case .fact(let fact, let value):
      if current.isListing { begin() }
      current.facts[fact] = current.facts[fact] ?? value
    case .list:
      if current.isListing { begin() }
      current.isListing = true
    case .index: current.isListing = true
    case .type(let type): current.type = type
    // A node's present format, which v4l2-ctl prints in the same words, precedes its list.
    case .setFormat(let code): if current.isListing { open(format: code) }
    case .format(let code): open(format: code)
    case .size(let size): open(size)
    case .intervals(let intervals):
      if hasOpenRow { current.rows[current.rows.count - 1].add(intervals) }
    }
    return true
  }

  private mutating func begin() {
    if current.isListing { sections.append(current) }
    current = Section()
    (fourcc, hasOpenRow) = (nil, false)
  }

  private mutating func open(format code: String) {
    current.isListing = true
    if current.isCapture { current.formats.append(code) }
    (fourcc, hasOpenRow) = (code, false)
  }

  private mutating func open(_ size: FrameSize?) {
    hasOpenRow = false
    guard let fourcc, let size, current.isCapture else { return }
    current.rows.append(ModeRow(fourcc: fourcc, size: size))
    hasOpenRow = true
  }
}
