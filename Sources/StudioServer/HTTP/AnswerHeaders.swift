import FoundationEssentials
import NIOHTTP1

/// The header fields of every response.
enum AnswerHeaders {
  /// The content security policy: scripts, styles and media come only from this server, and none are inline.
  static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; manifest-src 'self'; \
    media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  static func headers(_ response: Response, closing: Bool) -> HTTPHeaders {
    var headers = HTTPHeaders([
      ("Date", date()), ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", policy),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
    ])
    for field in response.fields { headers.add(name: field.name, value: field.value) }
    if !headers.contains(name: "Cache-Control") { headers.add(name: "Cache-Control", value: "no-store") }
    if closing { headers.add(name: "Connection", value: "close") }
    return headers
  }

  /// Returns the current time in HTTP's format.
  private static func date() -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let now = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute, .second], from: Date())
    func padded(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return
      "\(days[((now.weekday ?? 1) + 6) % 7]), \(padded(now.day)) \(months[((now.month ?? 1) + 11) % 12]) "
      + "\(now.year ?? 1970) \(padded(now.hour)):\(padded(now.minute)):\(padded(now.second)) GMT"
  }
}
