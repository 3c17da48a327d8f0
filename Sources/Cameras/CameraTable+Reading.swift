public import CameraModel
import FoundationEssentials

extension CameraTable {
  /// Reads a table from the bytes of a JSON file.
  ///
  /// - Parameter name: the file's name, for the message.
  /// - Throws: ``CameraError`` with code `badTable` that says what is wrong, and where in the file.
  public init(json: some Sequence<UInt8>, named name: String) throws(CameraError) {
    do {
      self = try JSONDecoder().decode(CameraTable.self, from: Data(json))
    } catch {
      throw CameraError(
        .badTable,
        "\(name) is no camera table: \(Self.words(for: error)). A table is the JSON of a camera's modes.",
        action: .giveTable)
    }
  }

  private static func words(for error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    let context: DecodingError.Context =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        context
      @unknown default:
        DecodingError.Context(codingPath: [], debugDescription: "\(error)")
      }
    var path = context.codingPath.map(\.stringValue)
    if case .keyNotFound(let key, _) = error { path.append(key.stringValue) }
    let place = path.isEmpty ? "" : " at \(path.joined(separator: "."))"
    if case .keyNotFound = error { return "there is nothing\(place)" }
    return context.debugDescription + place
  }
}
