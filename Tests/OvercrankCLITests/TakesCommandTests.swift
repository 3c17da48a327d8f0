import FrameJudge
import Foundation
import Glibc
import SystemPackage
import Takes
import Testing

@Suite("The takes commands", .tags(.program), .timeLimit(.minutes(1)))
struct TakesCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records a take of 24 frames, with frames 5 and 6 lost.
  private func record(
    _ name: String = "x", hasClip: Bool = true, isLarge: Bool = false, options: String...
  ) throws {
    let camera = isLarge ? "sim:,clock=virtual,drop=5-6" : SmallCamera.inVirtualTime("drop=5-6")
    let run = try OvercrankProgram(
      ["record", camera, "--fps", "240", "--format", "mjpeg", "--frames", "24"]
        + ["-o", folder.path("\(name).mp4")] + (hasClip ? ["--preset", "ultrafast"] : ["--no-clip"])
        + options,
      environment: ["XDG_CACHE_HOME": folder.path("cache")])
    #expect(run.status == 0, "\(run.errors)")
  }

  private func takes(_ arguments: String...) throws -> OvercrankProgram {
    try OvercrankProgram(
      ["takes"] + arguments,
      environment: ["XDG_CACHE_HOME": folder.path("cache"), "XDG_VIDEOS_DIR": folder.url.path])
  }

  @Test("label, show and remove a take, and leave the other files unchanged")
  func life() throws {
    try record(options: "--no-thumbnail")
    let before = try folder.take()
    let labelled = try takes("label", folder.path("x.master.mov"), "a drop")
    #expect(labelled.status == 0 && labelled.output.isEmpty)
    #expect(labelled.errors.contains("x.take.json: has the label \"a drop\"."), "\(labelled.errors)")
    var after = try folder.take()
    #expect(after.label == "a drop")
    after.label = nil
    #expect(after == before)
    let list = try takes("list", folder.url.path)
    #expect(list.output.contains("a drop") && list.output.contains("320x180 MJPG 240"), "\(list.output)")
    #expect(try takes("list", folder.url.path, "--label", "DROP").output == list.output)
    #expect(try takes("list", folder.url.path, "--camera", "none").output.isEmpty)
    #expect(try takes("list", folder.url.path, "--until", "yesterday").output.isEmpty)
    let shown = try takes("show", "a drop", "--folder", folder.url.path)
    #expect(shown.output.contains("2 by the driver: the camera's numbers 5 to 6"), "\(shown.output)")
    #expect(try takes("label", folder.path("x.mp4"), "two\nlines").status == 64)

    let refused = try takes("remove", folder.path("x.mp4"))
    #expect(refused.status == 64 && refused.errors.contains("--force"))
    #expect(try takes("remove", folder.path("x"), "--keep-master", "--force").status == 0)
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
    #expect(try takes("verify", folder.path("x")).status == 0)
    #expect(try takes("remove", folder.path("x"), "--force").status == 0)
    #expect(try folder.names.isEmpty)
    #expect(try takes("remove", folder.path("x"), "--force").status == 66)
  }

  @Test("and retime and show find a take by its name, its label, its file, or as the latest")
  func named() throws {
    try record(hasClip: false, options: "--no-thumbnail", "--label", "red drop")
    let environment = ["XDG_VIDEOS_DIR": folder.path("videos"), "XDG_CACHE_HOME": folder.path("cache")]
    try FileManager.default.createDirectory(atPath: folder.path("videos"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: folder.path("x.master.mov"), toPath: folder.path("videos/x.master.mov"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("videos/overcrank"), withDestinationPath: folder.path("videos"))
    try FileManager.default.moveItem(
      atPath: folder.path("x.take.json"), toPath: folder.path("videos/x.take.json"))
    for name in ["x", "red drop", "latest", folder.path("videos/x.take.json")] {
      let shown = try OvercrankProgram(["show", name], environment: environment)
      #expect(shown.output.contains("label      red drop"), "\(name): \(shown.errors)")
      let clip = try OvercrankProgram(
        ["retime", name, "--copy", "--speed", "1/8", "--force", "-o", folder.path("slow.mov")],
        environment: environment)
      #expect(clip.status == 0 && clip.output.contains("24 frames"), "\(name): \(clip.errors)")
    }
    let place = ["--folder", folder.path("videos")]
    for (name, status) in [("x", 0), ("red drop", 0), ("latest", 0), ("none", 66)] as [(String, Int32)] {
      let clip = try OvercrankProgram(
        ["retime", name, "--copy", "--speed", "1/8", "--force", "-o", folder.path("slow.mov")] + place)
      #expect(clip.status == status, "\(name): \(clip.errors)")
    }
    let near = try OvercrankProgram(["takes", "show", "RED"], environment: environment)
    #expect(
      near.status == 66 && near.errors.contains("Did you mean the label \"red drop\"?"), "\(near.errors)")
  }

  @Test("leave no picture when a signal stops them")
  func stoppedPicture() throws {
    try record(hasClip: false, isLarge: true, options: "--no-thumbnail")
    let names = try folder.names
    let part = folder.path("sheet.png.part")
    let run = try OvercrankProgram(
      [
        "takes", "sheet", folder.path("x"), "--frames", "400", "--size", "1024", "-o",
        folder.path("sheet.png"),
      ],
      whileRunning: { process in
        while process.isRunning, !FileManager.default.fileExists(atPath: part) { usleep(1000) }
        kill(process.processIdentifier, SIGINT)
      })
    #expect(run.status == 130 && run.errors.contains("stopped before the end"), "\(run.errors)")
    #expect(try folder.names == names)
  }

  @Test("list the clips that retime renders from a take, and remove them with it")
  func laterClip() throws {
    try record(hasClip: false, options: "--no-thumbnail")
    for speed in ["1/2", "1/8"] {
      let run = try OvercrankProgram(
        "retime", folder.path("x.master.mov"), "--speed", speed, "--preset", "ultrafast", "--force", "-o",
        folder.path("y.mp4"))
      #expect(run.status == 0, "\(run.errors)")
      #expect(try folder.take().clips.map(\.speed) == [speed])
    }
    #expect(try folder.take().clips.map(\.file) == ["y.mp4"])
    #expect(try takes("verify", folder.path("x")).status == 0)
    #expect(try takes("remove", folder.path("x"), "--force").status == 0)
    #expect(try folder.names.isEmpty)
  }

  @Test("delete nothing of a take while another program renders a clip from it")
  func takeInUse() throws {
    try record(hasClip: false, options: "--no-thumbnail")
    let part = folder.path("slow.mp4.part")
    var refused: OvercrankProgram?
    let run = try OvercrankProgram(
      [
        "retime", folder.path("x.master.mov"), "--speed", "1/1000", "-o", folder.path("slow.mp4"),
      ],
      whileRunning: { process in
        while process.isRunning, !FileManager.default.fileExists(atPath: part) { usleep(1000) }
        refused = try takes("remove", folder.path("x"), "--force")
        #expect(refused?.errors.contains("overcrank (process \(process.processIdentifier))") == true)
        process.interrupt()
      })
    #expect(run.status == 130, "\(run.errors)")
    #expect(refused?.status == 75, "\(String(describing: refused))")
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
    #expect(try takes("remove", folder.path("x"), "--force").status == 0)
  }

  @Test("delete only video files, whatever a take names")
  func foreignFile() throws {
    try record(hasClip: false, options: "--no-thumbnail")
    let file = folder.path("x.take.json")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try Data("important".utf8).write(to: URL(filePath: folder.path("important.txt")))
    let hostile = text.replacing("\"x.master.mov\"", with: "\"important.txt\"")
    #expect(hostile != text)
    try Data(hostile.utf8).write(to: URL(filePath: file))
    #expect(try takes("remove", file, "--force").status == 0)
    #expect(try folder.names == ["important.txt", "x.master.mov"])
  }

  @Test("print a label, and remove it only if an empty one is given")
  func printedLabel() throws {
    try record(hasClip: false, options: "--no-thumbnail", "--label", "a drop")
    #expect(try takes("label", folder.path("x")).output == "a drop\n")
    #expect(try folder.take().label == "a drop")
    #expect(try takes("label", folder.path("x"), "").status == 0)
    #expect(try folder.take().label == nil)
  }

  @Test("verify and list report a file in use by another program, which is not an error")
  func heldPart() throws {
    try record(hasClip: false, options: "--no-thumbnail")
    let part = folder.path("y.master.mov.part")
    try Data().write(to: URL(filePath: part))
    let descriptor = Glibc.open(part, O_RDWR)
    try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
    defer { close(descriptor) }
    let run = try takes("verify", "--folder", folder.url.path)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output)\(run.errors)")
    #expect(run.output.contains("y.master.mov.part: another program is recording it; not checked."))
    #expect(run.output.contains("x.take.json: is intact."))
    let json = try takes("verify", "--folder", folder.url.path, "--json").output.filter { !$0.isWhitespace }
    #expect(
      json.contains(#""sound":null"#) && json.contains(#""sound":true"#) && !json.contains("false"), "\(json)"
    )
    #expect(
      try takes("list", folder.url.path).output.contains("(another program is recording it, or is armed)")
    )
    // Problems of the others are reported too.
    try FileManager.default.removeItem(atPath: folder.path("x.master.mov"))
    #expect(try takes("verify", "--folder", folder.url.path).status == 65)
    flock(descriptor, LOCK_UN)
    let cutOff = try takes("verify", part)
    #expect(cutOff.status == 65 && cutOff.output.contains("cut off"), "\(cutOff.output)")
  }

  @Test("verify a take, and report what is wrong with it")
  func verify() throws {
    try record(options: "--no-thumbnail")
    let sound = try takes("verify", folder.path("x"))
    #expect(sound.status == 0, "\(sound.output)\(sound.errors)")
    let files = try ["x.mp4", "x.master.mov", "x.take.json"].map { name in
      (name, try Data(contentsOf: URL(filePath: folder.path(name))))
    }
    /// The report after a change to one file.
    func found(_ name: String, _ change: (inout Data) throws -> Void) throws -> String {
      for (file, data) in files {
        var data = data
        if file == name { try change(&data) }
        try data.write(to: URL(filePath: folder.path(file)))
      }
      let run = try takes("verify", folder.path("x.take.json"))
      #expect(run.status == 65)
      return run.output
    }
    #expect(try found("x.mp4") { $0.removeLast($0.count / 3) }.contains("x.mp4"))
    let damaged = try found("x.master.mov") { data in
      let middle = data.count / 2
      data.replaceSubrange(middle..<middle + 400, with: repeatElement(0xff, count: 400))
    }
    #expect(damaged.contains("frame 12 is damaged") || damaged.contains("is damaged"), "\(damaged)")
    func edited(_ change: (inout [String: Any]) -> Void) throws -> String {
      try found("x.take.json") { data in
        var take = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        change(&take)
        data = try JSONSerialization.data(withJSONObject: take)
      }
    }
    #expect(try edited { $0["timestamp_ns"] = [1] }.contains("holds 24 frames, but its take lists 1"))
    let late = try edited { take in
      var times = take["timestamp_ns"] as? [Int] ?? []
      times[7] += 1_000_000
      take["timestamp_ns"] = times
    }
    #expect(late.contains("frame 7 is shown at"), "\(late)")
    #expect(try edited { $0["losses"] = [Int]() }.contains("its ledger lists 0"))
    let huge = try edited { take in
      var clips = take["clips"] as? [[String: Any]] ?? []
      clips[0]["frames"] = Int.max
      take["clips"] = clips
    }
    #expect(huge.contains("its take lists \(Int.max)"), "\(huge)")
  }

  @Test("extract the requested frames of a take as pictures")
  func pictures() throws {
    try record(options: "--no-thumbnail")
    let take = try folder.take()
    let numbers = try StripVideo(folder.path("x.master.mov")).numbers
    for (format, index) in [("jpg", 3), ("png", 9), ("tif", 23)] {
      let file = folder.path("still.\(format)")
      let run = try takes("still", folder.path("x"), "--frame", "\(index)", "-o", file)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try StripVideo(file).numbers == [numbers[index]])
      #expect(try Probe(file).streams.first?.width == 320)
      let tags = try ExifTool(file)
      #expect(tags.complaints.isEmpty, "\(tags.complaints)")
      #expect(tags.text("Model") == take.camera.card)
      let frame = try #require(take.frameList.first { $0.index == index })
      #expect(
        tags.text("UserComment")?.hasPrefix("frame \(frame.sequence), time \(frame.time.nanoseconds) ns")
          == true)
      #expect(tags.text("DateTimeOriginal") != nil && tags.text("OffsetTimeOriginal") != nil)
      #expect(tags.text("SubSecTimeOriginal") == nil)
    }
    // Between two frames, the first of them is chosen.
    let file = folder.path("at.jpg")
    #expect(try takes("still", folder.path("x"), "--at", "14ms", "-o", file).status == 0)
    #expect(try StripVideo(file).numbers == [numbers[3]])
    #expect(try takes("still", folder.path("x"), "--frame", "24", "-o", folder.path("no.jpg")).status == 64)
    #expect(try takes("still", folder.path("x"), "--at", "9s", "-o", folder.path("no.jpg")).status == 64)

    let csv = try takes("frames", folder.path("x"), "--csv").output.split(separator: "\n")
    #expect(csv.count == 25)
    let rows = csv.dropFirst().map { $0.split(separator: ",").map(String.init) }
    #expect(rows.map { $0[1] } == take.sequences.map { "\($0)" })
    #expect(rows.map { $0[3] } == take.timestamps.map { "\($0.nanoseconds)" })
    #expect(rows.map { $0[4] }.enumerated().allSatisfy { $0.element == ($0.offset == 5 ? "2" : "0") })
    #expect(rows[0][2] == "0.000000000")

    let png = folder.path("png")
    let run = try takes("frames", folder.path("x"), "--png", png, "--in", "10ms", "--out", "40ms")
    #expect(run.status == 0, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: png).sorted()
    let expected = take.frameList.filter {
      $0.sinceFirst >= .milliseconds(10) && $0.sinceFirst < .milliseconds(40)
    }
    #expect(names.count == expected.count)
    for (name, frame) in zip(names, expected) {
      #expect(name.hasPrefix("x-\(String(format: "%06d-seq%010d", frame.index, Int(frame.sequence)))-0.0"))
      #expect(try StripVideo("\(png)/\(name)").numbers == [numbers[frame.index]])
    }
  }

  @Test("turn pictures as the take states", arguments: ["jpg", "png"])
  func turned(_ format: String) throws {
    try record(hasClip: false, options: "--no-thumbnail", "--rotate", "90")
    let file = folder.path("still.\(format)")
    #expect(try takes("still", folder.path("x"), "--frame", "7", "-o", file).status == 0)
    let back = folder.path("back.png")
    try Program.ffmpeg("-i", file, "-vf", "transpose=2", back)
    let size = try #require(try Probe(file).streams.first)
    #expect([size.width, size.height] == [180, 320])
    #expect(try StripVideo(back).numbers == [9])
  }

  @Test("make a contact sheet of the frames that it names")
  func sheet() throws {
    try record(options: "--no-thumbnail")
    let file = folder.path("sheet.png")
    // At the frames' own size, so the strips can be read.
    let run = try takes(
      "sheet", folder.path("x"), "--frames", "4", "--columns", "1", "--size", "320", "-o", file)
    #expect(run.status == 0, "\(run.errors)")
    let numbers = try StripVideo(folder.path("x.master.mov")).numbers
    let size = try #require(try Probe(file).streams.first)
    #expect(size.width == 320 + 16)
    let rise = ((size.height ?? 0) - 8) / 4
    try Program.ffmpeg(
      "-loop", "1", "-i", file, "-frames:v", "4", "-vf", "crop=320:180:8:8+n*\(rise)", "-fps_mode",
      "passthrough",
      folder.path("cut%d.png"))
    #expect(try StripVideo(folder.path("cut%d.png")).numbers == [0, 7, 15, 23].map { numbers[$0] })
    let tags = try ExifTool(file)
    #expect(tags.complaints.isEmpty, "\(tags.complaints)")
    #expect(
      tags.text("DateTimeOriginal") != nil && tags.text("Model") != nil && tags.text("UserComment") == nil)
    #expect(try takes("sheet", folder.path("x"), "-o", file).status == 73)
    #expect(try takes("sheet", folder.path("x"), "-o", folder.path("s.gif")).status == 64)
  }

  /// GLib's answer about a file's thumbnail.
  private func gio(_ file: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gio", "info", "-a", "thumbnail::*", file]
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_CACHE_HOME": folder.path("cache")]
    ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test(
    "write thumbnails that GLib accepts, until the video changes",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gio")))
  func thumbnails() throws {
    // A name with many escaped characters, and some unescaped.
    let name = "é #%?;[1]'&=+,$@:!~^`|"
    try record(name, isLarge: true)
    let folders = ["normal", "large", "x-large", "xx-large"]
    for (name, side) in zip(folders, [128, 256, 512, 1024]) {
      let thumbnails = try FileManager.default.contentsOfDirectory(
        atPath: folder.path("cache/thumbnails/\(name)"))
      #expect(thumbnails.count == 2)
      for thumbnail in thumbnails {
        let path = folder.path("cache/thumbnails/\(name)/\(thumbnail)")
        #expect(try Probe(path).streams.first?.width == side)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
      }
    }
    for video in ["\(name).mp4", "\(name).master.mov"] {
      let info = try gio(folder.path(video))
      #expect(info.contains("thumbnail::is-valid: TRUE"), "\(info)")
    }
    // With another modification time it is treated as another video's.
    let later = Date(timeIntervalSinceNow: -1000)
    try FileManager.default.setAttributes(
      [.modificationDate: later], ofItemAtPath: folder.path("\(name).mp4"))
    #expect(try !gio(folder.path("\(name).mp4")).contains("is-valid: TRUE"))
    #expect(try takes("thumbnail", folder.path("\(name).mp4")).status == 0)
    #expect(try gio(folder.path("\(name).mp4")).contains("thumbnail::is-valid: TRUE"))
    // A change in place writes new ones at once.
    let change = try OvercrankProgram(
      ["retime", folder.path("\(name).mp4"), "--copy", "--in-place", "--speed", "1/2"],
      environment: ["XDG_CACHE_HOME": folder.path("cache")])
    #expect(change.status == 0, "\(change.errors)")
    #expect(try gio(folder.path("\(name).mp4")).contains("thumbnail::is-valid: TRUE"))
    #expect(try takes("remove", folder.path("\(name).mp4"), "--force").status == 0)
    for name in folders {
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("cache/thumbnails/\(name)")).isEmpty)
    }
  }

  @Test("find recordings with generated names, which use the next number if one exists")
  func templates() throws {
    try Data("mine".utf8).write(to: URL(filePath: folder.path("milk-240-1.mp4")))
    for _ in 1...2 {
      try record("{label}-{fps}-{n}", hasClip: false, options: "--no-thumbnail", "--label", "milk")
    }
    #expect(
      try folder.names == [
        "milk-240-1.mp4", "milk-240-2.master.mov", "milk-240-2.take.json", "milk-240-3.master.mov",
        "milk-240-3.take.json",
      ])
    #expect(try takes("list", folder.url.path, "--label", "milk").output.contains("milk-240-3"))
    let run = try OvercrankProgram("record", SmallCamera.inVirtualTime(), "-o", folder.path("{who}.mp4"))
    #expect(run.status == 64 && run.errors.contains("{who}"), "\(run.errors)")
  }

  @Test("export each take of a recording")
  func recordAndExport() throws {
    let copies = try TemporaryFolder()
    try record(options: "--no-thumbnail", "--label", "milk", "--export", copies.url.path, "--move")
    #expect(try folder.names == [])
    #expect(try copies.names == ["x.master.mov", "x.mp4", "x.take.json"])
    #expect(try takes("verify", copies.path("x")).status == 0)
    #expect(try copies.take().label == "milk")
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "3", "--no-clip", "-o", folder.path("y.mp4"),
      "--export",
      folder.path("none"))
    #expect(run.status == 73 && run.errors.contains("mount"), "\(run.errors)")
    #expect(try folder.names == [])
  }

  @Test("show a video with the desktop's player")
  func open() throws {
    try record(hasClip: false, options: "--no-thumbnail")
    let script = folder.path("xdg-open")
    try Data("#!/bin/sh\necho \"$1\" > '\(folder.path("opened"))'\n".utf8).write(to: URL(filePath: script))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let run = try OvercrankProgram(
      ["takes", "open", folder.path("x")], environment: ["PATH": "\(folder.url.path):\(path)"])
    #expect(run.status == 0, "\(run.errors)")
    let opened = try String(contentsOfFile: folder.path("opened"), encoding: .utf8)
    #expect(opened == folder.path("x.master.mov") + "\n")
    let none = try OvercrankProgram(["takes", "open", folder.path("x")], environment: ["PATH": "/nowhere"])
    #expect(none.status == 66 && none.errors.contains("xdg-utils"), "\(none.errors)")
  }

  @Test("list, show, label, verify, export and remove photos as they do takes")
  func photos() throws {
    try record(hasClip: false, options: "--no-thumbnail")
    func make(_ words: String...) throws {
      let run = try OvercrankProgram(words)
      #expect(run.status == 0, "\(run.errors)")
    }
    try make(
      "snap", SmallCamera.inVirtualTime(), "--fps", "240", "--burst", "3", "-o", folder.path("burst.png"))
    try make("snap", SmallCamera.inVirtualTime(), "--fps", "240", "-o", folder.path("still.tif"))
    try make("takes", "motion-photo", folder.path("x"), "-o", folder.path("motion.MP.jpg"))
    try make("takes", "motion-photo", folder.path("x"), "--live", "-o", folder.path("live.jpg"))
    let place = ["--folder", folder.url.path]
    struct Entry: Decodable {
      struct Photo: Decodable { let kind: String, format: String, pictures: Int }
      let name: String, kind: String, files: [String], photo: Photo?
    }
    let entries = try OvercrankProgram(["takes", "list", "--json"] + place).json([Entry].self)
    let photos = entries.filter { $0.kind == "photo" }
    #expect(
      Set(photos.map { "\($0.name) \($0.photo?.kind ?? "") \($0.files.count)" }) == [
        "burst burst 3", "still still 1", "motion motion_photo 1", "live live_photo 2",
      ])
    for photo in photos {
      let label = "label of \(photo.name)"
      #expect(try OvercrankProgram(["takes", "label", photo.name, label] + place).status == 0)
      #expect(try OvercrankProgram(["takes", "label", label] + place).output == "\(label)\n")
      let shown = try OvercrankProgram(["takes", "show", label] + place)
      #expect(
        shown.output.contains("label      \(label)") && shown.output.contains("captured   20"), "\(shown)")
    }
    let shown = try OvercrankProgram("show", folder.path("still.tif"))
    #expect(shown.output.contains("kind       TIFF still\n"), "\(shown)")
    let tags = try ExifTool(folder.path("motion.MP.jpg"))
    #expect(
      tags.complaints.isEmpty && tags.text("ImageDescription") == "label of motion", "\(tags.complaints)")
    let sound = try OvercrankProgram(["takes", "verify"] + place)
    #expect(sound.status == 0 && sound.output.split(separator: "\n").count == 5, "\(sound.output)")

    // The video at the end of a Motion Photo, and that of a Live Photo.
    let whole = try Data(contentsOf: URL(filePath: folder.path("motion.MP.jpg")))
    try whole.dropLast(100).write(to: URL(filePath: folder.path("motion.MP.jpg")))
    let cut = try OvercrankProgram(["takes", "verify", "motion"] + place)
    #expect(cut.status == 65 && cut.output.contains("video"), "\(cut.output)")
    try whole.write(to: URL(filePath: folder.path("motion.MP.jpg")))

    let copies = try TemporaryFolder()
    let before = try folder.names
    let export = ["takes", "export", "--to", copies.url.path] + place
    let refused = try OvercrankProgram(export)
    #expect(refused.status == 64 && refused.errors.contains("--yes"), "\(refused.errors)")
    #expect(try copies.names.isEmpty)
    let run = try OvercrankProgram(export + ["--yes"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains("Copying 1 take and 4 photos to \(copies.url.path): 9 files, "), "\(run.errors)")
    #expect(run.errors.contains("1 take without a clip: master and take file."), "\(run.errors)")
    #expect(try copies.names == before)
    for name in before {
      #expect(
        FileManager.default.contentsEqual(atPath: folder.path(name), andPath: copies.path(name)), "\(name)")
    }
    #expect(try OvercrankProgram(["takes", "remove", "live", "burst", "--force"] + place).status == 0)
    #expect(try folder.names == ["motion.MP.jpg", "still.tif", "x.master.mov", "x.take.json"])
    // A take's pictures cannot be taken out of a photo.
    let none = try OvercrankProgram(["takes", "still", "motion"] + place)
    #expect(none.status == 66 && none.errors.contains("is a photo"), "\(none.errors)")
  }

  @Test(
    "export of a take whose clips were moved away says that nothing is left to export, and how to get the rest"
  )
  func emptied() throws {
    let target = try TemporaryFolder()
    var drawn = StagedTake("drawn")
    let curve = (0..<20).map { "\($0)s:1/\($0 + 1)" }.joined(separator: ", ")
    drawn.content["clips"] = [["file": "drawn.mp4", "speed": curve, "fps": 30, "frames": 4, "held": 1]]
    for take in [StagedTake("moved"), drawn] { try take.write(to: folder.url.path) }
    let place = ["--folder", folder.url.path]
    let export = ["takes", "export", "--to", target.url.path]
    #expect(try OvercrankProgram(export + ["moved", "--move"] + place).status == 0)
    let named = try OvercrankProgram(export + ["moved"] + place)
    #expect(
      named.status == 66 && named.errors.contains(": 0 files, 0 B. The clips of 1 take were moved away"))
    #expect(named.errors.contains("--with-master exports its master."), "\(named.errors)")
    let all = try OvercrankProgram(export + ["--yes"] + place)
    #expect(
      all.status == 0 && all.errors.contains("The clips of 1 take were moved away before"), "\(all.errors)")
    #expect(all.errors.contains("Copying 1 take to "), "\(all.errors)")
    #expect(try target.names == ["drawn.mp4", "moved.mp4"])
    // A speed is that of a clip that is here, and a drawn curve has no room in a table.
    let table = try OvercrankProgram(["takes", "list"] + place)
    #expect(table.output.contains(" curve ") && !table.output.contains("1/8"), "\(table.output)")
  }

  @Test("edit makes one clip more of a take each time, beside its master")
  func edit() throws {
    try record(options: "--no-thumbnail", "--label", "milk")
    let place = ["--folder", folder.url.path]
    #expect(try !folder.take().isRecovered)
    let master = try Probe(folder.path("x.master.mov"))
    #expect(master.format.tags?["com.android.capture.fps"] != nil)
    // What a killed program left of such a clip.
    try folder.leavePart("x-slow.mp4.part")
    try Data("another program's".utf8).write(to: URL(filePath: folder.path("x-holiday.mp4.part")))
    let listed = try OvercrankProgram(["takes", "list"] + place)
    #expect(listed.status == 0 && listed.output.contains("x-slow.mp4.part is left of a clip"))
    for (name, speed) in [("milk", "1/2"), ("latest", "1/4"), ("x", "1/8")] {
      let run = try OvercrankProgram(
        ["takes", "edit", name, "--speed", speed, "--in", "20ms", "--preset", "ultrafast"] + place)
      #expect(run.status == 0, "\(run.errors)")
    }
    let clips = try folder.take().clips
    #expect(clips.map(\.file) == ["x.mp4", "x-slow.mp4", "x-slow-2.mp4", "x-slow-3.mp4"])
    #expect(try folder.names.filter { $0.hasSuffix(".part") } == ["x-holiday.mp4.part"])
    #expect(clips.dropFirst().map(\.speed) == ["1/2", "1/4", "1/8"])
    #expect(try takes("verify", folder.path("x")).status == 0)
    try FileManager.default.removeItem(atPath: folder.path("x.master.mov"))
    let run = try OvercrankProgram(["takes", "edit", "milk", "--speed", "1/2"] + place)
    #expect(run.status == 66 && run.errors.contains("master is missing"), "\(run.errors)")
  }

  @Test("print the line breaks of a name as other characters")
  func lineBreaks() throws {
    let name = "a\nb\u{1b}[2J"
    try StagedTake(name).write(to: folder.url.path)
    for run in [
      try takes("list", folder.url.path), try takes("verify", folder.path("\(name).take.json")),
      try takes("show", folder.path("\(name).mp4")),
      try takes("remove", "--force", folder.path("\(name).mp4")),
    ] {
      let text = run.output + run.errors
      #expect(text.contains("a\u{fffd}b\u{fffd}[2J") && !text.contains("a\nb"), "\(text)")
    }
  }

  @Test("finish what a killed program left of a removal, before they list anything")
  func interruptedRemoval() throws {
    try StagedTake("a").write(to: folder.url.path)
    let files = try folder.names
    let place = folder.path(".trash/a")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    // The journal of the studio's trash: each file with its inode, size and time of change.
    let marks = try files.map { name in
      let status = try Stat(FilePath(folder.path(name)))
      return
        "\"\(name)\":[\(status.inode.rawValue),\(status.size),\(status.st_mtim.tv_sec),\(status.st_mtim.tv_nsec)]"
    }
    try Data(#"{"place":"a","isRemoval":true,"files":{\#(marks.joined(separator: ","))}}"#.utf8)
      .write(to: folder.url.appending(path: ".trash/a.moving"))
    try FileManager.default.moveItem(atPath: folder.path("a.mp4"), toPath: place + "/a.mp4")
    let list = try takes("list", folder.url.path)
    #expect(list.status == 0 && list.output.isEmpty, "\(list.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == files)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".trash")) == ["a"])
  }

  @Test("tell of damaged group files, and of what a killed snap left, which remove deletes")
  func damagedGroup() throws {
    try StagedTake("a").write(to: folder.url.path)
    try Data("{".utf8).write(to: folder.url.appending(path: "jump.group.json"))
    try folder.leavePart("still.MP.jpg.part", holding: [])
    for name in ["b.take.json.part", "leap.group.json.part"] { try folder.leavePart(name) }
    let list = try takes("list", folder.url.path)
    #expect(list.output.contains("jump.group.json is not a group of takes"), "\(list.output)")
    #expect(list.output.contains("still (left of a photo that was cut off"), "\(list.output)")
    #expect(list.output.contains("b (left of b.take.json, which was cut off"), "\(list.output)")
    #expect(list.output.contains("leap (left of leap.group.json, which was cut off"), "\(list.output)")
    let shown = try takes("show", folder.path("a.take.json"))
    #expect(
      shown.status == 0 && shown.output.contains("jump.group.json is not a group of takes"), "\(shown.output)"
    )
    let verified = try takes("verify", "--folder", folder.url.path)
    #expect(verified.status == 65, "\(verified.output)")
    for words in ["is not a group of takes", "still.MP.jpg.part: is left of a photo"] {
      #expect(verified.output.contains(words), "\(verified.output)")
    }
    for name in ["still.MP.jpg.part", "b.take.json.part", "leap.group.json.part"] {
      // Once for the item, and once for what is wrong with it.
      let told = verified.output.split(separator: "\n").filter { $0.contains(name) }
      #expect(
        told.count == 2 && told.allSatisfy { $0.split(separator: name).count == 2 }, "\(verified.output)")
    }
    let recovered = try OvercrankProgram("recover", folder.path("still.MP.jpg.part"))
    #expect(recovered.status == 66 && recovered.errors.contains("cannot be recovered"), "\(recovered.errors)")
    let removed = try takes(
      "remove", folder.path("still.MP.jpg.part"), folder.path("b.take.json.part"),
      folder.path("leap.group.json.part"), folder.path("jump.group.json"), "--force")
    #expect(removed.status == 0 && removed.output.contains("deleted for good"), "\(removed.errors)")
    #expect(removed.errors.contains("jump.group.json: the takes that it may name stay"), "\(removed.errors)")
    #expect(try folder.names == ["a.master.mov", "a.mp4", "a.take.json"])
  }

  @Test("say that a library is empty")
  func empty() throws {
    for command in [["list"], ["verify"], ["export", "--to", folder.url.path, "--yes"]] {
      let run = try OvercrankProgram(
        ["takes"] + command, environment: ["XDG_VIDEOS_DIR": folder.path("none")])
      #expect(run.status == 0 && run.errors.contains("here "), "\(command): \(run.errors)")
      #expect(run.errors.contains(folder.path("none/overcrank")), "\(command): \(run.errors)")
    }
    let latest = try OvercrankProgram(
      ["takes", "show", "latest"], environment: ["XDG_VIDEOS_DIR": folder.path("none")])
    #expect(latest.status == 66 && latest.errors.contains("has no takes yet"), "\(latest.errors)")
  }

  @Test("list reads the beginning and the end of each take file, and no video")
  func reading() throws {
    let takes = 20
    for number in 0..<takes {
      let name = "t\(number)"
      try StagedTake(name).write(to: folder.url.path)
      // A take of a hundred thousand frames.
      let file = URL(filePath: folder.path("\(name).take.json"))
      let text = try String(contentsOf: file, encoding: .utf8)
      try Data(text.replacing("[0,2,3]", with: "[0,2" + String(repeating: ",3", count: 100_000) + "]").utf8)
        .write(to: file)
    }
    let log = folder.path("strace")
    try Program.run(
      "strace",
      [
        "-f", "--seccomp-bpf", "-y", "-o", log, "-e", "trace=openat,read,pread64", OvercrankProgram.url.path,
        "takes", "list",
        folder.url.path,
      ])
    let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(!calls.contains { $0.contains(".master.mov") || $0.contains(".mp4") })
    let reads = calls.filter { $0.contains(".take.json>") && $0.contains("read") }
    let bytes = reads.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    // 8 KiB hold the description of a take; 64 bytes show whether its file is complete.
    #expect(bytes > 0 && bytes <= takes * ((8 << 10) + 64), "\(bytes)")
  }

  @Test("keep a clip that another take names too, and report it")
  func sharedClip() throws {
    try StagedTake("a").write(to: folder.url.path)
    var twin = StagedTake("b")
    twin.content["clips"] = [["file": "a.mp4", "speed": "1/8", "fps": 30, "frames": 4, "held": 1]]
    twin.clip = nil
    try twin.write(to: folder.url.path)
    let list = try takes("list", "--json", folder.url.path)
    #expect(list.output.contains("a.mp4 also belongs to b.take.json"), "\(list.output)")
    let run = try takes("remove", folder.path("b"), "--force")
    #expect(run.status == 0)
    #expect(run.errors.contains("a.mp4: kept, because another take names it too."), "\(run.errors)")
    #expect(try folder.names == ["a.master.mov", "a.mp4", "a.take.json"])
  }

  @Test("recognise a clip with the name of a master")
  func clipCalledMaster() throws {
    try StagedTake("x.master").write(to: folder.url.path)
    #expect(try folder.names == ["x.master.master.mov", "x.master.mp4", "x.master.take.json"])
    struct Entry: Decodable { let kind: String }
    #expect(try takes("list", "--json", folder.url.path).json([Entry].self).map(\.kind) == ["take"])
    let shown = try takes("show", folder.path("x.master.mp4"))
    #expect(shown.output.hasPrefix(folder.path("x.master.take.json")), "\(shown.output)\(shown.errors)")
    // Without a take it is an ordinary video.
    try FileManager.default.removeItem(atPath: folder.path("x.master.take.json"))
    try FileManager.default.removeItem(atPath: folder.path("x.master.master.mov"))
    #expect(try takes("list", folder.url.path).output.isEmpty)
  }

  @Test("show how long a video plays, to its last frame", arguments: ["mp4", "mkv"])
  func length(_ suffix: String) throws {
    try record(options: "--no-thumbnail")
    let copy = folder.path("copy.\(suffix)")
    let run = try OvercrankProgram("retime", folder.path("x.mp4"), "--copy", "--speed", "1/16", "-o", copy)
    #expect(run.status == 0, "\(run.errors)")
    struct SourceVideo: Decodable { let duration_ns: Int64, frames: Int }
    let clip = try OvercrankProgram("show", folder.path("x.mp4"), "--json").json(SourceVideo.self)
    let video = try OvercrankProgram("show", copy, "--json").json(SourceVideo.self)
    #expect(video.frames == clip.frames && clip.frames >= 24)
    #expect((clip.duration_ns - Int64(clip.frames) * 1_000_000_000 / 30).magnitude <= 1, "\(clip)")
    // Matroska has milliseconds.
    let tolerance: UInt64 = suffix == "mkv" ? 1_000_000 : 2
    #expect((video.duration_ns - 2 * clip.duration_ns).magnitude <= tolerance, "\(video)")
  }
}
