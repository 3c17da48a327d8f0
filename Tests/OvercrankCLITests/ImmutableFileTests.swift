import FrameJudge
import Foundation
import Testing

@Suite("A file that cannot be replaced or removed", .tags(.program), .timeLimit(.minutes(1)))
struct ImmutableFileTests {
  @Test("as a group keeps its take, leaves no part, and the message names the cause")
  func immutable() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { try StagedTake(name).write(to: folder.url.path) }
    let cameras = ["a", "b"].map {
      #"{"name":"\#($0)","take":"\#($0).take.json","offset_ns":0,"rate_ppm":0,"by":[]}"#
    }
    let group = folder.path("x.group.json")
    let text = #"{"overcrank":"0.3.0","cameras":[\#(cameras.joined(separator: ","))]}"#
    try Data(text.utf8).write(to: URL(filePath: group))
    let names = try folder.names
    let errors = folder.path("errors")
    // As rename(2) answers for a file with the attribute of chattr +i.
    try Program.run(
      "sh",
      [
        "-c",
        """
        strace -f -qq -o /dev/null -e trace=/^rename -e inject=/^rename:error=EPERM -P "$1.part" \
          "$2" takes remove "$3" --force >/dev/null 2>"$4"; echo "ended $?" >>"$4"
        """, "sh", group, OvercrankProgram.url.path, folder.path("a.take.json"), errors,
      ])
    let told = try String(contentsOfFile: errors, encoding: .utf8)
    try FileManager.default.removeItem(atPath: errors)
    #expect(told.contains("ended 73") && told.contains("lsattr -d \(group)"), "\(told)")
    #expect(!told.contains("You may not write") && !told.contains(".part"), "\(told)")
    #expect(try folder.names == names)
    #expect(try String(contentsOfFile: group, encoding: .utf8) == text)
  }

  @Test(
    "keeps all files of its take",
    arguments: ["a.take.json", "a.master.mov", "a.mp4"], [[], ["--keep-master"]])
  func protected(name: String, options: [String]) throws {
    // With the master kept, it need not be removed.
    guard options.isEmpty || name != "a.master.mov" else { return }
    let folder = try TemporaryFolder()
    try StagedTake("a").write(to: folder.url.path)
    let group =
      #"{"overcrank":"0.3.0","cameras":[{"name":"A","take":"a.take.json","offset_ns":0,"rate_ppm":0,"by":[]}]}"#
    try Data(group.utf8).write(to: URL(filePath: folder.path("x.group.json")))
    let names = try folder.names
    let output = try TemporaryFolder()
    // As statx(2) answers for a file with the attribute of chattr +i: its mask, its block size, its attributes.
    try Program.run(
      "sh",
      [
        "-c",
        """
        log="$1" program="$2" file="$3"; shift 3
        strace -f -qq -o /dev/null -e trace=statx -e inject=statx:poke_exit=@arg5=ff0f00000010000010 -P "$file" \
          "$program" takes remove "$@" --force >/dev/null 2>"$log"; echo "ended $?" >>"$log"
        """, "sh", output.path("log"), OvercrankProgram.url.path, folder.path(name),
        folder.path("a.take.json"),
      ] + options)
    let told = try String(contentsOfFile: output.path("log"), encoding: .utf8)
    #expect(told.contains("ended 77") && told.contains("lsattr -d \(folder.path(name))"), "\(told)")
    #expect(told.contains("Nothing was deleted."), "\(told)")
    #expect(try folder.names == names)
  }
}
