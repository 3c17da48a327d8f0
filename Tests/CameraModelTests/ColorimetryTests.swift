import CameraModel
import Foundation
import Testing

@Suite("Colorimetry")
struct ColorimetryTests {
  @Test("is written to JSON as the kernel's numbers, unknown ones included")
  func json() throws {
    let text = #"{"colorspace":8,"encoding":999,"quantization":1,"transfer":0}"#
    let colours = try JSONDecoder().decode(Colorimetry.self, from: Data(text.utf8))
    #expect(
      colours
        == Colorimetry(
          colorspace: .srgb, transfer: .default, encoding: YCbCrEncoding(rawValue: 999), quantization: .full))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(colours), as: UTF8.self) == text)
  }
}
