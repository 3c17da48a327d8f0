/// One JPEG among other bytes, found by walking its markers (ITU T.81, annex B) to its end: neither a thumbnail in its
/// header nor anything in the picture's data can be taken for that.
package enum JPEGWalk: Hashable, Sendable {
  /// It is whole.
  case whole(byteCount: Int, width: Int, height: Int)
  /// The bytes end before it does.
  case unfinished
  /// These bytes begin with no JPEG, or with a damaged one.
  case none

  /// Walks the JPEG that begins with the first of `bytes`.
  package init(_ bytes: Span<UInt8>) {
    guard bytes.count >= 2 else {
      self = .unfinished
      return
    }
    guard var markers = JPEGMarkers(bytes) else {
      self = .none
      return
    }
    self = Self.walk(&markers, in: bytes)
  }

  private static func walk(_ markers: inout JPEGMarkers, in bytes: Span<UInt8>) -> JPEGWalk {
    var size: (width: Int, height: Int)?
    while true {
      switch markers.next(in: bytes) {
      case .unfinished: return .unfinished
      case .damaged: return .none
      case .segment(let segment) where segment.marker == .endOfImage:
        guard let size else { return .none }
        return .whole(byteCount: markers.place, width: size.width, height: size.height)
      case .segment(let segment) where segment.marker.isFrame:
        // Behind the sample precision.
        let place = segment.range.lowerBound + 5
        guard let height = JPEGMarkers.word(in: bytes, at: place),
          let width = JPEGMarkers.word(in: bytes, at: place + 2)
        else { return .unfinished }
        size = (width, height)
      case .segment(let segment) where segment.marker == .startOfScan:
        guard markers.skipScan(in: bytes) else { return .unfinished }
      case .segment: break
      }
    }
  }
}
