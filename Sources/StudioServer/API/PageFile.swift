import CEmbeddedFiles

/// The files of the page, which are part of the program.
struct PageFile: Sendable {
  /// The path at which it is served.
  let path: String
  let type: String
  let bytes: [UInt8]
  /// The entity tag, which changes whenever the bytes do.
  let tag: String

  private init(_ file: embedded_file) {
    let name = String(cString: file.name)
    path = name == "index.html" ? "/" : "/\(name)"
    type =
      switch name.split(separator: ".").last {
      case "html": "text/html; charset=utf-8"
      case "css": "text/css; charset=utf-8"
      case "js": "text/javascript; charset=utf-8"
      case "webmanifest": "application/manifest+json"
      case "svg": "image/svg+xml"
      case "png": "image/png"
      default: "application/octet-stream"
      }
    bytes = [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
    // FNV-1a suffices: the tag only has to differ between versions of the program.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    tag = "\"\(String(hash, radix: 16))\""
  }

  /// All files of the page.
  static let all: [PageFile] = {
    var count = 0
    let files = embedded_page(&count)
    return UnsafeBufferPointer(start: files, count: count).map(PageFile.init)
  }()

  /// The route that serves it.
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
