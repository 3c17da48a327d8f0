import Retime
import Timebase

extension JSONObject {
  /// A speed or a curve, as `--speed` takes it.
  mutating func speed(_ key: String) throws(APIError) -> Presence<SpeedCurve> {
    switch try text(key) {
    case .absent: return .absent
    case .null: return .null
    case .value(let text):
      do throws(CurveError) { return .value(try SpeedCurve(text: text)) } catch {
        throw .badRequest("\"\(key)\": \(error)")
      }
    }
  }
}
