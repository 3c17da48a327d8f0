/// The keys of a movie in `moov/meta`, with their values: QuickTime File Format, "Metadata".
///
/// It has a handler `mdta`, a table of names, and a list of items, each with the number of its name.
struct MovieKeys: Hashable {
  /// QuickTime's well-known value types.
  enum ValueType: UInt32 {
    case text = 1
    /// A big-endian float of 32 bits.
    case float = 23
  }

  /// The names of the table, including those without a value.
  private var names: [String]
  /// The bytes of the items.
  private var items: [UInt8] = []

  /// Creates a table without values.
  ///
  /// - Parameter names: the keys of another such box in the file, in their order. libav 5.1 knows one table
  ///   of keys per file, and applies it to every box, so this table begins with the same names.
  init(after names: [String] = []) { self.names = names }

  /// Parses the keys in `meta`, a whole box; `nil` if it is not one of this kind.
  init?(_ meta: [UInt8]) {
    let boxes = MovieBox.boxes(in: meta, min(8, meta.count)..<meta.count)
    guard let keys = boxes.first(where: { $0.type == "keys" }), keys.content.count >= 8,
      let list = boxes.first(where: { $0.type == "ilst" })
    else { return nil }
    let table = keys.content.lowerBound + 8..<keys.content.upperBound
    names = MovieBox.boxes(in: meta, table).map { String(decoding: meta[$0.content], as: UTF8.self) }
    items = Array(meta[list.content])
  }

  /// Adds a key.
  mutating func add(_ name: String, _ type: ValueType, _ value: [UInt8]) {
    names.append(name)
    let data = MovieBox.bytes("data", MovieBox.number(type.rawValue) + MovieBox.number(UInt32(0)) + value)
    // An item's type is the number of its key.
    items +=
      MovieBox.number(UInt32(clamping: data.count + 8)) + MovieBox.number(UInt32(clamping: names.count))
      + data
  }

  /// The whole `meta` box.
  var bytes: [UInt8] {
    let none = MovieBox.number(UInt32(0))
    let handler = MovieBox.bytes("hdlr", none + none + "mdta".utf8 + [UInt8](repeating: 0, count: 13))
    let table = names.reduce(into: none + MovieBox.number(UInt32(clamping: names.count))) {
      $0 += MovieBox.bytes("mdta", Array($1.utf8))
    }
    return MovieBox.bytes(
      "meta", handler + MovieBox.bytes("keys", table) + MovieBox.bytes("ilst", items))
  }
}
