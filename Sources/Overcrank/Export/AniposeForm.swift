import Media
import Platform
import SystemPackage
import Takes
import Timebase

extension FormExport {
  /// Writes a session of Anipose: `NAME/videos-raw/NAME-camA.mp4`, and beside that folder `frames.csv`.
  ///
  /// `process_session` of Anipose's `anipose/pose_videos.py` looks for the videos by `video_extension` of its
  /// `config.toml`, and `get_cam_name` of `anipose/common.py` for the camera by `cam_regex`. It knows no times: frames
  /// of the same number are taken as simultaneous.
  func exportAnipose(
    _ cameras: [FormCamera], of recording: ExportedRecording, _ outcome: inout Outcome, _ tell: Meter
  ) throws(OvercrankError) {
    let container = try container(for: cameras)
    let videos = try folder(recording.name, "videos-raw", for: &outcome)
    var table: [(FormCamera, String)] = []
    for camera in cameras {
      let name = "\(recording.name)-cam\(camera.place.name)"
      let video = try copy(camera, to: name, in: videos, container: container, &outcome, tell)
      table.append((camera, "videos-raw/\(video.name)"))
    }
    let base = try folder(recording.name, for: &outcome)
    try write(FrameTable.pieces(table), to: base.appending("frames.csv"), &outcome, tell)
    outcome.remarks = [
      "In Anipose's config.toml: nesting = 1, video_extension = \"\(container.fileExtension)\", and under "
        + "[triangulation] cam_regex = '-cam([A-Za-z0-9_-]+)$'."
    ]
    if let words = AniposeForm.warning(cameras) { outcome.remarks.append(words) }
  }
}

/// The check of what Anipose takes for granted.
enum AniposeForm {
  /// Returns a warning if frames of the same number are not simultaneous, to half an interval; `nil` if they are.
  static func warning(_ cameras: [FormCamera]) -> String? {
    guard let first = cameras.first else { return nil }
    for camera in cameras.dropFirst() {
      let limit = Duration.nanoseconds(Int64(clamping: (first.rate.reciprocal.doubleValue * 5e8).rounded()))
      for (number, times) in zip(first.times, camera.times).enumerated() {
        let distance = times.1 - times.0
        let length = distance < .zero ? .zero - distance : distance
        guard length > limit else { continue }
        let words = (length.inSeconds * Fraction(1000)).decimal(places: 3)
        return
          "Anipose takes frames of the same number as simultaneous, but frame \(number) of camera \(camera.place.name) "
          + "was captured \(words) ms \(distance < .zero ? "before" : "after") that of \(first.place.name). "
          + "frames.csv has the times."
      }
    }
    return nil
  }
}
