import CameraModel
import FrameJudge
import Foundation
import SystemPackage
import Testing
import Timebase
import V4L2

@testable import Cameras

@Suite("A profile's controls and quirks")
struct ProfileActionTests {
  private func profile(_ controls: String = "", quirks: String = "") throws -> Profile {
    try Profile(
      yaml: """
        id: mine
        name: My camera
        match: {card: Mine}
        source: my own eyes
        controls: [\(controls)]
        quirks: [\(quirks)]
        """, named: "mine.yaml")
  }

  private func plan(_ policy: ControlPolicy, _ profile: Profile) throws -> ControlPlan {
    try policy.needing(profile).plan(
      for: try Webcam().cameraControls(), interval: FrameInterval(1, 240), of: "cam")
  }

  private let powerLine = "{name: power_line_frequency, value: 0, why: It halves the rate.}"

  @Test("are applied while recording, even if not requested")
  func controls() throws {
    let plan = try plan(ControlPolicy(), try profile(powerLine))
    #expect(plan.changes.map(\.name) == ["exposure_dynamic_framerate", "power_line_frequency"])
    #expect(plan.changes.map(\.value) == [0, 0])
    #expect(plan.changes.allSatisfy { !$0.isRequired })
    #expect(plan.remarks.isEmpty)
  }

  @Test("yield to settings by name, and to what is already planned or set")
  func precedence() throws {
    let asked = try ControlSetting(text: "power_line_frequency=1")
    let plan = try plan(ControlPolicy(settings: [asked]), try profile(powerLine))
    #expect(plan.changes.first { $0.name == "power_line_frequency" }?.value == 1)
    #expect(plan.changes.filter { $0.name == "power_line_frequency" }.count == 1)
    let again = "{name: exposure_dynamic_framerate, value: 0, why: x}"
    #expect(try self.plan(ControlPolicy(), try profile(again)).changes.count == 1)
    let asIs = "{name: power_line_frequency, value: 1, why: x}"
    #expect(
      try self.plan(ControlPolicy(), try profile(asIs)).changes.map(\.name)
        == ["exposure_dynamic_framerate"])
  }

  @Test("are not applied to controls that are kept, nor to those that affect a kept exposure")
  func kept() throws {
    let exposure = "{name: exposure_dynamic_framerate, value: 0, why: x}"
    let profile = try profile("\(exposure), \(powerLine)")
    #expect(
      try plan(ControlPolicy(exposure: .keep), profile).changes.map(\.name) == ["power_line_frequency"])
    #expect(try plan(ControlPolicy(keepsControls: true), profile).changes.isEmpty)
  }

  @Test("are mentioned, with their reason, if the camera does not have or accept them")
  func missing() throws {
    let plan = try plan(
      ControlPolicy(),
      try profile("{name: led1_mode, value: 0, why: It flickers.}, {name: auto_exposure, value: 9, why: No.}")
    )
    #expect(plan.changes.map(\.name) == ["exposure_dynamic_framerate"])
    #expect(plan.remarks.count == 2)
    #expect(plan.remarks.first?.contains("led1_mode=0: It flickers.") == true)
    #expect(plan.remarks.last?.contains("auto_exposure") == true)
  }

  @Test("add each quirk's note to the warnings of the described table")
  func quirks() throws {
    let folder = try TemporaryFolder()
    let yaml = """
      id: mine
      name: My camera
      match: {card: Mine}
      source: my own eyes
      quirks:
        - {kind: rate_ignored, note: The size chooses the rate.}
        - {kind: claim_fails, note: 90 fps never come.}
        - {kind: content_differs, note: It is no grey.}
      """
    try Data(yaml.utf8).write(to: folder.url.appending(path: "mine.yaml"))
    let library = ProfileLibrary(userFolder: FilePath(folder.url.path))
    let described = CameraTable(card: "Mine", rows: []).described(by: library)
    #expect(described.warnings.count == 3)
    #expect(described.warnings[0].contains("ignores it: The size chooses the rate. (profile mine)"))
    #expect(described.warnings[1].contains("90 fps never come."))
    #expect(described.warnings[2].contains("It is no grey."))
    #expect(CameraTable(card: "Another", rows: []).described(by: library).warnings.isEmpty)
    // A simulated camera delivers what its table says.
    let entry = try #require(library["mine"])
    #expect(CameraTable(entry.profile).warnings.isEmpty)
  }

  @Test("are refused for an unknown kind of quirk")
  func unknown() {
    #expect(throws: ProfileError.self) {
      _ = try profile(quirks: "{kind: first_frames_corrupt, note: x}")
    }
  }
}
