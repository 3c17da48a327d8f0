/// A table of text in columns: for a pipe, all of them; for a terminal, those that fit.
struct TextTable {
  /// A column's name and policy.
  struct Column {
    var name: String
    var alignsRight = false
    /// Whether its cells may continue on the next line, after a comma.
    var wraps = false
    /// The order of removal if the terminal is narrow: the highest goes first; 0 stays.
    var dispensability = 0
  }

  struct Row {
    /// One cell for each column; `nil` if unknown.
    var cells: [String?]
    var emphasis = Emphasis.plain
  }

  /// The emphasis of a row.
  enum Emphasis {
    case plain, strong, faint

    fileprivate func applied(to text: String) -> String {
      switch self {
      case .plain: text
      // SGR: bold green, faint.
      case .strong: "\u{1B}[1;32m\(text)\u{1B}[0m"
      case .faint: "\u{1B}[2m\(text)\u{1B}[0m"
      }
    }
  }

  var columns: [Column]
  var rows: [Row]

  /// The least width at which a wrapped column is easy to read.
  private static let leastWrapped = 16
  private static let gap = "  "

  /// Returns the names of the columns that have content, but for which the terminal has no room.
  func skipped(_ layout: ModeSheet.Layout) -> [String] {
    guard layout.width != nil else { return [] }
    let shown = shownColumns(layout)
    return spoken.filter { !shown.contains($0) }.map { columns[$0].name }
  }

  /// Returns the header and the rows.
  func lines(_ layout: ModeSheet.Layout) -> [String] {
    guard !rows.isEmpty else { return [] }
    let shown = shownColumns(layout)
    let widths = widths(of: shown, layout)
    let header = cut(line(shown.map { columns[$0].name }, shown, widths), layout)
    return [layout.hasColour ? Emphasis.faint.applied(to: header) : header]
      + rows.flatMap { row in
        let cells = zip(shown, widths).map { index, width in
          let text = row.cells[index] ?? (layout.width == nil ? "-" : "")
          return columns[index].wraps ? Self.wrapped(text, to: width) : [text]
        }
        return (0..<(cells.map(\.count).max() ?? 0)).map { part in
          let text = cut(line(cells.map { part < $0.count ? $0[part] : "" }, shown, widths), layout)
          return layout.hasColour ? row.emphasis.applied(to: text) : text
        }
      }
  }

  /// Cuts a line that is still too wide to the terminal's width.
  private func cut(_ line: String, _ layout: ModeSheet.Layout) -> String {
    guard let limit = layout.width, line.count > limit else { return line }
    return line.prefix(max(0, limit - 1)) + "\u{2026}"
  }

  /// The columns with content: on a terminal, empty ones are not shown.
  private var spoken: [Int] {
    columns.indices.filter { index in rows.contains { $0.cells[index] != nil } }
  }

  private func shownColumns(_ layout: ModeSheet.Layout) -> [Int] {
    guard let limit = layout.width else { return Array(columns.indices) }
    var shown = spoken
    while least(shown) > limit,
      let next = shown.filter({ columns[$0].dispensability > 0 }).max(by: {
        (columns[$0].dispensability, $0) < (columns[$1].dispensability, $1)
      })
    {
      shown.removeAll { $0 == next }
    }
    return shown
  }

  private func natural(_ index: Int) -> Int {
    rows.reduce(columns[index].name.count) { max($0, $1.cells[index]?.count ?? 1) }
  }

  private func least(_ shown: [Int]) -> Int {
    shown.reduce(Self.gap.count * (shown.count - 1)) { sum, index in
      sum + (columns[index].wraps ? min(natural(index), Self.leastWrapped) : natural(index))
    }
  }

  /// Returns the columns' widths; a wrapping column shrinks until the line fits.
  private func widths(of shown: [Int], _ layout: ModeSheet.Layout) -> [Int] {
    var widths = shown.map { natural($0) }
    guard let limit = layout.width else { return widths }
    let total = widths.reduce(Self.gap.count * (widths.count - 1), +)
    if total > limit, let place = shown.firstIndex(where: { columns[$0].wraps }) {
      widths[place] = max(widths[place] - (total - limit), min(widths[place], Self.leastWrapped))
    }
    return widths
  }

  private func line(_ cells: [String], _ shown: [Int], _ widths: [Int]) -> String {
    var text = ""
    for (place, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: max(0, widths[place] - cell.count))
      text +=
        (place == 0 ? "" : Self.gap) + (columns[shown[place]].alignsRight ? padding + cell : cell + padding)
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Wraps `text` into lines of at most `width`, broken after commas; a longer word stays whole.
  private static func wrapped(_ text: String, to width: Int) -> [String] {
    guard text.count > width else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let isLast = word.endIndex == text.endIndex
      let piece = isLast ? String(word) : word + ","
      if !line.isEmpty, line.count + piece.count > width {
        lines.append(line)
        line = ""
      }
      line += piece
    }
    return lines + [line]
  }
}
