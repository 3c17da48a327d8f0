internal import CQREncode

/// A QR code of a short text, as libqrencode draws it: bytes, with the lowest error correction.
package struct QRCode: Hashable, Sendable {
  /// The number of modules across and down, without the light margin of four modules that belongs around them.
  package let side: Int
  private let dark: [Bool]

  /// Creates the code of `text`; `nil` if it is empty, or longer than a code can hold (2,953 bytes).
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(CInt(clamping: bytes.count), bytes, 0, QR_ECLEVEL_L) else {
      return nil
    }
    defer { QRcode_free(code) }
    side = Int(code.pointee.width)
    // The lowest bit of a module says that it is dark.
    dark = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
  }

  /// Returns whether a module is dark; those around the code are light.
  package subscript(column: Int, row: Int) -> Bool {
    (0..<side).contains(column) && (0..<side).contains(row) && dark[row * side + column]
  }

  /// The rows, each as a text of `1` for dark modules and `0` for light ones.
  package var rows: [String] {
    (0..<side).map { row in String((0..<side).map { self[$0, row] ? "1" : "0" }) }
  }
}
