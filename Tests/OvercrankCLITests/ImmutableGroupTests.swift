import FrameJudge
import Foundation
import Testing

@Suite("A group file that cannot be replaced", .tags(.program), .timeLimit(.minutes(1)))
struct ImmutableGroupTests {
  @Test("keeps its take, leaves no part, and the message names the cause")
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
}
