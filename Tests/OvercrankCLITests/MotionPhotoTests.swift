import Capture
import FrameJudge
import Foundation
import Testing

@Suite("Motion Photos", .tags(.program), .timeLimit(.minutes(1)))
struct MotionPhotoTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Report: Decodable {
    var file: String
    var frame: Int
    var sequence: UInt32
    var bytes: Int
    var film_bytes: Int
    var film_frames: Int
    var fps: Double
    var presentation_ns: Int64
  }

  /// The contents of a Motion Photo as other programs find them.
  private struct Found {
    /// The number in the still's strip.
    var still: UInt32?
    /// The numbers in the video's strips.
    var video: [UInt32?]
    /// The time of each picture of the video, in seconds.
    var times: [Double]
    /// The time of the still by the XMP, in seconds.
    var presentation: Double
    var streams: [Probe.Stream]
  }

  /// Splits `file` as its XMP describes.
  private func found(_ file: String) throws -> Found {
    let tags = try ExifTool(file)
    #expect(tags.complaints.isEmpty, "\(tags.complaints)")
    #expect(tags.number("MotionPhoto") == 1)
    #expect(tags.number("MotionPhotoVersion") == 1)
    let (semantic, mime, size) = ("DirectoryItemSemantic", "DirectoryItemMime", "DirectoryItemLength")
    let items = try ExifTool.values([semantic, mime, size], of: file)
    #expect(items[semantic] == ["Primary", "MotionPhoto"] && items[mime] == ["image/jpeg", "video/mp4"])
    let length = try #require(items[size]?.last.flatMap { Int($0) })
    let all = try Data(contentsOf: URL(filePath: file))
    #expect(length > 0 && length < all.count)
    let still = folder.path("part.jpg")
    let video = folder.path("part.mp4")
    try all.dropLast(length).write(to: URL(filePath: still))
    try all.suffix(length).write(to: URL(filePath: video))
    // The still ends where the video begins.
    #expect(all.dropLast(length).suffix(2) == Data([0xff, 0xd9]))
    let presentation = try #require(tags.number("MotionPhotoPresentationTimestampUs"))
    let times = try Program.run(
      "ffprobe",
      ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", video])
    return Found(
      still: try StripVideo(still).numbers.first ?? nil, video: try StripVideo(video).numbers,
      times: String(decoding: times.output, as: UTF8.self).split { ",\n".contains($0) }.compactMap {
        Double($0)
      }
      .sorted(),
      presentation: presentation / 1e6, streams: try Probe(video).streams)
  }

  private func record(_ options: String...) throws {
    let run = try OvercrankProgram(
      ["record", SmallCamera.inVirtualTime(), "--no-clip", "--no-thumbnail", "-o", folder.path("x.mp4")]
        + options)
    #expect(run.status == 0, "\(run.errors)")
  }

  /// Expects the still to be the requested frame, and the video to show it at the XMP's time.
  private func check(_ report: Report) throws -> Found {
    let found = try found(report.file)
    #expect(found.still == report.sequence)
    #expect(abs(found.presentation - Double(report.presentation_ns) / 1e9) < 2e-6)
    #expect(found.times.count == found.video.count && found.video.count == report.film_frames)
    let place = try #require(found.times.firstIndex { abs($0 - found.presentation) < 0.001 })
    #expect(found.video[place] == report.sequence)
    let video = try #require(found.streams.first { $0.codec_name == "h264" })
    #expect(video.pix_fmt == "yuv420p")
    #expect(video.color_range == "tv")
    #expect(report.fps <= 60)
    return found
  }

  @Test(
    "of a take: the still is the requested frame, and the video shows it at its time",
    arguments: [("240", 60.0, 4), ("120", 60, 2)])
  func ofTake(_ rate: String, _ videoRate: Double, _ step: UInt32) throws {
    try record("--fps", rate, "--duration", "1s")
    // A user's file has the usual name of the video that is made meanwhile.
    let own = (Int(rate) ?? 0) * 505 / 1000
    let names = (own - 1...own + 1).map { ".x-frame-\($0).MP.film.mp4" }
    for name in names { try Data("mine".utf8).write(to: URL(filePath: folder.path(name))) }
    let run = try OvercrankProgram("takes", "motion-photo", folder.path("x"), "--at", "505ms", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(try run.json([Report].self).first)
    #expect(report.fps == videoRate)
    let found = try check(report)
    let shown = found.video.compactMap(\.self)
    #expect(shown.count == found.video.count)
    // Every frame, every second or every fourth, so that the video plays in real time.
    if try folder.take().frames.lost.total == 0 {
      #expect(zip(shown, shown.dropFirst()).allSatisfy { $1 - $0 == step }, "\(shown)")
    }
    #expect(try folder.names.contains("x-frame-\(report.frame).MP.jpg"))
    #expect(try folder.names.filter { $0.hasSuffix(".film.mp4") }.sorted() == names.sorted())
    for name in names { #expect(try Data(contentsOf: URL(filePath: folder.path(name))) == Data("mine".utf8)) }
    let again = try OvercrankProgram("takes", "motion-photo", folder.path("x"), "--at", "505ms")
    #expect(again.status == 73)
  }

  @Test(
    "is refused before the moment if the part of its picture or its video is in the way",
    arguments: [
      ("--motion-photo", "jump.MP.jpg", "jump.MP.jpg.part", 1),
      ("--live-photo", "jump.jpg", "jump.mov.part", 1),
      ("--motion-photo", "jump.MP.jpg", "jump-2.MP.jpg.part", 2),
      ("--live-photo", "jump.jpg", "jump-2.mov.part", 3),
      ("--motion-photo", "jump.MP.jpg", "jump-1.MP.jpg.part", 0),
    ])
  func inTheWay(_ kind: String, _ name: String, _ part: String, _ shots: Int) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path(part), withIntermediateDirectories: false)
    let run = try OvercrankProgram(
      "snap", SmallCamera.inVirtualTime(), kind, "--shots", "\(shots)", "--trigger", "time=1s", "-o",
      folder.path(name))
    #expect(run.status == 73 && run.errors.contains(part), "\(run.errors)")
    // No take was captured.
    #expect(try folder.names == [part])
  }

  @Test("of a take with audio contain it, in sync with the picture")
  func sound() throws {
    try record("--fps", "240", "--duration", "2s", "--mic", "sim:")
    let run = try OvercrankProgram("takes", "motion-photo", folder.path("x"), "--frame", "240", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(try run.json([Report].self).first)
    let found = try check(report)
    #expect(found.streams.contains { $0.codec_name == "aac" })
    // A click begins with each frame whose number is a multiple of 120; the video shows every fourth, so that
    // one or the next.
    let clicks = try HeardClicks(folder.path("part.mp4")).onsets.map { Double($0) / 48_000 }
    let pictures = zip(found.video, found.times).compactMap { number, time in
      number.flatMap { $0 % 120 < 4 ? time - Double($0 % 120) / 240 : nil }
    }
    #expect(!pictures.isEmpty)
    for time in pictures where time > 0.05 && time < (found.times.last ?? 0) - 0.1 {
      #expect(clicks.contains { abs($0 - time) < 0.02 }, "\(time) of \(clicks)")
    }
  }

  @Test(
    "at a trigger have the trigger's frame, leave no other file, and ignore a trigger that comes too late")
  func atTrigger() throws {
    let run = try OvercrankProgram(
      "snap", SmallCamera.inVirtualTime(), "--motion-photo", "--fps", "120", "--trigger",
      "time=800ms", "--trigger", "time=1200ms",
      "--events", folder.path("events.ndjson"), "--json", "-o", folder.path("p.MP.jpg"))
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(try run.json([Report].self).first)
    _ = try check(report)
    #expect(try folder.names.filter { !$0.hasPrefix("part") } == ["events.ndjson", "p.MP.jpg"])
    let events = try String(contentsOf: URL(filePath: folder.path("events.ndjson")), encoding: .utf8)
      .split(separator: "\n").compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    let photos = events.filter { ($0["event"] as? String)?.hasPrefix("photo_") == true }
    #expect(
      photos.map { $0["event"] as? String } == [
        "photo_will_begin", "photo_will_capture", "photo_captured", "photo_processed", "photo_written",
      ])
    #expect(photos.allSatisfy { $0["id"] as? Int == 1 })
    #expect(photos.map { $0["in_progress"] as? Int } == [1, 1, 1, 1, 0])
    #expect(photos.first { $0["sequence"] != nil }?["sequence"] as? Int == Int(report.sequence))
    #expect(events.last?["event"] as? String == "ended")
    // The trigger's frame is the last one captured before it.
    let trigger = try #require(events.first { $0["event"] as? String == "triggered" })
    #expect(trigger["outcome"] as? String == "started")
  }

  private struct LiveReport: Decodable {
    var film: String
    var content_identifier: String
  }

  /// Expects, in other programs, both files of a Live Photo to have the same identifier and the still's
  /// frame, and the video to show that frame at the time in its metadata track.
  private func checkLive(_ report: Report, _ live: LiveReport) throws {
    let still = try ExifTool(report.file)
    #expect(still.complaints.isEmpty, "\(still.complaints)")
    // The tag's name in exiftool up to 12.
    #expect((still.text("ContentIdentifier") ?? still.text("MediaGroupUUID")) == live.content_identifier)
    #expect(UUID(uuidString: live.content_identifier) != nil)
    let video = try ExifTool(live.film)
    #expect(video.complaints.isEmpty, "\(video.complaints)")
    #expect(video.text("ContentIdentifier") == live.content_identifier)
    // The sample in the track, which it reads on demand.
    let sample = try Program.run(
      "exiftool", ["-ee", "-n", "-s3", "-StillImageTime", live.film])
    #expect(
      String(decoding: sample.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) == "0")
    #expect(try StripVideo(report.file).numbers == [report.sequence])

    func times(_ stream: String) throws -> [Double] {
      let packets = try Program.run(
        "ffprobe",
        [
          "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0",
          live.film,
        ])
      return String(decoding: packets.output, as: UTF8.self).split { ",\n".contains($0) }.compactMap {
        Double($0)
      }.sorted()
    }
    let moments = try times("d")
    #expect(moments.count == 1, "\(moments)")
    let moment = try #require(moments.first)
    #expect(abs(moment - Double(report.presentation_ns) / 1e9) < 0.001)
    let shown = try times("v")
    let numbers = try StripVideo(live.film).numbers
    #expect(shown.count == numbers.count && numbers.count == report.film_frames)
    let place = try #require(shown.firstIndex { abs($0 - moment) < 0.001 })
    #expect(numbers[place] == report.sequence)
    let streams = try Probe(live.film).streams
    #expect(streams.contains { $0.codec_name == "h264" && $0.pix_fmt == "yuv420p" })
    #expect(try Data(contentsOf: URL(filePath: live.film)).count == report.film_bytes)
  }

  @Test("as a pair for Apple's Photos: of a take with audio, at its first frame, and at a trigger")
  func livePhotos() throws {
    try record("--fps", "120", "--duration", "1s", "--mic", "sim:")
    for frame in ["50", "0"] {
      let run = try OvercrankProgram(
        "takes", "motion-photo", folder.path("x"), "--live", "--frame", frame, "--json")
      #expect(run.status == 0, "\(run.errors)")
      let report = try #require(try run.json([Report].self).first)
      #expect(report.file == folder.path("x-live-\(frame).jpg"))
      let live = try #require(try run.json([LiveReport].self).first)
      #expect(live.film == folder.path("x-live-\(frame).mov"))
      try checkLive(report, live)
      #expect(try Probe(live.film).streams.contains { $0.codec_name == "aac" })
    }
    // Both names exist.
    try FileManager.default.removeItem(atPath: folder.path("x-live-50.jpg"))
    #expect(
      try OvercrankProgram("takes", "motion-photo", folder.path("x"), "--live", "--frame", "50").status == 73)
    #expect(try !folder.names.contains("x-live-50.jpg"))

    let run = try OvercrankProgram(
      "snap", SmallCamera.inVirtualTime(), "--live-photo", "--fps", "120", "--trigger",
      "time=500ms", "--json", "-o", folder.path("p.jpg"))
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(try run.json([Report].self).first)
    let live = try #require(try run.json([LiveReport].self).first)
    #expect(report.file == folder.path("p.jpg") && live.film == folder.path("p.mov"))
    try checkLive(report, live)
    #expect(try folder.names.filter { $0.hasPrefix("p") } == ["p.jpg", "p.mov"])
    // Taken just now, so its time is known to the microsecond; that of a take's frame to the second.
    #expect(try ExifTool(report.file).text("SubSecTimeOriginal")?.count == 6)
    #expect(try ExifTool(folder.path("x-live-0.jpg")).text("SubSecTimeOriginal") == nil)
  }

  @Test("replace photos where allowed, but never a take")
  func replacing() throws {
    let takes = ["p.master.mov", "p-1.master.mov", "p-1.take.json", "p-2.mp4"]
    for name in takes + ["p-1.MP.jpg"] {
      try Data("kept".utf8).write(to: URL(filePath: folder.path(name)))
    }
    let run = try OvercrankProgram(
      "snap", SmallCamera.inVirtualTime(), "--motion-photo", "--fps", "120", "--shots", "2",
      "--trigger", "time=800ms", "--trigger", "time=1200ms", "--force", "--json", "-o",
      folder.path("p.MP.jpg"))
    #expect(run.status == 0, "\(run.errors)")
    let reports = try run.json([Report].self)
    #expect(reports.map(\.file) == [folder.path("p-1.MP.jpg"), folder.path("p-2.MP.jpg")])
    for report in reports { _ = try check(report) }
    for name in takes { #expect(try String(contentsOfFile: folder.path(name), encoding: .utf8) == "kept") }
    #expect(
      try folder.names.filter { !$0.hasPrefix("part") } == (takes + ["p-1.MP.jpg", "p-2.MP.jpg"]).sorted())
  }

  @Test("that overlap each have their own still and video", .tags(.realTime))
  func overlapping() throws {
    // This process triggers it: another program may start after the first video's end on a busy machine.
    let socket = "overcrank-test-\(getpid())"
    let run = try OvercrankProgram(
      [
        "snap", SmallCamera.inRealTime("buffers=32"), "--motion-photo", "--fps", "120", "--trigger",
        "socket=\(socket)", "--shots", "2", "--json", "-o", folder.path("p.MP.jpg"),
      ],
      whileRunning: { (process: Process) throws in
        var first: TriggerReply?
        while process.isRunning, first == nil {
          first = try? RemoteTrigger.send(to: socket)
          // A later frame than the first's.
          usleep(50_000)
        }
        #expect(first?.outcome == .started(take: 1))
        #expect(try RemoteTrigger.send(to: socket).outcome == .extended(take: 1))
      })
    #expect(run.status == 0, "\(run.errors)")
    let reports = try run.json([Report].self)
    #expect(reports.map(\.file) == [folder.path("p-1.MP.jpg"), folder.path("p-2.MP.jpg")])
    guard reports.count == 2 else { return }
    let (first, second) = (try check(reports[0]), try check(reports[1]))
    #expect(reports[1].sequence > reports[0].sequence)
    // The second begins before the first ends.
    #expect(try #require(second.video.first ?? nil) < #require(first.video.last ?? nil))
    #expect(try folder.names.filter { !$0.hasPrefix("part") } == ["p-1.MP.jpg", "p-2.MP.jpg"])
  }

  @Test("that cannot be written leave their take, which the message names", .tags(.realTime))
  func late() throws {
    let socket = "overcrank-late-\(getpid())"
    let part = folder.path("p.MP.jpg.part")
    let run = try OvercrankProgram(
      [
        "snap", SmallCamera.inRealTime("buffers=32"), "--motion-photo", "--fps", "120", "--trigger",
        "socket=\(socket)", "-o", folder.path("p.MP.jpg"),
      ],
      whileRunning: { (process: Process) throws in
        var reply: TriggerReply?
        while process.isRunning, reply == nil {
          reply = try? RemoteTrigger.send(to: socket)
          usleep(50_000)
        }
        // The photo is written after the second and a half behind its moment.
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
      })
    #expect(run.status == 73 && run.errors.contains(part), "\(run.errors)")
    #expect(run.errors.contains("The take is kept") && run.errors.contains(folder.path("p-1.take.json")))
    #expect(
      try folder.names.filter { $0.hasPrefix("p") } == ["p-1.master.mov", "p-1.take.json", "p.MP.jpg.part"])
  }

  @Test(
    "with wrong input end with the documented exit code",
    arguments: [
      ("snap sim: --motion-photo --fps 1000", 69), ("takes motion-photo /nowhere/x", 66),
    ])
  func wrong(_ arguments: String, _ status: Int32) throws {
    let words = arguments.split(separator: " ").map(String.init)
    #expect(try OvercrankProgram(words).status == status)
  }
}
