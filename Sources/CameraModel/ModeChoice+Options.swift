import Timebase

extension ModeChoice.Request {
  /// The options of the command line that take `mode` of `table`, and no other; `nil` where none do.
  ///
  /// As few as will do are added to what this request has besides its rate. Each answer was tried.
  public func options(taking mode: Mode, of table: CameraTable) -> [String]? {
    guard let rate = mode.rate else { return nil }
    let exact = FormatFilter.only(PixelFormat(fourcc: mode.fourcc) ?? .mjpeg)
    var (ofFormat, ofWidth) = (criteria, criteria)
    ofFormat.format = exact
    ofWidth.maxWidth = min(mode.width, criteria.maxWidth ?? .max)
    var ofBoth = ofWidth
    ofBoth.format = exact
    // A mode that was measured slower than it claims is taken for what was measured.
    let measured = mode.measuredFramesPerSecond.map(FrameRate.text)
    for text in [measured, rate.description, rate.framesPerSecond.description].compactMap(\.self) {
      guard let asked = try? FrameRate(text: text) else { continue }
      for criteria in [criteria, ofFormat, ofWidth, ofBoth] {
        let request = ModeChoice.Request(rate: asked, criteria)
        let answer = ModeChoice(from: table, for: request).mode
        guard answer?.fourcc == mode.fourcc, answer?.width == mode.width, answer?.height == mode.height,
          answer?.rate == rate
        else { continue }
        return ["--fps", text] + criteria.options
      }
    }
    return nil
  }
}

extension ModeChoice.Criteria {
  /// The same as options of the command line.
  fileprivate var options: [String] {
    (format.map { ["--format", $0.text] } ?? []) + (maxWidth.map { ["--max-width", "\($0)"] } ?? [])
      + (preference.map { ["--prefer", $0.rawValue] } ?? [])
  }
}

extension ModeChoice {
  /// Where a mode can be had when none qualifies.
  public struct Direction: Hashable, Sendable {
    /// What is kept in this direction, in a few words.
    public var words: String
    /// The mode.
    public var mode: Mode
    /// The request that it meets but for its rate.
    public var request: Request
  }

  /// Where none qualifies: the mode of the highest rate, the widest, and what would do were the format or width free.
  public func directions(in table: CameraTable) -> [Direction] {
    guard mode == nil else { return [] }
    var directions: [Direction] = []
    let criteria = request.criteria
    let free = Request(rate: request.rate, Criteria(preference: criteria.preference))
    if free != request, let mode = ModeChoice(from: table, for: free).mode {
      let given = [criteria.format.map { _ in "--format" }, criteria.maxWidth.map { _ in "--max-width" }]
      let words = "without \(given.compactMap(\.self).joined(separator: " and "))"
      directions.append(Direction(words: words, mode: mode, request: free))
    }
    if let fastest = nearest.first {
      directions.append(Direction(words: "the highest rate", mode: fastest, request: request))
      // Of the widest, the list has the fastest first.
      let widest = nearest.reduce(fastest) { ($1.width, $1.height) > ($0.width, $0.height) ? $1 : $0 }
      if widest != fastest {
        directions.append(Direction(words: "the widest", mode: widest, request: request))
      }
    }
    return directions
  }
}
