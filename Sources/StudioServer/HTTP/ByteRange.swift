/// Which bytes of a file an answer has.
enum ByteRange {
  /// What a `Range` field asks for of a file of `size` bytes.
  ///
  /// One range is heeded. Several, and what cannot be read, ask for the whole file, as a server may answer.
  ///
  /// - Returns: the bytes; `nil` for the whole file.
  /// - Throws: ``APIError`` with 416 where the file has none of them.
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
