import Capture
import FrameJudge
import Foundation
import Overcrank
import SystemPackage
import Takes
import Testing
import Timebase

@testable import StudioServer

@Suite("A review in a studio", .tags(.program), .timeLimit(.minutes(1)))
struct StudioReviewTests {
  private static let settings = SettingsChange(
    preRoll: .milliseconds(500), postRoll: .milliseconds(500), afterTrigger: .review)

  /// The number in the strip of a JPEG.
  private func number(_ jpeg: [UInt8]) throws -> UInt32? {
    let folder = try TemporaryFolder()
    try Data(jpeg).write(to: folder.url.appending(path: "x.jpg"))
    return try StripVideo(folder.path("x.jpg")).numbers.first ?? nil
  }

  @Test("has the frames around the trigger; parts of it become takes of exactly these frames")
  func parts() async throws {
    let work = try await StudioAtWork.run("", Self.settings) { work in
      let studio = work.studio
      try await work.standBy()
      #expect(await refusal { _ = try await studio.reviewFrames() }?.code == .notNow)
      try await studio.trigger()
      #expect(await studio.state().phase != .armed)
      let state = try await work.reach { $0.phase == .reviewing }
      let review = try #require(state.review)
      let frames = try await studio.reviewFrames()
      #expect(frames.sequence.count == review.frames && frames.time.count == review.frames)
      #expect(
        Int64(review.frames) + review.lost == frames.sequence[review.frames - 1] - frames.sequence[0] + 1)
      #expect((59...61).contains(Int64(review.frames) + review.lost))
      let trigger = try #require(review.trigger)
      #expect(frames.time[trigger] == 0 && frames.time[..<trigger].allSatisfy { $0 < 0 })
      for index in [0, trigger, review.frames - 1] {
        let jpeg = try await studio.reviewFrame(index, width: 1920)
        #expect(try number(jpeg) == UInt32(frames.sequence[index]))
      }
      #expect(
        await refusal { _ = try await studio.reviewFrame(review.frames, width: 320) }?.code == .notFound)
      #expect(await refusal { _ = try await studio.reviewFrame(-1, width: 320) }?.code == .notFound)
      for change in [SettingsChange(preRoll: .zero), SettingsChange(afterTrigger: .save)] {
        #expect(await refusal { try await studio.change(change) }?.code == .notNow)
      }
      #expect(await refusal { try await studio.trigger() }?.code == .notNow)
      #expect(
        await refusal { try await studio.save(first: 3, last: 2, speed: nil, label: nil) }?.code
          == .badRequest)

      // The second is saved during the first.
      try await studio.save(first: 5, last: 14, speed: nil, label: "splash")
      try await studio.save(first: 0, last: 0, speed: "1/2", label: nil)
      #expect(await studio.state().phase == .saving || work.all(.takeSaved).count == 2)
      try await work.notices(.takeSaved, 2)
      let parts = try await work.reach { $0.phase == .reviewing }.review?.saved
      #expect(
        parts?.sorted { $0.first < $1.first } == [
          StudioState.Review.Part(first: 0, last: 0), StudioState.Review.Part(first: 5, last: 14),
        ])
      try await work.notices(.clipReady, 2)
      let taken = try await work.allTakes()
      #expect(
        Set(taken.map { $0.take.sequences.map { $0 } }) == [
          Array(frames.sequence[5...14]), [frames.sequence[0]],
        ])
      #expect(Set(taken.map(\.take.label)) == ["splash", nil])

      try await studio.arm()
      try await work.standBy()
      #expect(await studio.state().review == nil)
      try await studio.trigger()
      let second = try await work.reach { $0.phase == .reviewing }.review
      #expect(second?.id == review.id + 1)
      try await studio.arm()
      try await work.reach { $0.phase == .armed }
    }
    let taken = try await work.allTakes()
    #expect(taken.count == 2)
    for taken in taken { try work.expectTrue(taken) }
  }

  @Test("ends once its parts are saved, and they are named after the time of capture")
  func names() async throws {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyyMMdd'T'HHmmss.SSS"
    var settings = Self.settings
    settings.preRoll = .milliseconds(1500)
    let work = try await StudioAtWork.run("", settings) { work in
      let studio = work.studio
      try await work.standBy()
      let before = Date()
      try await studio.trigger()
      let after = Date()
      let review = try #require(try await work.reach { $0.phase == .reviewing }.review)
      let trigger = try #require(review.trigger)
      // Long after the capture.
      while format.string(from: Date()) <= format.string(from: after.addingTimeInterval(1)) {
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(
        await refusal { try await studio.save(first: 0, last: 9, speed: "0s:1, 1s:1/8", label: nil) }?.code
          == .badRequest)
      try await studio.save(first: trigger - 2, last: trigger + 4, speed: nil, label: "trigger")
      try await studio.save(first: 0, last: 9, speed: "0s:1, 0.1s:1/8", label: "start")
      // It waits its turn.
      try await studio.arm()
      #expect(work.all(.takeFailed).isEmpty)
      let state = await studio.state()
      #expect([.starting, .armed].contains(state.phase) && state.review == nil)
      try await work.notices(.clipReady, 2)
      let takes = try await work.allTakes()
      for (label, ago) in [("trigger", 0), ("start", 1.5)] {
        let name = try #require(takes.first { $0.take.label == label }?.entry.name)
        let (early, late) = (before.addingTimeInterval(-ago - 0.1), after.addingTimeInterval(-ago + 0.1))
        #expect("overcrank-\(format.string(from: early))" <= name, "\(label): \(name)")
        #expect(name <= "overcrank-\(format.string(from: late))", "\(label): \(name)")
      }
    }
    for taken in try await work.allTakes() { try work.expectTrue(taken) }
  }

  @Test(
    "on a full disk cannot be saved, reports this, and the same part can be saved once there is room",
    .enabled(if: SmallDisk.isPossible))
  func fullDisk() async throws {
    let disk = try #require(try SmallDisk(bytes: 4 << 20))
    let work = try await StudioAtWork.run("", Self.settings, in: disk.path("takes")) { work in
      try await work.standBy()
      try await work.studio.trigger()
      let review = try #require(try await work.reach { $0.phase == .reviewing }.review)
      // The file that was prepared already has its space.
      try await work.studio.save(first: 0, last: 0, speed: nil, label: nil)
      try await work.notices(.clipReady, 1)
      try await work.reach { $0.phase == .reviewing }
      let ballast = URL(filePath: disk.path("ballast"))
      try Data().write(to: ballast)
      let file = try FileHandle(forWritingTo: ballast)
      while (try? file.write(contentsOf: Data(count: 4096))) != nil {}
      try file.close()
      try await work.studio.save(first: 0, last: review.frames - 1, speed: nil, label: nil)
      try await work.notices(.takeFailed, 1)
      let state = try await work.reach { $0.phase == .reviewing }
      let first = StudioState.Review.Part(first: 0, last: 0)
      #expect(state.review?.saved == [first])
      try FileManager.default.removeItem(at: ballast)
      let before = work.all(.takeSaved).count
      try await work.studio.save(first: 0, last: review.frames - 1, speed: nil, label: nil)
      try await work.notices(.takeSaved, before + 1)
      let parts = try await work.reach { $0.phase == .reviewing }.review?.saved
      #expect(parts == [first, StudioState.Review.Part(first: 0, last: review.frames - 1)])
    }
    let whole = try #require(
      try await work.allTakes().max { $0.take.frames.written < $1.take.frames.written })
    try work.expectTrue(whole)
    #expect((50...61).contains(whole.take.frames.written))
  }

  @Test("reports that the pre-roll is shorter than its setting, and only then")
  func shortPreRoll() async throws {
    var settings = Self.settings
    settings.preRoll = .seconds(20)
    settings.postRoll = .milliseconds(200)
    try await StudioAtWork.run("", settings) { work in
      try await work.reach { $0.phase == .armed }
      try await work.studio.trigger()
      let review = try #require(try await work.reach { $0.phase == .reviewing }.review)
      // On a busy machine, 20 s may have passed before the trigger.
      guard try #require(review.trigger) < 19 * StudioAtWork.rate else { return }
      let told = try #require(try await work.notices(.preRollShort, 1).first)
      #expect(told.message.contains("of 20 s"), "\(told.message)")
    }
    let whole = try await StudioAtWork.run("", Self.settings) { work in
      try await work.standBy()
      try await work.studio.trigger()
      try await work.reach { $0.phase == .reviewing }
    }
    #expect(whole.all(.preRollShort).isEmpty)
  }

  @Test("has the same trigger frame as its take")
  func triggerFrame() async throws {
    let work = try await StudioAtWork.run("", Self.settings) { work in
      try await work.standBy()
      try await work.studio.trigger()
      let review = try #require(try await work.reach { $0.phase == .reviewing }.review)
      try await work.studio.save(
        first: 0, last: review.frames - 1, speed: nil, label: "\(review.trigger ?? -1)")
      try await work.notices(.takeSaved, 1)
    }
    let taken = try #require(try await work.allTakes().first)
    #expect(taken.take.label == "\(try TakePictures(taken.entry).keyIndex)")
  }

  @Test("is kept if the folder of takes is missing, and is saved once it exists again")
  func folderGone() async throws {
    let work = try await StudioAtWork.run("", Self.settings) { work in
      try await work.standBy()
      try await work.studio.trigger()
      let review = try #require(try await work.reach { $0.phase == .reviewing }.review)
      try FileManager.default.removeItem(atPath: work.takes)
      let refusals = [
        await refusal { try await work.studio.save(first: 0, last: 9, speed: nil, label: nil) },
        await refusal { try await work.studio.arm() },
      ]
      for refused in refusals {
        #expect(refused?.code == .refused)
        #expect(
          refused?.message.contains("the folder of takes no longer exists") == true,
          "\(String(describing: refused))")
      }
      let state = await work.studio.state()
      #expect(state.phase == .reviewing && state.review == review)
      #expect(try await work.studio.reviewFrames().sequence.count == review.frames)
      try FileManager.default.createDirectory(atPath: work.takes, withIntermediateDirectories: true)
      try await work.studio.save(first: 0, last: 9, speed: nil, label: nil)
      try await work.notices(.takeSaved, 1)
      #expect(work.all(.takeFailed).isEmpty)
      try await work.reach { $0.phase == .reviewing }
      try await work.studio.arm()
      try await work.standBy()
    }
    let taken = try #require(try await work.allTakes().first)
    try work.expectTrue(taken)
    #expect(taken.take.frames.written == 10)
  }

  @Test("has the frames captured before the camera disconnected")
  func cameraGone() async throws {
    var settings = Self.settings
    settings.preRoll = .milliseconds(100)
    // The ring has room for all of it.
    settings.postRoll = .seconds(10)
    try await StudioAtWork.run("disconnect=90", settings) { work in
      try await work.standBy()
      try await work.studio.trigger()
      let review = try #require(try await work.reach { $0.phase == .reviewing }.review)
      let frames = try await work.studio.reviewFrames()
      #expect(frames.sequence.last == 89 && frames.sequence.count == review.frames)
      #expect(work.all(.error).filter { $0.message.contains("unplugged") }.count == 1)
      try await work.studio.save(first: 0, last: review.frames - 1, speed: nil, label: nil)
      try await work.notices(.takeSaved, 1)
      try await work.reach { $0.phase == .reviewing }
      try await work.studio.arm()
      // It disconnects again and again: each time frames come once more.
      try await work.notices(.interrupted, 1)
      try await work.notices(.interruptionEnded, 1)
    }
  }
}

