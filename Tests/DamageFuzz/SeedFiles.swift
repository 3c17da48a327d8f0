import CameraModel
import Cameras
import Capture
import FrameJudge
import Foundation
import Media
import Platform
import Retime
import Simulator
import Synchronization
import SystemPackage
import Takes
import Timebase

/// The reason why the fuzzing cannot start.
struct Unready: Error, CustomStringConvertible {
  let description: String
}

/// The intact files that are then damaged, made once in a folder of their own.
struct SeedFiles {
  let folder: URL

  func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

  /// Returns the names of all files, in order, without those that belong to another one.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter {
      !$0.hasSuffix(".part") && $0 != "done"
    }
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Increment it when the files change. They are kept: a round is reproducible only with the same files.
  private static let version = Array("3".utf8)

  /// Makes the files unless they exist.
  func make() async throws {
    guard (try? bytes("done")) != Self.version else { return }
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try makeJPEGs()
    try makeMasters()
    try makeVideos()
    for layout in ["gray", "yuvj422p", "yuv444p10le"] { try await makeLamp(layout) }
    try await makeClip()
    try makeTexts()
    try makeCutOffRecording()
    try Data(Self.version).write(to: URL(filePath: path("done")))
  }

  private func makeJPEGs() throws {
    for (layout, size) in [
      ("yuvj420p", "64x48"), ("yuvj422p", "66x50"), ("yuvj444p", "33x17"), ("gray", "40x40"),
    ] {
      let picture = ["-f", "lavfi", "-i", "testsrc2=s=\(size)", "-frames:v", "1"]
      try ffmpeg(picture + ["-pix_fmt", layout, "-q:v", "4", path("\(layout).jpg")])
      try ffmpeg(picture + ["-pix_fmt", layout, path("\(layout).ppm")])
      // Only cjpeg can write restart markers.
      try Program.run(
        "cjpeg",
        ["-sample", layout == "yuvj420p" ? "2x2" : layout == "yuvj422p" ? "2x1" : "1x1", "-restart", "1"]
          + (layout == "gray" ? ["-grayscale"] : [])
          + ["-outfile", path("\(layout)-restart.jpg"), path("\(layout).ppm")])
      try FileManager.default.removeItem(atPath: path("\(layout).ppm"))
    }
  }

  /// Makes masters of every kind of frame as Overcrank does, and a JPEG without Huffman tables.
  private func makeMasters() throws {
    try video(to: "take.master.mov", huffmanTables: true)
    try video(to: "bare.mov", huffmanTables: false)
    try Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 * 7) }).write(to: URL(filePath: path("raw.frame")))
    var bare = try Demuxer(FilePath(path("bare.mov")))
    try bare.nextPacket()?.withBytes { try Data($0).write(to: URL(filePath: path("bare.jpg"))) }
    for fourcc in ["YUYV", "NV12", "GREY", "RG10", "pRAA", "Y10 ", "YVYU", "BGR3"] {
      guard let format = PixelFormat(fourcc: fourcc).flatMap(MasterFormat.init),
        let byteCount = format.codec.byteCount(width: 64, height: 32)
      else { throw Unready(description: "there is no master of \(fourcc)") }
      let name = "\(fourcc.filter(\.isLetter)).\(format.container.fileExtension)"
      var muxer = try Muxer(
        to: OutputFile(FilePath(path(name))), container: format.container,
        video: VideoTrack(codec: format.codec, width: 64, height: 32), timescale: 240,
        metadata: ["comment": "Overcrank, master"])
      for number in 0..<6 {
        let frame = [UInt8](repeating: UInt8(40 * number), count: byteCount)
        try frame.withUnsafeBytes { try muxer.write($0, timestamp: Int64(number), duration: 1) }
      }
      try muxer.finish()
    }
  }

  /// Records JPEGs of a simulated camera, with their take.
  private func video(to name: String, huffmanTables: Bool) throws {
    var faults = SimulatedFaults()
    faults.huffmanTables = huffmanTables
    let camera = SimulatedCamera(
      description: Self.description, faults: faults,
      clock: VirtualClock(at: Instant(nanoseconds: 1_000_000_000)))
    guard let format = MasterFormat(.mjpeg) else { return }
    let video = path(name)
    let recording = Mutex<Recording?>(nil)
    let session = session(of: camera, to: FilePath(video), as: format, limit: RecordingLimit(frames: 6))
    session.onEvent { event in
      if case .takeEnded(_, .success(let ended)) = event.kind { recording.withLock { $0 = ended } }
    }
    try session.run()
    guard let recording = recording.withLock({ $0 }) else { throw Unready(description: "no take ended") }
    if let take = TakeFiles.take(besideMaster: FilePath(path(name))) {
      try Take(recording, metadata: Self.metadata, master: name).write(to: take, replacing: true)
    }
  }

  private func session<Clock: SimulationClock>(
    of camera: SimulatedCamera<Clock>, to path: FilePath, as format: MasterFormat, limit: RecordingLimit
  ) -> CaptureSession {
    CaptureSession(
      SessionSetup(
        CaptureSource(name: "sim:") { (mode) throws(OvercrankError) in try camera.start(mode) },
        SessionConfiguration(mode: Self.metadata.mode), SessionPlan(limit: limit),
        makeOutput: { (take) throws(CaptureError) in
          do throws(OvercrankError) {
            return try MasterWriter(
              to: path, as: format, of: take.configuration.frameFormat, replacing: true,
              metadata: Self.metadata)
          } catch {
            throw .master(error)
          }
        }))
  }

  private static let interval = FrameInterval(1, 240)

  private static let description = SimulatedCameraDescription(modes: [
    .init(format: .mjpeg, width: 64, height: 32, intervals: [interval])
  ])

  private static let metadata = TakeMetadata(
    camera: CameraIdentity(name: "sim:", table: .simulated),
    mode: Mode(fourcc: "MJPG", width: 64, height: 32, interval: interval), asked: nil,
    started: Date(timeIntervalSince1970: 0), version: "0")

  /// Makes a clip as Overcrank does, with its index in front.
  private func makeClip() async throws {
    let options = RenderSpec(speed: Speed(Fraction(1, 8)).map { SpeedCurve($0) })
    _ = try await ClipRenderer(ClipSource(FilePath(path("take.master.mov"))), spec: options).render(
      to: OutputFile(FilePath(path("clip.mp4"))))
  }

  private func makeVideos() throws {
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x32:d=0.3:r=30"]
    let sound = ["-f", "lavfi", "-i", "sine=d=0.3"]
    let bFrames = ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p"]
    try ffmpeg(picture + sound + bFrames + ["-c:a", "aac", path("sound.mp4")])
    try ffmpeg(["-ss", "0.1", "-i", path("sound.mp4"), "-c", "copy", path("edited.mp4")])
    try ffmpeg(picture + sound + bFrames + ["-c:a", "libopus", path("sound.mkv")])
    try ffmpeg(picture + bFrames + ["-movflags", "+frag_keyframe+empty_moov", path("fragments.mp4")])
    try ffmpeg(picture + ["-c:v", "mpeg2video", "-bf", "2", path("mpeg2.ts")])
    try ffmpeg(picture + ["-c:v", "mjpeg", path("jpeg.avi")])
    try ffmpeg(picture + ["-c:v", "prores_ks", path("prores.mov")])
    try ffmpeg(
      picture + [
        "-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p", path("hevc.mp4"),
      ])
    try ffmpeg(picture + ["-c:v", "libvpx-vp9", "-deadline", "realtime", path("vp9.webm")])
    try ffmpeg(picture + ["-pix_fmt", "yuv420p", path("raw.y4m")])
  }

  /// Makes a video in a lamp's light, with as many frames as the analysis of flicker reads.
  private func makeLamp(_ layout: String) async throws {
    let video = path("lamp-\(layout).mov")
    let swing = "geq=lum='p(X,Y)*(0.8+0.2*sin(2*PI*100*T))':cb='cb(X,Y)':cr='cr(X,Y)'"
    let codec = layout == "yuv444p10le" ? "prores_ks" : layout == "gray" ? "ffv1" : "mjpeg"
    try ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x32:r=240:d=0.15,\(swing)", "-pix_fmt", layout, "-c:v", codec, video,
    ])
    let report = try await ClipRenderer(
      ClipSource(FilePath(video)), spec: RenderSpec(stages: .usual.with(Deflicker()))
    )
    .render(to: OutputFile(FilePath(path("lamp.mp4"))))
    guard case .evened = report.flicker else {
      throw Unready(description: "\(video) shows no flicker to even out")
    }
    try FileManager.default.removeItem(atPath: path("lamp.mp4"))
  }

  private func makeTexts() throws {
    let table = try JSONEncoder().encode(CameraTable.simulated)
    try table.write(to: URL(filePath: path("table.json")))
    let listing = """
      ioctl: VIDIOC_ENUM_FMT
      \tType: Video Capture

      \t[0]: 'MJPG' (Motion-JPEG, compressed)
      \t\tSize: Discrete 1280x720
      \t\t\tInterval: Discrete 0.004s (240.000 fps)
      \t\t\tInterval: Discrete 0.008s (120.000 fps)
      \t[1]: 'YUYV' (YUYV 4:2:2)
      \t\tSize: Stepwise 16x16 - 4096x2304 with step 2/2
      \t\tSize: Discrete 640x480
      \t\t\tInterval: Continuous 0.008s - 1.000s (1.000-120.000 fps)

      """
    try Data(listing.utf8).write(to: URL(filePath: path("table.txt")))
    try Data(contentsOf: URL(filePath: "profiles/imx708.yaml")).write(to: URL(filePath: path("profile.yaml")))
    try Data("0s:1, 1.2s:1/8, ease 3s:1".utf8).write(to: URL(filePath: path("ramp.txt")))
  }

  /// Makes the part and the journal of a recording that was killed.
  private func makeCutOffRecording() throws {
    let killed = Process()
    killed.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    killed.arguments = ["--die-filming", folder.path]
    try killed.run()
    killed.waitUntilExit()
    let part = path("cut.master.mov.part")
    guard FileManager.default.fileExists(atPath: part + ".journal") else {
      throw Unready(description: "no recording was cut off")
    }
    try FileManager.default.moveItem(atPath: part + ".journal", toPath: path("cut.journal"))
  }

  /// Records until there are frames in the journal, and then kills its own process.
  func dieRecording() throws {
    guard let format = MasterFormat(.mjpeg) else { return }
    let session = session(
      of: SimulatedCamera(description: Self.description), to: FilePath(path("cut.master.mov")), as: format,
      limit: RecordingLimit())
    session.onEvent { event in
      if case .progress(let status) = event.kind, status.take?.frames.written ?? 0 > 40 {
        kill(getpid(), SIGKILL)
      }
    }
    try session.run()
  }

  private func ffmpeg(_ arguments: [String]) throws {
    try Program.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments)
  }
}
