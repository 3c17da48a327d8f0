import CameraModel
import Cameras
import Capture
import FrameJudge
import Foundation
import Overcrank
import Retime
import SystemPackage
import Takes
import Testing
import Timebase

@testable import StudioServer

@Suite("A studio on a simulated camera", .tags(.program), .timeLimit(.minutes(1)))
struct StudioTests {
  private static let short = SettingsChange(preRoll: .milliseconds(500), postRoll: .milliseconds(250))

  private func stamp(_ date: Date) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyyMMdd'T'HHmmss.SSS"
    return format.string(from: date)
  }

  @Test("A trigger leaves a take with the frames around it, named after its time, and then its clip")
  func trigger() async throws {
    let work = try await StudioAtWork.run("", Self.short) { work in
      let armed = stamp(Date())
      try await work.standBy()
      while stamp(Date()) <= armed { try await Task.sleep(for: .milliseconds(20)) }
      let before = stamp(Date(timeIntervalSinceNow: -0.1))
      try await work.studio.trigger()
      let after = stamp(Date(timeIntervalSinceNow: 0.1))
      let saved = try await work.notices(.takeSaved, 1)[0]
      let ready = try await work.notices(.clipReady, 1)[0]
      #expect(saved.id == ready.id && ready.file?.hasSuffix("-slow.mp4") == false)
      let taken = try #require(try await work.allTakes().first)
      let name = taken.entry.name
      #expect("overcrank-\(before)" <= name && name <= "overcrank-\(after)", "\(name)")
      #expect(ready.file == "\(name).mp4")
      try await work.reach { $0.phase == .armed && $0.clips.isEmpty && $0.library >= 2 }
    }
    let taken = try await work.allTakes()
    #expect(taken.count == 1)
    try work.expectTrue(taken[0])
    let take = taken[0].take
    let trigger = try #require(take.trigger)
    let time = try #require(trigger.frameTime)
    #expect(trigger.requestedPreRoll == .milliseconds(500) && trigger.postRoll == .milliseconds(250))
    #expect(trigger.preRollCut == nil)
    #expect(take.timestamps.allSatisfy { time - .milliseconds(500) <= $0 && $0 < time + .milliseconds(250) })
    // 750 ms at 60 frames a second; the times of frames are whole nanoseconds.
    #expect((44...46).contains(take.frames.sent))
    #expect(take.clips.map(\.file) == ["\(taken[0].entry.name).mp4"])
    #expect(take.clips.first.map { Int64($0.frames) } == take.frames.written)
    #expect(taken[0].entry.clips.count == 1)
  }

  @Test("A camera in virtual time is not shown, and the message gives the reason")
  func virtualTime() async throws {
    try await StudioAtWork.run("clock=virtual") { work in
      try await work.reach { $0.problem?.message.contains("Leave out clock=virtual") == true }
    }
  }

  @Test("Record captures from now until Stop, with the current label; neither is accepted at another time")
  func record() async throws {
    let work = try await StudioAtWork.run { work in
      #expect(await refusal { try await work.studio.trigger() }?.code == .notNow)
      try await work.reach { $0.phase == .armed }
      try await work.studio.change(SettingsChange(label: "drop 3"))
      #expect(await refusal { try await work.studio.stop() }?.code == .notNow)
      try await work.studio.record(for: nil)
      #expect(await refusal { try await work.studio.record(for: nil) }?.code == .notNow)
      #expect(await refusal { try await work.studio.useCamera(nil, .rate(30)) }?.code == .notNow)
      #expect(await refusal { try await work.studio.change(SettingsChange(preRoll: .zero)) }?.code == .notNow)
      let state = try await work.reach { ($0.take?.written ?? 0) > 30 }
      #expect(state.phase == .recording && state.take?.kind == .take && state.take?.number == 1)
      try await work.studio.stop()
      try await work.notices(.takeSaved, 1)
      try await work.reach { $0.phase == .armed && $0.take == nil }
    }
    let taken = try await work.allTakes()
    #expect(taken.map(\.take.label) == ["drop 3"])
    try work.expectTrue(taken[0])
    let time = try #require(taken[0].take.trigger?.frameTime)
    #expect(taken[0].take.timestamps.allSatisfy { time <= $0 } && taken[0].take.frames.written > 30)
  }

  @Test("Settings change while frames continue; only a new camera, mode or microphone reopens the camera")
  func settings() async throws {
    let work = try await StudioAtWork.run("", Self.short) { work in
      let studio = work.studio
      try await work.standBy()
      let camera = try #require(await studio.camera)
      let seen = try #require(camera.recorder.session.status.newest?.sequence)
      for change in [
        SettingsChange(preRoll: .milliseconds(800)), SettingsChange(postRoll: .milliseconds(100)),
        SettingsChange(afterTrigger: .review), SettingsChange(afterTrigger: .carryOn),
        SettingsChange(afterTrigger: .save), SettingsChange(rotate: 90), SettingsChange(label: "turned"),
        SettingsChange(motion: .some(StudioSettings.Motion(settings: MotionSettings(), triggers: false))),
        SettingsChange(motion: .some(nil)), SettingsChange(speed: "1/2"),
      ] {
        try await studio.change(change)
        #expect(await studio.state().phase == .armed, "\(change)")
      }
      #expect(await studio.state().camera?.turn.degrees == 90)
      #expect(await studio.camera === camera)
      try await work.standBy()
      // A change of a single key, as motion and other programs send it.
      camera.recorder.session.commands.trigger(TriggerEvent(.program, at: camera.recorder.session.now))
      try await work.notices(.clipReady, 1)
      #expect(await studio.camera === camera)
      let taken = try #require(try await work.allTakes().first?.take)
      #expect(
        taken.trigger?.requestedPreRoll == .milliseconds(800) && taken.trigger?.postRoll == .milliseconds(100)
      )
      #expect(taken.trigger?.preRollCut == nil && taken.turn?.degrees == 90 && taken.label == "turned")
      #expect(taken.sequences.first.map { $0 > Int64(seen) - 48 } == true)
      #expect((53...55).contains(taken.frames.sent))
      // Longer than its memory was made for.
      try await studio.change(SettingsChange(preRoll: .seconds(60)))
      #expect(await studio.camera !== camera)
      try await work.reach { $0.phase == .armed && $0.settings.preRoll == .seconds(60) }
    }
    for taken in try await work.allTakes() { try work.expectTrue(taken) }
  }

  @Test("Invalid settings are refused, and change nothing")
  func refusedSettings() async throws {
    try await StudioAtWork.run("", Self.short) { work in
      let before = try await work.standBy().settings
      // Between two frames.
      let empty = await refusal {
        try await work.studio.change(SettingsChange(preRoll: .zero, postRoll: .nanoseconds(1)))
      }
      #expect(empty?.code == .badRequest && empty?.message.contains("no frame") == true)
      try await work.studio.change(SettingsChange(preRoll: .zero, postRoll: .milliseconds(17)))
      try await work.studio.change(SettingsChange(preRoll: before.preRoll, postRoll: before.postRoll))
      #expect(await work.studio.state().settings == before)
      // Names that ALSA knows, and a simulated one with faults: none of them is listed.
      for name in [
        "file:FILE='|id >/tmp/x',FORMAT=raw", "file:FILE=x,FORMAT=raw", "tee:null,x,raw",
        "plug:SLAVE='file:x'",
        "hw:{card 0}", "hw:31,0", "null", "plug:null", "file", "", "sim:,drift=500ppm",
      ] {
        let listed = await refusal { try await work.studio.change(SettingsChange(microphone: name)) }
        #expect(listed?.code == .refused && listed?.message.contains("listed") == true, "\(name)")
        #expect(await work.studio.state().settings == before, "\(name)")
      }
      for name in [
        "sim:small.json", "/dev/null", "replay:/etc/passwd", "sim:/etc/passwd", "file:///x", "",
        "exec:640x480@30:touch /tmp/x",
      ] {
        let listed = await refusal { try await work.studio.useCamera(name, nil) }
        #expect(listed?.code == .refused && listed?.message.contains("listed") == true, "\(name)")
      }
      // A listed one is accepted, and the current one may be repeated.
      try await work.studio.change(SettingsChange(microphone: "sim:"))
      try await work.studio.change(SettingsChange(microphone: "sim:"))
      try await work.reach { $0.phase == .armed && $0.audio?.name == "sim:" }
      try await work.studio.change(SettingsChange(microphone: .some(nil)))
      try await work.reach { $0.phase == .armed && $0.audio == nil }
    }
    var settings = StudioSettings()
    settings.preRoll = .seconds(600)
    let mode = Mode(fourcc: "YUYV", width: 1920, height: 1080, interval: FrameInterval(1, 120))
    let error = #expect(throws: StudioError.self) {
      try settings.checkMemory(for: mode, measured: nil, beside: 0)
    }
    #expect(error?.code == .refused && error?.message.contains("298.6 GB") == true, "\(error?.message ?? "")")
    #expect(throws: Never.self) { try settings.checkMemory(for: mode, measured: 1000, beside: 0) }
    settings.preRoll = .zero
    settings.postRoll = .seconds(600)
    #expect(throws: Never.self) { try settings.checkMemory(for: mode, measured: nil, beside: 0) }
    settings.afterTrigger = .review
    #expect(throws: StudioError.self) { try settings.checkMemory(for: mode, measured: nil, beside: 0) }
  }

  @Test("Answers report what a command has done: the take that began, and the one that Stop ended")
  func answers() async throws {
    let settings = SettingsChange(preRoll: .milliseconds(200), postRoll: .seconds(600))
    try await StudioAtWork.run("", settings) { work in
      for number in [1, 2] {
        try await work.standBy()
        if number == 1 { try await work.studio.record(for: nil) } else { try await work.studio.trigger() }
        let begun = await work.studio.state()
        #expect(begun.phase == .recording && begun.take?.number == number && begun.take?.kind == .take)
        try await work.reach { ($0.take?.written ?? 0) > 5 }
        try await work.studio.stop()
        // Stop is answered after two seconds at the latest, whatever a busy machine has done by then.
        try await work.reach { $0.phase == .armed && $0.take == nil }
      }
      try await work.notices(.takeSaved, 2)
    }
  }

  @Test("A control that was set before a take is in the take with that value")
  func controls() async throws {
    let work = try await StudioAtWork.run("", Self.short) { work in
      try await work.standBy()
      let control = try #require(
        try await work.studio.controls().first {
          $0.control.kindName == "int" && !$0.control.flagNames.contains("inactive")
        })
      let other = control.control.control.minimum + Int64(control.control.control.step)
      let value = control.control.control.value == other ? control.control.control.minimum : other
      _ = try await work.studio.setControl(control.control.name, to: value, rate: nil)
      let camera = try #require(await work.studio.camera)
      let set = camera.recorder.session.now
      // All of its pre-roll is later.
      try await work.reach { $0.phase == .armed && camera.recorder.session.now > set + .milliseconds(600) }
      try await work.studio.trigger()
      try await work.notices(.takeSaved, 1)
      let take = try #require(try await work.allTakes().first?.take)
      #expect(take.controls[control.control.name]?.value == value)
      #expect(take.controlChanges?.isEmpty != false)
    }
    #expect(!work.all(.error).contains { $0.message.contains("control") })
  }

  @Test("A photo is refused if the mode's frames depend on one another")
  func photoOfStream() async throws {
    try await StudioAtWork.run(format: "H264") { work in
      try await work.reach { $0.phase == .armed }
      let error = await refusal { try await work.studio.photo() }
      #expect(error?.code == .refused && error?.message.contains("H264") == true)
      #expect(await work.studio.state().photosInProgress == 0)
    }
  }

  @Test("A photo is taken in the camera's light, which is then off again; without one, it is refused")
  func litPhoto() async throws {
    try await StudioAtWork.run { work in
      try await work.reach { $0.phase == .armed }
      let error = await refusal { try await work.studio.photo(lit: true) }
      #expect(error?.code == .notFound && error?.message.contains("no light") == true)
      #expect(await work.studio.state().photosInProgress == 0)
    }
    let work = try await StudioAtWork.run("light=torch") { work in
      try await work.reach { $0.phase == .armed }
      let light = try #require(try await work.studio.controls().first { $0.control.name == "led_mode" })
        .control.control.id
      try await work.studio.photo()
      try await work.notices(.photoWritten, 1)
      // Two at once: the light stays on for both.
      async let first: Void = work.studio.photo(lit: true)
      async let second: Void = work.studio.photo(lit: true)
      _ = try await (first, second)
      try await work.notices(.photoWritten, 3)
      while await work.studio.controlValues["A"]?[light] != 0, !Task.isCancelled { await Task.yield() }
      try await work.studio.photo()
      try await work.notices(.photoWritten, 4)
    }
    let stills = try await TakeLibrary(FilePath(work.takes)).entries().compactMap(\.photo).map(\.path.string)
      .sorted()
    #expect(stills.count == 4)
    let levels = try stills.map { path in
      try Program.run("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"]).output
        .reduce(0) { $0 + Int($1) }
    }.sorted()
    #expect(levels[1] * 10 < levels[2] * 7, "\(levels)")
  }

  @Test("Photos during a recording cost the take no frame, and each is counted until it is written")
  func photos() async throws {
    let work = try await StudioAtWork.run { work in
      try await work.reach { $0.phase == .armed }
      try await work.studio.photo()
      try await work.notices(.photoWritten, 1)
      try await work.studio.record(for: nil)
      try await work.reach { ($0.take?.written ?? 0) > 10 }
      for _ in 0..<3 { try await work.studio.photo() }
      #expect(Set(try await work.notices(.photoWritten, 4).compactMap(\.file)).count == 4)
      try await work.reach { $0.photosInProgress == 0 && ($0.take?.written ?? 0) > 30 }
      try await work.studio.stop()
      try await work.notices(.takeSaved, 1)
    }
    #expect(work.all(.photoFailed).isEmpty)
    let taken = try await work.allTakes()
    try work.expectTrue(taken[0])
    #expect(taken[0].take.frames.lost.ring == 0 && taken[0].take.frames.lost.disk == 0)
    let stills = try await TakeLibrary(FilePath(work.takes)).entries().compactMap(\.photo)
    #expect(stills.count == 4 && stills.allSatisfy { $0.name.contains("-still-") && $0.kind == .still })
  }

  @Test(
    "A take and a Motion Photo of the same moment are both saved, whichever is requested first",
    arguments: [["trigger", "photo"], ["photo", "trigger"], ["record", "photo"]])
  func takeAndMotionPhoto(_ order: [String]) async throws {
    let work = try await StudioAtWork.run { work in
      try await work.standBy()
      for what in order {
        switch what {
        case "trigger": try await work.studio.trigger()
        case "record": try await work.studio.record(for: nil)
        default: try await work.studio.motionPhoto()
        }
      }
      if order.contains("record") {
        try await work.reach { ($0.take?.written ?? 0) > 30 }
        try await work.studio.stop()
      }
      try await work.notices(.photoWritten, 1)
      try await work.notices(.takeSaved, 1)
      try await work.reach { $0.phase == .armed && $0.photosInProgress == 0 }
      let take = try #require(await work.studio.camera?.recorder.files(ofTake: 1))
      let isPassing = await [work.studio.isPassing(take.master), work.studio.isPassing(take.take)]
      #expect(isPassing == [false, false])
    }
    #expect(work.all(.photoFailed).isEmpty && work.all(.takeFailed).isEmpty)
    #expect(work.all(.photoWritten).count == 1 && work.all(.takeSaved).count == 1)
    let takes = try await work.allTakes()
    #expect(takes.count == 1)
  }

  @Test("Two overlapping Motion Photos are both saved, and leave no other file")
  func motionPhotos() async throws {
    let work = try await StudioAtWork.run { work in
      try await work.standBy()
      try await work.studio.motionPhoto()
      #expect(await work.studio.state().photosInProgress == 1)
      let take = try #require(await work.studio.camera?.recorder.files(ofTake: 1))
      let isPassing = await [work.studio.isPassing(take.master), work.studio.isPassing(take.take)]
      #expect(isPassing == [true, true])
      try await work.studio.motionPhoto()
      #expect(await work.studio.state().photosInProgress == 2)
      let files = try await work.notices(.photoWritten, 2).compactMap(\.file)
      #expect(Set(files).count == 2)
      try await work.reach { $0.phase == .armed && $0.photosInProgress == 0 }
    }
    #expect(work.all(.photoFailed).isEmpty && work.all(.takeSaved).isEmpty)
    let files = try FileManager.default.contentsOfDirectory(atPath: work.takes)
    #expect(files.count == 2 && files.allSatisfy { $0.hasSuffix(".MP.jpg") }, "\(files)")
  }

  @Test("Motion triggers a take if that is set")
  func motion() async throws {
    var settings = Self.short
    settings.motion = StudioSettings.Motion(
      settings: MotionSettings(threshold: 10, area: 0.0005), triggers: true)
    let work = try await StudioAtWork.run("rest=1s", settings) { work in
      try await work.notices(.takeSaved, 1)
      #expect(await work.studio.state().motion != nil)
      try await work.studio.change(SettingsChange(motion: .some(nil)))
      try await work.reach { $0.motion == nil && $0.phase == .armed }
    }
    let taken = try await work.allTakes()
    try work.expectTrue(try #require(taken.first))
    #expect(taken.first?.take.trigger?.kind == "motion")
  }

  @Test("A photo is named after its own time, not after that of a take")
  func photoNames() async throws {
    try await StudioAtWork.run { work in
      try await work.reach { $0.phase == .armed }
      let armed = stamp(Date())
      while stamp(Date()) <= armed { try await Task.sleep(for: .milliseconds(20)) }
      let before = stamp(Date(timeIntervalSinceNow: -0.1))
      try await work.studio.photo()
      let notice = try await work.notices(.photoWritten, 1)[0]
      let name = try #require(notice.file)
      #expect("overcrank-\(before)-still-1.jpg" <= name, "\(name)")
      #expect(name <= "overcrank-\(stamp(Date()))-still-1.jpg", "\(name)")
      #expect(notice.id == work.studio.ids.id(of: FilePath(work.takes).appending(name)))
    }
  }

  @Test("A take in progress when the studio ends is complete")
  func ending() async throws {
    let work = try await StudioAtWork.run("", SettingsChange(label: "the last")) { work in
      try await work.reach { $0.phase == .armed }
      try await work.studio.record(for: nil)
      try await work.reach { ($0.take?.written ?? 0) > 20 }
    }
    let taken = try await work.allTakes()
    #expect(taken.count == 1 && taken[0].take.frames.written > 20)
    let clips = work.studio.pendingClips
    #expect(clips.map(\.master) == [taken[0].entry.master].compactMap(\.self))
    #expect(clips.map(\.clip?.lastComponent?.string) == ["\(taken[0].entry.name).mp4"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: work.takes).count { $0.contains(".part") } == 0)
    // The session's last events are handled too.
    #expect(taken[0].take.label == "the last")
    try work.expectTrue(taken[0])
  }

  @Test("Files left by a studio that was killed while armed are removed by the next")
  func emptyParts() async throws {
    let folder = try TemporaryFolder()
    let takes = folder.path("takes")
    try await StudioAtWork.run(in: takes) { work in
      try await work.reach { $0.phase == .armed }
      let left = try FileManager.default.contentsOfDirectory(atPath: takes)
      #expect(left.count == 2, "\(left)")
      // Copies, as a kill leaves the files themselves.
      for name in left {
        try FileManager.default.copyItem(atPath: "\(takes)/\(name)", toPath: folder.path(name))
      }
    }
    for name in try folder.names where name.contains(".part") {
      try FileManager.default.moveItem(atPath: folder.path(name), toPath: "\(takes)/\(name)")
    }
    let entries = try await TakeLibrary(FilePath(takes)).entries()
    #expect(entries.map(\.partState) == [.empty])
    try await StudioAtWork.run(in: takes) { work in try await work.reach { $0.phase == .armed } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: takes).isEmpty)
  }

  @Test("Another mode takes effect; a refused one reports why, and the former continues")
  func modes() async throws {
    let work = try await StudioAtWork.run { work in
      let first = try await work.reach { $0.phase == .armed }
      #expect(first.camera?.mode.mode.width == 320)
      try await work.studio.useCamera(nil, .rate(30))
      let modes = try await work.studio.modes()
      #expect(modes.map(\.mode.width) == [320, 640])
      // The widest that is fast enough.
      try await work.reach { $0.phase == .armed && $0.camera?.mode.mode.width == 640 }
      // An invalid mode has not even ended the camera's stream.
      let open = try #require(await work.studio.camera)
      func mode(
        _ fourcc: String, _ width: UInt32, _ height: UInt32, _ interval: FrameInterval
      ) -> StudioModeRequest {
        .mode(fourcc: fourcc, width: width, height: height, interval: interval)
      }
      for wish in [
        mode("MJPG", 111, 11, FrameInterval(1, 60)), mode("MJPG", 320, 240, FrameInterval(1, 50)),
        mode("MJPG", 320, 240, FrameInterval(1, 1)), mode("YUYV", 320, 240, FrameInterval(1, 60)),
        mode("mjpeg", 320, 240, FrameInterval(1, 60)), mode("?", 320, 240, FrameInterval(1, 60)),
        .rate(61), .rate(1e5),
      ] {
        let refused = await refusal { try await work.studio.useCamera(nil, wish) }
        #expect(refused?.code == .refused && refused?.message.isEmpty == false, "\(wish)")
        #expect(refused?.message.contains("Small") == true, "\(String(describing: refused))")
      }
      #expect(
        await refusal { try await work.studio.useCamera(nil, mode("MJPG", 0, 240, FrameInterval(1, 60))) }?
          .code
          == .badRequest)
      #expect(await refusal { try await work.studio.useCamera("sim:none", nil) } != nil)
      #expect(await work.studio.camera === open)
      #expect(work.all(.modeRefused).isEmpty)
      try await work.reach { $0.phase == .armed && $0.camera?.mode.mode.width == 640 }
      try await work.studio.record(for: nil)
      try await work.reach { ($0.take?.written ?? 0) > 5 }
      try await work.studio.stop()
      try await work.notices(.takeSaved, 1)
    }
    let taken = try await work.allTakes()
    #expect(taken.map(\.take.mode.width) == [640])
    try work.expectTrue(taken[0])
  }

  @Test("With continue, clips wait during a recording, and are rendered afterwards")
  func carryingOn() async throws {
    var settings = Self.short
    settings.afterTrigger = .carryOn
    try await StudioAtWork.run("", settings) { work in
      try await work.standBy()
      try await work.studio.record(for: nil)
      try await work.reach { ($0.take?.written ?? 0) > 10 }
      let simulated = FilePath(work.takes).appending("other.mp4")
      try await SimulatedTake.record(to: simulated, frames: 10)
      let take = FilePath(work.takes).appending("other.take.json")
      try work.studio.clips.add(ClipQueue.Job(take: take, clip: simulated))
      let written = try await work.reach { $0.clips.count == 1 }.take?.written ?? 0
      let state = try await work.reach { ($0.take?.written ?? 0) > written + 30 }
      #expect(state.clips.map(\.fraction) == [0] && work.all(.clipReady).isEmpty)
      try await work.studio.stop()
      try await work.notices(.clipReady, 2)
    }
  }

  @Test("Readers of the live picture, one that hangs, and one that looks at a take cost no frame")
  func readers() async throws {
    let work = try await StudioAtWork.run("", Self.short) { work in
      try await work.standBy()
      try await work.studio.trigger()
      try await work.notices(.clipReady, 1)
      let entry = try #require(try await work.allTakes().first?.entry)
      try await work.reach { $0.phase == .armed }
      try await work.studio.record(for: nil)
      let readers = [320, 640, 640].map { width in
        Task {
          var last: UInt32?
          var count = 0
          while !Task.isCancelled {
            guard let picture = try await work.studio.preview(after: last, width: width) else { continue }
            last = picture.sequence
            count += 1
          }
          return count
        }
      }
      let hanging = Task {
        await work.studio.hub.read { _ in
          while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(50)) }
        }
      }
      let scrubbing = Task.detached {
        var pictures = try TakePictures(entry)
        var index = 0
        while !Task.isCancelled {
          index = (index + 7) % pictures.frameCount
          _ = try pictures.picture(index, fitting: 160).encoded(as: .jpeg)
          await Task.yield()
        }
      }
      try await work.reach { ($0.take?.written ?? 0) > 120 }
      for reader in readers {
        reader.cancel()
        #expect(try await reader.value > 0)
      }
      hanging.cancel()
      await hanging.value
      scrubbing.cancel()
      try await scrubbing.value
      try await work.studio.stop()
      try await work.notices(.takeSaved, 2)
    }
    let taken = try #require(try await work.allTakes().last)
    try work.expectTrue(taken)
    #expect(taken.take.frames.lost.ring == 0 && taken.take.frames.lost.disk == 0)
  }
}
