import Foundation
import Testing
import Timebase

@Suite("Unknown values and durations in JSON")
struct UnknownValueTests {
  private struct Facts: Codable, Hashable {
    @Nullable var name: String?
    @Nanoseconds var length: Duration
    @Nanoseconds var gap: Duration?
    /// Its key is omitted.
    var note: String?
  }

  private func text(_ facts: Facts) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(facts), as: UTF8.self)
  }

  private func facts(_ text: String) throws -> Facts {
    try JSONDecoder().decode(Facts.self, from: Data(text.utf8))
  }

  @Test("are null and whole nanoseconds")
  func written() throws {
    #expect(try text(Facts(name: nil, length: .zero, gap: nil)) == #"{"gap":null,"length":0,"name":null}"#)
    let known = Facts(name: "a", length: .seconds(-1), gap: .nanoseconds(5) + .init(attoseconds: 1))
    #expect(try text(known) == #"{"gap":5,"length":-1000000000,"name":"a"}"#)
  }

  @Test("are read as unknown from null and from an absent key alike")
  func read() throws {
    let unknown = Facts(name: nil, length: .nanoseconds(1), gap: nil)
    #expect(try facts(#"{"name": null, "length": 1, "gap": null}"#) == unknown)
    #expect(try facts(#"{"length": 1}"#) == unknown)
    let known = Facts(name: "a", length: .nanoseconds(1), gap: .nanoseconds(2))
    #expect(try facts(text(known)) == known)
  }

  @Test(
    "are refused if a required duration is null or absent, or a value has another type",
    arguments: [#"{"length": null}"#, "{}", #"{"length": 1.5}"#, #"{"length": 1, "name": 2}"#])
  func refused(_ text: String) {
    #expect(throws: DecodingError.self) { try facts(text) }
  }
}
