import FrameJudge
import Foundation
import Testing

@Suite("A video that is cut off", .tags(.program), .timeLimit(.minutes(1)))
struct CutVideoTests {
  /// A kind of video, as ffmpeg writes it.
  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    let options: [String]
    /// Whether a frame's end can be found without the next frame.
    var isExact = true

    var testDescription: String { "\(options.joined(separator: " ")) \(name)" }

    static let all: [Kind] = [
      Kind(name: "x.nut", options: ["-c:v", "rawvideo", "-pix_fmt", "yuyv422"]),
      Kind(name: "x.nut", options: ["-c:v", "mjpeg", "-q:v", "2"], isExact: false),
      Kind(name: "x.mkv", options: ["-c:v", "mjpeg", "-q:v", "2"]),
      Kind(name: "x.mkv", options: h264),
      Kind(name: "x.mkv", options: h264 + ["-live", "1"]),
      Kind(name: "x.webm", options: ["-c:v", "libvpx", "-auto-alt-ref", "0"]),
      Kind(name: "x.avi", options: ["-c:v", "mjpeg", "-q:v", "2"]),
      Kind(name: "x.avi", options: ["-c:v", "mpeg4", "-q:v", "2"]),
      Kind(name: "x.flv", options: h264),
      Kind(name: "x.ts", options: h264, isExact: false),
      Kind(name: "x.ts", options: ["-c:v", "mpeg2video", "-q:v", "2", "-bf", "0"], isExact: false),
      Kind(name: "x.mp4", options: h264 + ["-movflags", "frag_keyframe+empty_moov", "-g", "2"]),
      Kind(name: "x.mp4", options: h264 + ["-movflags", "faststart"]),
      Kind(name: "x.mov", options: ["-c:v", "mjpeg", "-q:v", "2", "-movflags", "faststart"]),
      Kind(name: "x.ivf", options: ["-c:v", "libvpx", "-auto-alt-ref", "0"]),
    ]

