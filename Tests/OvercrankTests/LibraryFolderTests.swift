import Foundation
import SystemPackage
import Testing
import Timebase

@testable import Overcrank

@Suite("The library folder")
struct LibraryFolderTests {
  @Test("names files by local time, to the millisecond")
  func stamp() throws {
    let text = LibraryFolder.stamp(Date(timeIntervalSince1970: 1_546_343_940.999))
    #expect(text.wholeMatch(of: /\d{8}T\d{6}\.99[89]/) != nil, "\(text)")
  }
}

@Suite("A name template")
struct NameTemplateTests {
  private let facts = NameTemplate.Facts(
    date: Date(timeIntervalSince1970: 1_546_343_940), camera: "USB Camera: HD/2", rate: FrameRate(whole: 240),
    label: "milk drop")

  @Test(
    "is filled in with characters that file systems allow",
    arguments: [
      ("/a/{camera}-{fps}-{label}.mp4", 1, "/a/USB-Camera-HD-2-240-milk-drop.mp4"),
      ("{label}.mp4", 2, "milk-drop-2.mp4"), ("x-{n}.mp4", 3, "x-3.mp4"), ("{n}{n}.mov", 1, "11.mov"),
    ])
  func filled(_ text: String, _ number: Int, _ expected: String) throws {
    let template = try #require(NameTemplate(FilePath(text)))
    #expect(template.unknownWords.isEmpty)
    #expect(template.name(facts, number).string == expected)
  }

  @Test("gives date, time and milliseconds in eight, six and three digits")
  func moment() throws {
    let name = try #require(NameTemplate("{date}T{time}.{ms}.mp4")).name(facts, 1).string
    #expect(name.wholeMatch(of: /\d{8}T\d{6}\.\d{3}\.mp4/) != nil, "\(name)")
  }

  @Test("needs a word in braces in the file's name, and reports unknown ones")
  func words() {
    #expect(NameTemplate("a.mp4") == nil)
    #expect(NameTemplate("{label}.mp4")?.name(NameTemplate.Facts(date: Date(), camera: "x"), 1) == "take.mp4")
    #expect(NameTemplate("{a}/b.mp4") == nil)
    #expect(NameTemplate("{fps}{x}{.mp4")?.unknownWords == ["x", ".mp4"])
  }
}
