import Timebase

extension ModeChoice.Request {
  /// Returns a request that takes `mode` of `table`, and no other; `nil` if there is none.
  ///
  /// It adds as little as possible to this request's other criteria. Each result was tried, with a rate that
  /// can be written as text: see `FrameRate.exactDescription`.
  public func taking(_ mode: Mode, of table: CameraTable) -> ModeChoice.Request? {
    guard let rate = mode.rate else { return nil }
    let exact = FormatFilter.only(PixelFormat(fourcc: mode.fourcc) ?? .mjpeg)
    var (ofFormat, ofWidth) = (criteria, criteria)
    ofFormat.format = exact
    ofWidth.maxWidth = min(mode.width, criteria.maxWidth ?? .max)
    var ofBoth = ofWidth
    ofBoth.format = exact
    // A mode that was measured slower than it claims is chosen by its measured rate.
    let measured = mode.measuredFramesPerSecond.map(FrameRate.text)
    for text in [measured, rate.description, rate.exactDescription].compactMap(\.self) {
      guard let asked = try? FrameRate(text: text) else { continue }
      for criteria in [criteria, ofFormat, ofWidth, ofBoth] {
        let request = ModeChoice.Request(rate: asked, criteria)
        let answer = ModeChoice(from: table, for: request).mode
        guard answer?.fourcc == mode.fourcc, answer?.width == mode.width, answer?.height == mode.height,
          answer?.rate == rate
        else { continue }
        return request
      }
    }
    return nil
  }
}

extension ModeChoice {
  /// A mode to suggest if none qualifies.
  public struct Direction: Hashable, Sendable {
    /// The kind of a suggestion.
    public enum Kind: Hashable, Sendable {
      /// The mode that would qualify without limits on format and width.
      case unrestricted
      /// The mode of the highest rate.
      case fastest
      /// The widest mode.
      case widest
    }

    /// The kind of suggestion.
    public var kind: Kind
    /// The mode.
    public var mode: Mode
    /// The request that the mode meets except for its rate.
    public var request: Request
  }

  /// Returns suggestions if no mode qualifies: the mode of the highest rate, the widest, and the one that
  /// would qualify without limits on format and width.
  public func directions(in table: CameraTable) -> [Direction] {
    guard mode == nil else { return [] }
    var directions: [Direction] = []
    let free = Request(rate: request.rate, Criteria(preference: request.criteria.preference))
    if free != request, let mode = ModeChoice(from: table, for: free).mode {
      directions.append(Direction(kind: .unrestricted, mode: mode, request: free))
    }
    if let fastest = nearest.first {
      directions.append(Direction(kind: .fastest, mode: fastest, request: request))
      // The list has the fastest of the widest first.
      let widest = nearest.reduce(fastest) { ($1.width, $1.height) > ($0.width, $0.height) ? $1 : $0 }
      if widest != fastest {
        directions.append(Direction(kind: .widest, mode: widest, request: request))
      }
    }
    return directions
  }
}
