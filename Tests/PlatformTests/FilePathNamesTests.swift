import Platform
import SystemPackage
import Testing

@Suite("Paths keep the form in which they were given")
struct FilePathNamesTests {
  @Test(
    "a trailing slash means a folder",
    arguments: [
      ("out/", "out/."), ("out.mp4//", "out.mp4/."), ("/a//b/", "/a/b/."), ("a//b.mp4", "a/b.mp4"),
      ("/", "/"), ("//", "/"), ("..", ".."), ("../", ".."), ("./", "."), ("", ""),
    ])
  func given(_ text: String, _ path: String) {
    #expect(FilePath(given: text).string == path)
  }

  @Test("a file whose name ends in a slash cannot be created")
  func folder() throws {
    #expect(throws: OvercrankError.self) {
      _ = try OutputFile(FilePath(given: "/tmp/overcrank-no-such.mp4/"))
    }
  }

  @Test("a dot at the start of a file's or folder's name does not begin an extension")
  func names() {
    #expect(FilePath("/a.b/c").withoutExtension == "/a.b/c")
    #expect(FilePath(".mov").withoutExtension == ".mov")
    #expect(FilePath("x.master.mov").withoutExtension == "x.master")
    #expect(FilePath("/a/x.mov").beside("y.mov") == "/a/y.mov")
    #expect(FilePath("x.mov").beside("y.mov") == "y.mov")
    #expect(FilePath("x.mov").folder == ".")
    #expect(FilePath("/").name == "")
  }
}