@Suite("A studio whose camera disconnects", .tags(.program), .timeLimit(.minutes(1)))
struct StudioInterruptionTests {
  @Test("has a complete take of the frames before, and is armed again")
  func unplugged() async throws {
    let work = try await StudioAtWork.run("disconnect=150") { work in
      try await work.reach { $0.phase == .armed }
      try await work.studio.record(for: nil)
      try await work.notices(.interrupted, 1)
      try await work.notices(.takeFailed, 1)
      try await work.notices(.takeSaved, 1)
      try await work.notices(.interruptionEnded, 1)
    }
    let taken = try #require(try await work.allTakes().first)
    try work.expectTrue(taken)
    #expect(taken.take.sequences.last == 149 && taken.take.failure != nil)
  }

  @Test("waits for the user if its driver fails again and again, and continues on request")
  func resumed() async throws {
    try await StudioAtWork.run("fail=60:9") { work in
      let state = try await work.reach { $0.interruption?.waitsForResume == true }
      #expect(state.phase == .interrupted && state.interruption?.message?.isEmpty == false)
      #expect(await refusal { try await work.studio.trigger() }?.code == .notNow)
      #expect(await refusal { _ = try await work.studio.preview(after: nil, width: 320) }?.code == .notNow)
      let before = work.all(.interrupted).count
      try await work.studio.resume()
      // It fails again after 60 more frames.
      try await work.notices(.interrupted, before + 1)
    }
  }
}
