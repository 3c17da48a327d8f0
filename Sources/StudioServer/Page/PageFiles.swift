/// The files of the page, which are part of the program.
struct PageFile: Sendable {
  /// What it is asked for by.
  let path: String
  let type: String
  let bytes: [UInt8]
  /// Changes whenever the bytes do.
  let tag: String

  init(_ path: String, _ type: String, _ bytes: [UInt8]) {
    (self.path, self.type, self.bytes) = (path, type, bytes)
    // FNV-1a: it only has to differ from one version of the program to the next.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    tag = "\"\(String(hash, radix: 16))\""
  }

  private static let html = "text/html; charset=utf-8"
  private static let css = "text/css; charset=utf-8"
  private static let script = "text/javascript; charset=utf-8"

  /// All of them; `Package.swift` lists them too.
  static let all: [PageFile] = [
    PageFile("/", html, PackageResources.index_html)
  ]

  /// What answers requests for it.
  var route: Route {
    Route(.get, path) { request in
      let fields: [APIError.Field] = [.init("ETag", tag), .init("Cache-Control", "no-cache")]
      let known = request.head.headers[canonicalForm: "if-none-match"].map {
        $0.hasPrefix("W/") ? $0.dropFirst(2) : $0
      }
      guard !known.contains(where: { $0 == tag || $0 == "*" }) else {
        return Response(status: 304, fields: fields)
      }
      return Response(fields: [.init("Content-Type", type)] + fields, body: .bytes(bytes))
    }
  }
}
