import Retime
import Timebase

extension JSONObject {
  /// A speed or a curve, in the words of a speed curve.
  mutating func speed(_ key: String) throws(APIError) -> Presence<SpeedCurve> {
    switch try text(key, most: Self.longestCurve) {
    case .absent: return .absent
    case .null: return .null
    case .value(let text):
      return .value(try SpeedCurve(asked: text, key))
    }
  }
}

extension SpeedCurve {
  /// The curve in `text`, which key `key` has.
  init(asked text: String, _ key: String) throws(APIError) {
    do throws(CurveError) { self = try SpeedCurve(text: text) } catch {
      throw .badRequest("\"\(key)\": \(error)")
    }
  }
}
