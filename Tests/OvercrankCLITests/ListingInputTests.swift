import CameraModel
import FrameJudge
import Foundation
import Testing

@Suite("The text of v4l2-ctl replaces a camera", .tags(.program), .timeLimit(.minutes(1)))
struct ListingInputTests {
  private static let text = Data(
    """
    /dev/video0:
    ioctl: VIDIOC_ENUM_FMT
    \tType: Video Capture

    \t[0]: 'MJPG' (Motion-JPEG, compressed)
    \t\tSize: Discrete 1280x720
    \t\t\tInterval: Discrete 0.008s (120.000 fps)
    /dev/video2:
    ioctl: VIDIOC_ENUM_FMT
    \tType: Video Capture

    \t[0]: 'YUYV' (YUYV 4:2:2)
    \t\tSize: Discrete 640x480
    \t\t\tInterval: Discrete 0.008s (120.000 fps)

    """.utf8)

  @Test("with all its devices together, and a warning that --quiet removes")
  func together() throws {
    let run = try OvercrankProgram(["select", "--fps", "120", "--from", "-"], input: Self.text)
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("1280x720 MJPG"))
    #expect(run.errors.contains("2 devices"))
    let quiet = try OvercrankProgram(["select", "--fps", "120", "--from", "-", "--quiet"], input: Self.text)
    #expect(quiet.output == run.output)
    #expect(quiet.errors.isEmpty)
    let table = try OvercrankProgram(["formats", "--from", "-", "--json"], input: Self.text).json(
      CameraTable.self)
    #expect(table.warnings.count == 1)
  }

  @Test("with the named device alone", arguments: ["/dev/video2", "2"])
  func named(_ name: String) throws {
    let run = try OvercrankProgram(["select", name, "--fps", "120", "--from", "-"], input: Self.text)
    #expect(run.output.hasPrefix("640x480 YUYV"))
    #expect(run.errors.isEmpty)
  }

  @Test("but not if the named one is not listed; JSON has no names, so any name is refused")
  func wrongName() throws {
    let run = try OvercrankProgram(["select", "7", "--fps", "120", "--from", "-"], input: Self.text)
    #expect(run.status == 65)
    #expect(run.errors.contains("/dev/video0, /dev/video2"))
    let json = try OvercrankProgram(["formats", "7", "--from", "-"], input: Data(#"{"modes": []}"#.utf8))
    #expect(json.status == 64)
  }

  @Test("and a simulated camera records from it")
  func simulated() throws {
    let folder = try TemporaryFolder()
    try Self.text.write(to: folder.url.appending(path: "pasted.txt"))
    let run = try OvercrankProgram("select", "sim:" + folder.path("pasted.txt"), "--fps", "120")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("1280x720 MJPG"))
  }
}
