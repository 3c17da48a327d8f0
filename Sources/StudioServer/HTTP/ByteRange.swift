/// The range of a file's bytes that a request asks for.
enum ByteRange {
  /// Returns the bytes that a `Range` field requests of a file of `size` bytes.
  ///
  /// Only a single range is supported. Several ranges, or an unreadable field, yield the whole file, as HTTP
  /// permits.
  ///
  /// - Returns: the bytes; `nil` for the whole file.
  /// - Throws: ``APIError`` with 416 if the file has none of the bytes.
  static func asked(_ field: String?, of size: Int64) throws(APIError) -> Range<Int64>? {
    guard let field, let equals = field.firstIndex(of: "="),
      field[..<equals].lowercased() == "bytes"
    else { return nil }
    let bounds = field[field.index(after: equals)...].split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " && $0 != "\t" } }
    guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      return nil
    }
    if bounds[0].isEmpty {
      guard !bounds[1].isEmpty else { return nil }
      let count = min(Int64(bounds[1]) ?? .max, size)
      guard count > 0 else { throw .badRange(of: size) }
      return (size - count)..<size
    }
    let first = Int64(bounds[0]) ?? .max
    let last = bounds[1].isEmpty ? Int64.max : Int64(bounds[1]) ?? .max
    guard last >= first else { return nil }
    guard first < size else { throw .badRange(of: size) }
    return first..<(min(last, size - 1) + 1)
  }
}
