import SystemPackage
import Testing

@testable import OvercrankCLI

@Suite("Text for a terminal")
struct PrintableTextTests {
  @Test(
    "has a mark in place of each character that a terminal obeys",
    arguments: [
      "\u{1b}", "\n", "\r", "\t", "\u{7f}", "\u{9b}", "\u{202a}", "\u{202e}", "\u{2066}", "\u{2069}",
      "\u{2028}",
    ])
  func replaced(_ character: String) {
    #expect("a\(character)b".printable == "a\u{fffd}b")
    #expect("\(FilePath("a\(character)b")): is there" == "a\u{fffd}b: is there")
  }

  @Test("keeps all others, such as those that join an emoji or end a Hebrew word")
  func kept() {
    for text in [
      "Größe", "漢字", "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}", "\u{5d0}\u{200f}!", "می\u{200c}خواهم",
    ] {
      #expect(text.printable == text)
    }
    #expect("a\n\tb\u{202e}".printable(keeping: ["\n", "\t"]) == "a\n\tb\u{fffd}")
  }

  @Test("has only the beginning of a word or an argument that is far too long")
  func shortened() {
    let (word, argument) = (String(repeating: "w", count: 1001), String(repeating: "a b ", count: 300))
    let cut = String(repeating: "w", count: 100) + "..."
    #expect(
      "x \"\(argument)\".\n  \(word)".shortened(echoing: [argument, "x"])
        == "x \"\(argument.prefix(100))...\".\n  \(cut)")
    let plain = String(repeating: "many words, ", count: 200)
    #expect(plain.shortened(echoing: ["words", ""]) == plain)
  }
}
