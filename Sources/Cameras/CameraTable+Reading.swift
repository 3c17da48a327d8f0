public import Platform
public import CameraModel
import FoundationEssentials

extension CameraTable {
  /// Reads a table from the bytes of a JSON file.
  ///
  /// - Parameter name: the file's name, for the message.
  /// - Throws: `OvercrankError` with code `badData` that says what is wrong, and where in the file.
  public init(json: some Sequence<UInt8>, named name: String) throws(OvercrankError) {
    do {
      self = try JSONDecoder().decode(CameraTable.self, from: Data(json))
    } catch {
      throw OvercrankError(
        .badData,
        "\(name) is not a camera table: \(error.decodingWords). A table is the JSON of a camera's modes.",
        remedy: .giveTable)
    }
  }
}
