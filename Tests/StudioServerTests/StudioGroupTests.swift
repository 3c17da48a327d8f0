import FrameJudge
import Foundation
import Overcrank
import SystemPackage
import Takes
import Testing
import Timebase

@testable import StudioServer

@Suite("A studio with several cameras", .tags(.program), .timeLimit(.minutes(1)))
struct StudioGroupTests {
  private static let short = SettingsChange(preRoll: .milliseconds(300), postRoll: .milliseconds(200))

  /// The group file of take `number`.
  private func group(_ number: Int, _ work: StudioAtWork) throws -> TakeGroup {
    let names = try FileManager.default.contentsOfDirectory(atPath: work.takes)
    let name = try #require(names.first { $0.hasSuffix("-\(number)\(TakeGroup.suffix)") })
    return try TakeGroup.read(from: FilePath(work.takes).appending(name))
  }

  @Test("One trigger, and one Record and Stop, leave takes of all cameras at one moment, and their group")
  func takes() async throws {
    let work = try await StudioAtWork.run("", Self.short, with: ["drop=40"]) { work in
      let armed = try await work.standBy()
      #expect(armed.cameras.map(\.letter) == ["A", "B"] && armed.camera == armed.cameras[0].camera)
      #expect(armed.cameras.map(\.camera.id).allSatisfy { $0.hasPrefix("sim:") })
      try await work.studio.trigger()
      let saved = try await work.notices(.takeSaved, 1)[0]
      #expect(saved.message.hasSuffix("-1 is saved, of cameras A and B.") && saved.id != nil)
      try await work.reach { $0.phase == .armed }
      try await work.studio.record(for: nil)
      try await work.reach { ($0.cameras.last?.written ?? 0) > 50 && ($0.take?.written ?? 0) > 50 }
      try await work.studio.stop()
      try await work.notices(.takeSaved, 2)
      try await work.reach { $0.cameras[1].framesLost > 0 && $0.framesLost == $0.cameras[0].framesLost }
      try await work.reach { $0.phase == .armed && $0.clips.isEmpty }
    }
    let taken = try await work.allTakes()
    #expect(taken.map { $0.entry.name.suffix(4) }.sorted() == ["-1-A", "-1-B", "-2-A", "-2-B"])
    for each in taken { try work.expectTrue(each) }
    for number in [1, 2] {
      let pair = taken.filter { $0.entry.name.contains("-\(number)-") }
      let times = pair.compactMap(\.take.trigger?.frameTime)
      #expect(times.count == 2 && max(times[0], times[1]) - min(times[0], times[1]) < StudioAtWork.interval)
      // A stop ends the takes at one moment, as the post-roll does.
      let ends = pair.compactMap(\.take.timestamps.last)
      #expect(max(ends[0], ends[1]) - min(ends[0], ends[1]) <= StudioAtWork.interval * 4)
      let group = try group(number, work)
      #expect(group.cameras.map(\.name) == ["A", "B"] && group.failed.isEmpty)
    }
  }

  @Test("Each camera has its own mode, controls, photos and picture; a letter that is none is refused")
  func letters() async throws {
    try await StudioAtWork.run("", Self.short, with: [""]) { work in
      let studio = work.studio
      try await work.standBy()
      try await studio.useCamera(nil, .rate(30), of: "B")
      let state = try await work.standBy()
      #expect(state.cameras.map(\.camera.mode.mode.width) == [320, 640])
      #expect(try await studio.modes(of: "B").count == 2)
      let gain = try #require(try await studio.controls(of: "B").first { $0.control.name == "gain" })
      let value = gain.control.control.value == 40 ? Int64(41) : 40
      let set = try await studio.setControl("gain", to: value, rate: nil, of: "B")
      #expect(set.control.control.value == value)
      let other = try await studio.controls(of: "A").first { $0.control.name == "gain" }
      #expect(other?.control.control.value == gain.control.control.value)
      #expect(try await studio.preview(after: nil, width: 320, of: "B") != nil)
      try await studio.photo(of: "B")
      let photo = try await work.notices(.photoWritten, 1)[0]
      #expect(photo.file?.hasSuffix("-B-still-1.jpg") == true)
      #expect(await refusal { _ = try await studio.modes(of: "C") }?.code == .notFound)
      #expect(await refusal { try await studio.useCamera(nil, nil, of: "C") }?.code == .notFound)
      #expect(await refusal { try await studio.motionPhoto() }?.code == .refused)
      #expect(
        await refusal { try await studio.change(SettingsChange(afterTrigger: .review)) }?.code == .refused)
    }
  }

  @Test("If a camera fails, the others go on, also if it was the first; the state says which, and why")
  func failure() async throws {
    for (place, faults) in [["", "disconnect=240"], ["disconnect=240", ""]].enumerated() {
      let (lost, left) = place == 0 ? ("B", "A") : ("A", "B")
      let work = try await StudioAtWork.run(faults[0], Self.short, with: [faults[1]]) { work in
        try await work.reach { $0.phase == .armed }
        let told = try await work.notices(.cameraFailed, 1)[0]
        #expect(
          told.message.hasPrefix("Camera \(lost): ") && told.message.hasSuffix("The other cameras go on."))
        let state = try await work.reach { $0.phase == .armed && $0.held >= $0.settings.preRoll }
        #expect(state.cameras.filter { $0.problem != nil }.map(\.letter) == [lost])
        #expect(await refusal { _ = try await work.studio.preview(after: nil, width: 320, of: lost) } != nil)
        try await work.studio.trigger()
        let saved = try await work.notices(.takeSaved, 1)[0]
        #expect(saved.message.hasSuffix("is saved, of camera \(left) alone."))
        try await work.reach { $0.phase == .armed }
        try await work.studio.resume()
        try await work.reach { $0.phase == .armed && $0.cameras.allSatisfy { $0.problem == nil } }
      }
      let taken = try await work.allTakes()
      #expect(taken.map { "\($0.entry.name.suffix(4))" } == ["-1-\(left)"])
      try work.expectTrue(taken[0])
      let group = try group(1, work)
      #expect(group.cameras.map(\.name) == [left] && group.failed.map(\.name) == [lost])
    }
  }

  @Test("A camera that cannot start is named, and no other starts without it")
  func startFailure() async throws {
    try await StudioAtWork.run("", Self.short, with: ["disconnect=0"]) { work in
      let state = try await work.reach { $0.problem != nil }
      #expect(state.problem?.message.hasPrefix("Camera B: ") == true && state.cameras.isEmpty)
    }
  }
}
