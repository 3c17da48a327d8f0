import Media
import Platform
import SystemPackage
import Takes
import Timebase

extension FormExport {
  /// Copies the masters as they are, and writes `NAME.frames.csv`. Masters of one name in several folders get other
  /// names: see ``ExportedRecording/tableVideos``.
  func exportTable(
    of cameras: [FormCamera], of recording: ExportedRecording, _ outcome: inout Outcome, _ tell: Meter
  ) throws(OvercrankError) {
    let videos = recording.tableVideos
    for (camera, video) in zip(cameras, videos) {
      try camera.checkFrameCount()
      let target = destination.appending(video)
      guard let copy = try VerifiedCopy(of: camera.master, at: target, progress: { tell(target, $0, $1) })
      else {
        throw .stopped(target)
      }
      outcome.files.append(copy.target)
    }
    let table = FrameTable.pieces(zip(cameras, videos).map { ($0, $1) })
    try write(table, to: destination.appending("\(recording.name).frames.csv"), &outcome, tell)
  }
}

extension ExportedRecording {
  /// The names of the masters in the table, in the order of the cameras: their own, or, if another camera's has the
  /// same, those of the recording and the camera.
  var tableVideos: [String] {
    let own = cameras.map { $0.entry.master?.name ?? "" }
    // Not every disk tells capitals apart.
    let counts = Dictionary(own.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    return zip(cameras, own).map { camera, name in
      guard counts[name.lowercased(), default: 0] > 1 else { return name }
      return "\(self.name)-\(camera.place.name).master.\(FilePath(name).extension ?? "mov")"
    }
  }
}

/// The table of all frames of a recording, as comma-separated values.
enum FrameTable {
  private static let head = "camera,frame,sequence,time_ns,stamp_ns,lost_before,video\n"

  /// Returns the table of these cameras, whose frames are in the videos of these names.
  static func pieces(_ cameras: [(camera: FormCamera, video: String)]) -> some Sequence<[UInt8]> {
    let rows = cameras.lazy.map { camera, video in
      let (name, end) = (camera.place.name, field(video))
      return zip(camera.take.frameList, camera.times).lazy.map { frame, time in
        "\(name),\(frame.index),\(frame.sequence),\(time.wholeNanoseconds),\(frame.time.nanoseconds),\(frame.lostBefore),\(end)\n"
          .piece
      }
    }
    return JoinedPieces([head.piece], rows.joined())
  }

  /// Returns `text` as a field, by RFC 4180.
  static func field(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}

extension FormCamera {
  /// Checks that the master has as many frames as its take lists.
  ///
  /// - Throws: `OvercrankError` with `badData`.
  fileprivate func checkFrameCount() throws(OvercrankError) {
    var video = try Demuxer(master)
    try video.checkIsWhole()
    var count = video.frameCount ?? 0
    if video.frameCount == nil { while try video.nextPacket() != nil { count += 1 } }
    guard count != take.timestamps.count else { return }
    throw OvercrankError(
      .badData,
      "\(master): has \(count) frames, and its take lists \(take.timestamps.count). Verify the take.")
  }
}
