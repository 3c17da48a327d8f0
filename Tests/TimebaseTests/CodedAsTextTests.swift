import Foundation
import Testing

@testable import Timebase

@Suite("A value that files hold as text")
struct CodedAsTextTests {
  /// A whole number, followed by a star.
  private struct Starred: CodedAsText, Hashable {
    var number: Int
    var text: String { "\(number)*" }

    init(number: Int) { self.number = number }

    struct Failure: Error, CustomStringConvertible { let description = "has no star" }

    init(text: String) throws {
      guard text.hasSuffix("*"), let number = Int(text.dropLast()) else { throw Failure() }
      self.number = number
    }
  }

  private func read(_ text: String) throws -> [String: Starred] {
    try JSONDecoder().decode([String: Starred].self, from: Data(text.utf8))
  }

  @Test("is written as its text, and read from it")
  func roundTrip() throws {
    let values = ["a": Starred(number: 7)]
    let data = try JSONEncoder().encode(values)
    #expect(String(decoding: data, as: UTF8.self) == #"{"a":"7*"}"#)
    #expect(try read(#"{"a":"7*"}"#) == values)
  }

  @Test("is refused if the text is wrong, with the reason and the place")
  func wrongWords() throws {
    let error = #expect(throws: DecodingError.self) { try read(#"{"a":"7"}"#) }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "has no star" && context.codingPath.map(\.stringValue) == ["a"])
  }

  @Test("is refused if it is not text")
  func noText() throws {
    let error = #expect(throws: DecodingError.self) { try read(#"{"a":7}"#) }
    guard case .typeMismatch? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
