import Timebase

extension ModeChoice.Request {
  /// A request that takes `mode` of `table`, and no other; `nil` where none does.
  ///
  /// As little as will do is added to what this request asks besides its rate. Each answer was tried,
  /// with a rate that can be written as text: see `FrameRate.exactDescription`.
  public func taking(_ mode: Mode, of table: CameraTable) -> ModeChoice.Request? {
    guard let rate = mode.rate else { return nil }
    let exact = FormatFilter.only(PixelFormat(fourcc: mode.fourcc) ?? .mjpeg)
    var (ofFormat, ofWidth) = (criteria, criteria)
    ofFormat.format = exact
    ofWidth.maxWidth = min(mode.width, criteria.maxWidth ?? .max)
    var ofBoth = ofWidth
    ofBoth.format = exact
    // A mode that was measured slower than it claims is taken for what was measured.
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
  /// Where a mode can be had when none qualifies.
  public struct Direction: Hashable, Sendable {
    /// What a direction leads to.
    public enum Kind: Hashable, Sendable {
      /// The mode that would do were the format and width free.
      case unrestricted
      /// The mode of the highest rate.
      case fastest
      /// The widest mode.
      case widest
    }

    /// What it leads to.
    public var kind: Kind
    /// The mode.
    public var mode: Mode
    /// The request that it meets but for its rate.
    public var request: Request
  }

  /// Where none qualifies: the mode of the highest rate, the widest, and what would do were the format or width free.
  public func directions(in table: CameraTable) -> [Direction] {
    guard mode == nil else { return [] }
    var directions: [Direction] = []
    let free = Request(rate: request.rate, Criteria(preference: request.criteria.preference))
    if free != request, let mode = ModeChoice(from: table, for: free).mode {
      directions.append(Direction(kind: .unrestricted, mode: mode, request: free))
    }
    if let fastest = nearest.first {
      directions.append(Direction(kind: .fastest, mode: fastest, request: request))
      // Of the widest, the list has the fastest first.
      let widest = nearest.reduce(fastest) { ($1.width, $1.height) > ($0.width, $0.height) ? $1 : $0 }
      if widest != fastest {
        directions.append(Direction(kind: .widest, mode: widest, request: request))
      }
    }
    return directions
  }
}