    private static let h264 = ["-c:v", "libx264", "-bf", "0", "-preset", "ultrafast", "-crf", "12"]
  }

  /// The place where a video is cut.
  enum Place: CaseIterable { case header, frame, boundary, lastByte }

  private static let count = 12

  /// Numbered frames, from which all other videos are made.
  private static let numbered = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram([
      "record", SmallCamera.inVirtualTime(), "--format", "raw", "--frames", "\(count)", "--no-clip", "-o",
      folder.path("x.mp4"),
    ])
    try #require(run.status == 0, "\(run.errors)")
    try #require(Array(try folder.take().sequences) == Array(0..<Int64(count)))
    return folder
  }

  @Test(
    "is recognised: its whole frames become a clip with an error, or it is refused",
    arguments: Kind.all)
  func matrix(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("whole.\(kind.name)")
    try kind.write(path, from: Self.numbered.get())
    let clip = folder.path("clip.mp4")
    let run = try OvercrankProgram("retime", path, "--capture-rate", "240", "-o", clip)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try StripVideo(clip).numbers == (0..<UInt32(Self.count)).map(\.self))
    let (whole, packets) = (try Data(contentsOf: URL(filePath: path)), try Packets(path))
    for place in Place.allCases { try expectCut(kind, place, whole, packets) }
  }

  /// The outcome when `whole` is cut at `place`.
  private func expectCut(_ kind: Kind, _ place: Place, _ whole: Data, _ packets: Packets) throws {
    let folder = try TemporaryFolder()
    let (end, expected): (Int, Int) =
      switch place {
      case .header: (min(60, packets.places[0]), 0)
      case .frame: (packets.places[7] + packets.sizes[7] / 2, 7)
      case .boundary: (packets.places[8], 8)
      case .lastByte: (whole.count - 1, Self.count)
      }
    let path = folder.path(kind.name)
    try whole.prefix(end).write(to: URL(filePath: path))
    let clip = folder.path("clip.mp4")
    let run = try OvercrankProgram("retime", path, "--capture-rate", "240", "-o", clip)
    // In a stream, a cut between two packets looks like the end.
    if kind.isCutBetweenPackets(end) { return }
    #expect(run.status == 65, "\(place): \(run.status): \(run.errors)")
    if place == .header {
      #expect(try !folder.names.contains("clip.mp4"), "\(run.errors)")
    } else {
      let shown = try StripVideo(clip).numbers
      #expect(shown == shown.indices.map { UInt32($0) }, "\(place)")
      // The bytes after the last frame may or may not belong to it.
      let least = kind.isExact ? (place == .lastByte ? expected - 1 : expected) : expected - 2
      #expect(run.errors.contains("cut off"), "\(place): \(run.errors)")
      #expect((least...expected).contains(shown.count), "\(place): \(shown.count)")
      #expect(run.errors.contains(": \(shown.count) frames can be read"), "\(place): \(run.errors)")
      #expect(!run.output.contains("damaged"), "\(place): \(run.output)")
    }
    // A copy and a recovery take the file from the same reader, which the clip has tried at every place.
    guard place == .frame || place == .lastByte else { return }
    let copy = try OvercrankProgram(
      "retime", path, "--copy", "--speed", "1/2", "--capture-rate", "240", "-o", folder.path("copy.mkv"))
    // Matroska cannot hold raw frames, which is reported first.
    let due: Int32 = kind.options.contains("rawvideo") ? 69 : 65
    #expect(copy.status == due, "\(place): \(copy.errors)")
    let recovery = try OvercrankProgram("recover", path)
    #expect(recovery.status == 65 && !recovery.output.contains("is complete"), "\(place): \(recovery.errors)")
    #expect(try !folder.names.contains("copy.mkv"))
  }

  @Test("becomes a clip of its remaining frames, at the times in its take", arguments: ["mjpeg", "raw"])
  func master(_ format: String) throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--format", format, "--fps", "240", "--frames", "12",
      "--no-clip", "-o",
      folder.path("x.mp4"))
    try #require(run.status == 0, "\(run.errors)")
    let numbers = try folder.take().sequences.map { UInt32($0) as UInt32? }
    let master = folder.path("x.master.mov")
    let packets = try Packets(master)
    try Data(contentsOf: URL(filePath: master)).prefix(packets.places[7] + packets.sizes[7] / 2).write(
      to: URL(filePath: master))
    let clip = try OvercrankProgram("retime", master, "-o", folder.path("clip.mp4"))
    // A master has its index at the end if there was no room in front.
    #expect(clip.status == 65 && clip.errors.contains("cut off"), "\(clip.errors)")
    guard try folder.names.contains("clip.mp4") else { return }
    #expect(try StripVideo(folder.path("clip.mp4")).numbers == Array(numbers.prefix(7)))
  }
}

extension CutVideoTests.Kind {
  /// Makes such a video of the numbered frames.
  fileprivate func write(_ path: String, from source: TemporaryFolder) throws {
    _ = try Program.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-r", "30", "-i", source.path("x.master.mov"), "-vf", "crop=320:64:0:0"]
        + ["-pix_fmt", "yuv420p", "-r", "30"] + options + [path])
  }

  /// Whether a file of `size` bytes ends where one of its packets does, with nothing to show that more should
  /// follow.
  fileprivate func isCutBetweenPackets(_ size: Int) -> Bool {
    switch name {
    case "x.ts": size % 188 == 0
    default: false
    }
  }
}

/// The places of a video's frames in its file.
private struct Packets {
  let places: [Int]
  let sizes: [Int]

  init(_ path: String) throws {
    let answer = try Program.run(
      "ffprobe",
      ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path])
    let rows = String(decoding: answer.output, as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: ",").compactMap { Int($0) } }.filter { $0.count >= 2 }
    try #require(rows.count == 12)
    sizes = rows.map { $0[0] }
    places = rows.map { $0[1] }
  }
}
